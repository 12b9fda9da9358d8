//go:build amd64 && !noasm

package simd

import "unsafe"

// These pick the kernels of rows, as those of kernels_amd64.go do.

func sum(x []float32) float32 {
	switch active {
	case avx512:
		return sumAVX512(unsafe.SliceData(x), len(x))
	case avx2:
		return sumAVX2(unsafe.SliceData(x), len(x))
	}
	return sumPortable(x)
}

func sumSquares(x []float32) float32 {
	switch active {
	case avx512:
		return sumSquaresAVX512(unsafe.SliceData(x), len(x))
	case avx2:
		return sumSquaresAVX2(unsafe.SliceData(x), len(x))
	}
	return dotPortable(x, x)
}

func maximum(x []float32) float32 {
	switch active {
	case avx512:
		return maxAVX512(unsafe.SliceData(x), len(x))
	case avx2:
		return maxAVX2(unsafe.SliceData(x), len(x))
	}
	return maxPortable(x)
}

func minimum(x []float32) float32 {
	switch active {
	case avx512:
		return minAVX512(unsafe.SliceData(x), len(x))
	case avx2:
		return minAVX2(unsafe.SliceData(x), len(x))
	}
	return minPortable(x)
}

func index(x []float32, a float32) int {
	switch active {
	case avx512:
		return indexAVX512(unsafe.SliceData(x), len(x), a)
	case avx2:
		return indexAVX2(unsafe.SliceData(x), len(x), a)
	}
	return indexPortable(x, a)
}

func expSum(dst, x []float32, shift float32) float32 {
	switch active {
	case avx512:
		return expSumAVX512(unsafe.SliceData(dst), unsafe.SliceData(x), shift, len(dst))
	case avx2:
		return expSumAVX2(unsafe.SliceData(dst), unsafe.SliceData(x), shift, len(dst))
	}
	return expSumPortable(dst, x, shift)
}

func sumExp(x []float32, shift float32) float32 {
	switch active {
	case avx512:
		return sumExpAVX512(unsafe.SliceData(x), shift, len(x))
	case avx2:
		return sumExpAVX2(unsafe.SliceData(x), shift, len(x))
	}
	return sumExpPortable(x, shift)
}

func softmaxGrad(dst, y, dy []float32, s float32) {
	d, p, q, n := unsafe.SliceData(dst), unsafe.SliceData(y), unsafe.SliceData(dy), len(dst)
	switch active {
	case avx512:
		softmaxGradAVX512(d, p, q, s, n)
	case avx2:
		softmaxGradAVX2(d, p, q, s, n)
	default:
		softmaxGradPortable(dst, y, dy, s)
	}
}

func logSoftmaxGrad(dst, y, dy []float32, s float32) {
	d, p, q, n := unsafe.SliceData(dst), unsafe.SliceData(y), unsafe.SliceData(dy), len(dst)
	switch active {
	case avx512:
		logSoftmaxGradAVX512(d, p, q, s, n)
	case avx2:
		logSoftmaxGradAVX2(d, p, q, s, n)
	default:
		logSoftmaxGradPortable(dst, y, dy, s)
	}
}

func transpose(dst []float32, dstStride int, src []float32, srcStride, rows, columns int) {
	// Whole tiles, and then the rows and columns that are left.
	r, c := wholeVectors(rows), columns&^3
	if c == 0 {
		r = 0
	}
	for at := 0; at < r; at += lanesOf[active] {
		if active == avx512 {
			transposeAVX512(&dst[at], dstStride, &src[at*srcStride], srcStride, c)
		} else {
			transposeAVX2(&dst[at], dstStride, &src[at*srcStride], srcStride, c)
		}
	}
	if r > 0 && c < columns {
		transposePortable(dst[c*dstStride:], dstStride, src[c:], srcStride, r, columns-c)
	}
	if r < rows {
		transposePortable(dst[r:], dstStride, src[r*srcStride:], srcStride, rows-r, columns)
	}
}

func prefetchFloats(x []float32) {
	if active != portable && len(x) > 0 {
		prefetchLines(&x[0], len(x))
	}
}
