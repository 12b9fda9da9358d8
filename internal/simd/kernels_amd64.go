//go:build amd64 && !noasm

package simd

import "unsafe"

// The functions here pick the kernel for the level. They pass pointers, whose
// slices the exported functions have checked against each other; an empty slice
// gives one that no kernel follows.

func sumRows(dst, W []float32, stride, step, K int, digits []uint16) int {
	if active == portable || len(dst) == 0 || len(digits) == 0 {
		return sumRowsPortable(dst, W, stride, step, K, digits)
	}
	if active == avx512 && len(dst) <= sumWidest512 {
		return sumRowsAVX512(&dst[0], len(dst), unsafe.SliceData(W), stride, step, K, &digits[0], len(digits), 1)
	}
	return sumColumns(dst, W, stride, step, K, digits)
}

func sumCodes(dst, W []float32, stride, step, K int, digits []uint16, D int) int {
	if active == portable || len(dst) == 0 || len(digits) == 0 {
		return sumCodesPortable(dst, W, stride, step, K, digits, D)
	}
	n := len(digits) / D
	d := len(dst) / n
	if active == avx512 && d <= sumWidest512 {
		return sumRowsAVX512(&dst[0], d, unsafe.SliceData(W), stride, step, K, &digits[0], D, n)
	}
	if active == avx2 && d <= sumWidest2 {
		return sumRowsAVX2(&dst[0], d, unsafe.SliceData(W), stride, step, K, &digits[0], D, n)
	}
	// All blocks of a code, then the next: going through all codes once for
	// each block is slower.
	for at := 0; at < len(digits); at += D {
		if j := sumColumns(dst[:d], W, stride, step, K, digits[at:][:D]); j >= 0 {
			return at + j
		}
		dst = dst[d:]
	}
	return -1
}

// The widest dst of the kernels: 24 registers of 16 floats, 14 of 8.
const (
	sumWidest512 = 24 * 16
	sumWidest2   = 14 * 8
)

// sumColumns goes through the rows once for each block of columns that fits
// the registers.
func sumColumns(dst, W []float32, stride, step, K int, digits []uint16) int {
	for from, b := 0, 1; from < len(dst); b++ {
		to := columnsEnd(len(dst), b)
		var bad int
		// Not through a variable: arguments of such calls escape to the heap.
		if active == avx2 {
			bad = sumRowsAVX2(&dst[from], to-from, &W[from], stride, step, K, &digits[0], len(digits), 1)
		} else {
			bad = sumRowsAVX512(&dst[from], to-from, &W[from], stride, step, K, &digits[0], len(digits), 1)
		}
		if bad >= 0 {
			return bad
		}
		from = to
	}
	return -1
}

// columnsEnd returns where the first b blocks of n columns end. Blocks fit the
// registers, and are as equal as whole vectors allow.
func columnsEnd(n, b int) int {
	lanes, widest := 16, sumWidest512
	if active == avx2 {
		lanes, widest = 8, sumWidest2
	}
	vectors := (n + lanes - 1) / lanes
	blocks := (n + widest - 1) / widest
	return min(b*vectors/blocks*lanes, n)
}

func sumPacked(dst, W []float32, stride, step, K int, code []byte, w, D int) int {
	if active == portable || len(dst) == 0 || D == 0 {
		return sumPackedPortable(dst, W, stride, step, K, code, w, D)
	}
	var padded [8]byte
	if len(code) < 8 {
		copy(padded[:], code)
		code = padded[:]
	}
	if active == avx512 && len(dst) <= sumWidest512 {
		return sumPackedAVX512(&dst[0], len(dst), unsafe.SliceData(W), stride, step, K, &code[0], len(code), w, D)
	}
	for from, b := 0, 1; from < len(dst); b++ {
		to := columnsEnd(len(dst), b)
		var bad int
		if active == avx2 {
			bad = sumPackedAVX2(&dst[from], to-from, &W[from], stride, step, K, &code[0], len(code), w, D)
		} else {
			bad = sumPackedAVX512(&dst[from], to-from, &W[from], stride, step, K, &code[0], len(code), w, D)
		}
		if bad >= 0 {
			return bad
		}
		from = to
	}
	return -1
}

