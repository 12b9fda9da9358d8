//go:build amd64 && !noasm

package simd

import "unsafe"

// These pick the kernels that reduce or transpose rows, as those of
// kernels_amd64.go do.

func sum(x []float32) float32 {
	switch active {
	case avx512:
		return sumAVX512(unsafe.SliceData(x), len(x))
	case avx2:
		return sumAVX2(unsafe.SliceData(x), len(x))
	}
	return sumPortable(x)
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