func add(dst, x []float32) {
	d, p, n := unsafe.SliceData(dst), unsafe.SliceData(x), len(dst)
	switch active {
	case avx512:
		addAVX512(d, p, n)
	case avx2:
		addAVX2(d, p, n)
	default:
		addPortable(dst, x)
	}
}

func axpy(dst []float32, a float32, x []float32) {
	d, p, n := unsafe.SliceData(dst), unsafe.SliceData(x), len(dst)
	switch active {
	case avx512:
		axpyAVX512(d, a, p, n)
	case avx2:
		axpyAVX2(d, a, p, n)
	default:
		axpyPortable(dst, a, x)
	}
}

func dot(a, b []float32) float32 {
	p, q, n := unsafe.SliceData(a), unsafe.SliceData(b), len(a)
	switch active {
	case avx512:
		return dotAVX512(p, q, n)
	case avx2:
		return dotAVX2(p, q, n)
	}
	return dotPortable(a, b)
}

func squaredDistance(a, b []float32) float32 {
	p, q, n := unsafe.SliceData(a), unsafe.SliceData(b), len(a)
	switch active {
	case avx512:
		return squaredDistanceAVX512(p, q, n)
	case avx2:
		return squaredDistanceAVX2(p, q, n)
	}
	return squaredDistancePortable(a, b)
}

// matVec leaves the last rows, fewer than four, to dot.
func matVec(dst, H, x []float32) {
	if active == portable || len(x) == 0 {
		matVecPortable(dst, H, x)
		return
	}
	fours := len(dst) &^ 3
	switch {
	case fours == 0:
	case active == avx2:
		matVecAVX2(&dst[0], &H[0], &x[0], fours, len(x))
	default:
		matVecAVX512(&dst[0], &H[0], &x[0], fours, len(x))
	}
	for r := fours; r < len(dst); r++ {
		dst[r] = dot(H[r*len(x):][:len(x)], x)
	}
}

// matVecThree is matVec of three vectors in x, whose results are stride floats
// apart. It returns false where there are no registers for three.
func matVecThree(dst []float32, stride int, H, x []float32, rows int) bool {
	columns, fours := len(x)/3, rows&^3
	if active != avx512 || columns == 0 || fours == 0 {
		return false
	}
	matVecThreeAVX512(&dst[0], &H[0], &x[0], fours, columns, stride)
	for r := fours; r < rows; r++ {
		for i := range 3 {
			dst[i*stride+r] = dot(H[r*columns:][:columns], x[i*columns:][:columns])
		}
	}
	return true
}

func prefetchSome(src []byte, size int, rows []int) {
	prefetchRows(unsafe.SliceData(src), size, &rows[0], len(rows))
}

// scan does whole blocks of rows, and then one that ends with the last row and
// may overlap the one before.
func scan(dst, tables []float32, K int, codes []uint8, D int) int {
	block := 32
	if active == avx2 {
		block = 16
	}
	if active == portable || len(dst) < block || D < 4 {
		return scanPortable(dst, tables, K, codes, D)
	}
	whole := len(dst) / block * block
	from := scanBlocks(dst[:whole], tables, K, codes, D)
	if last := len(dst) - block; from < 0 && whole < len(dst) {
		if scanBlocks(dst[last:], tables, K, codes[last*D:], D) >= 0 {
			from = last
		}
	}
	if from < 0 {
		return -1
	}
	return from + scanPortable(dst[from:from+block], tables, K, codes[from*D:], D)
}

// scanBlocks returns the first row of the first block that has a bad digit.
func scanBlocks(dst, tables []float32, K int, codes []uint8, D int) int {
	d, t, c, n := &dst[0], &tables[0], &codes[0], len(dst)
	switch {
	case active == avx2:
		return scanAVX2(d, t, K, c, D, n)
	case K <= 16:
		return scan16AVX512(d, t, K, c, D, n)
	case K <= 32:
		return scan32AVX512(d, t, K, c, D, n)
	case K <= 64:
		return scan64AVX512(d, t, K, c, D, n)
	}
	return scan256AVX512(d, t, K, c, D, n)
}
