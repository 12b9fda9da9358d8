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

func mapFloats(op MapOp, dst, x []float32) {
	d, p, n := unsafe.SliceData(dst), unsafe.SliceData(x), len(dst)
	switch active {
	case avx512:
		mapAVX512(int(op), d, p, n)
	case avx2:
		mapAVX2(int(op), d, p, n)
	default:
		mapPortable(op, dst, x)
	}
}

func zip(op ZipOp, f form, dst, x, y []float32) {
	d, p, q, n := unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(y), len(dst)
	switch {
	case n == 0:
	case active == avx512:
		zipAVX512(3*int(op)+int(f), d, p, q, n)
	case active == avx2:
		zipAVX2(3*int(op)+int(f), d, p, q, n)
	default:
		zipPortable(op, f, dst, x, y)
	}
}

func compare(op CompareOp, f form, dst []bool, x, y []float32) {
	d, p, q, n := unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(y), len(dst)
	switch {
	case n == 0:
	case active == avx512:
		compareAVX512(3*int(op)+int(f), d, p, q, n)
	case active == avx2:
		compareAVX2(3*int(op)+int(f), d, p, q, n)
		comparePortable(op, f, dst[n&^7:], restOf(x, n), restOf(y, n))
	default:
		comparePortable(op, f, dst, x, y)
	}
}

func selectFloats(f form, dst []float32, mask []bool, x, y []float32) {
	d, m, p, q, n := unsafe.SliceData(dst), unsafe.SliceData(mask), unsafe.SliceData(x), unsafe.SliceData(y), len(dst)
	switch {
	case n == 0:
	case active == avx512:
		selectAVX512(int(f), d, m, p, q, n)
	case active == avx2:
		selectAVX2(int(f), d, m, p, q, n)
		selectPortable(f, dst[n&^7:], mask[n&^7:], restOf(x, n), restOf(y, n))
	default:
		selectPortable(f, dst, mask, x, y)
	}
}

// restOf returns what AVX2 leaves of an operand for n floats of dst: a single
// float stays.
func restOf(x []float32, n int) []float32 {
	if len(x) == 1 {
		return x
	}
	return x[n&^7:]
}

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

// The conversions return how many elements they have done: whole vectors.

func fromInt32(dst []float32, x []int32) int {
	switch active {
	case avx512:
		fromInt32AVX512(unsafe.SliceData(dst), unsafe.SliceData(x), len(x))
	case avx2:
		fromInt32AVX2(unsafe.SliceData(dst), unsafe.SliceData(x), len(x))
	}
	return wholeVectors(len(x))
}

func fromUint32(dst []float32, x []uint32) int {
	switch active {
	case avx512:
		fromUint32AVX512(unsafe.SliceData(dst), unsafe.SliceData(x), len(x))
	case avx2:
		fromUint32AVX2(unsafe.SliceData(dst), unsafe.SliceData(x), len(x))
	}
	return wholeVectors(len(x))
}

func fromInt64(dst []float32, x []int64) int {
	if active != avx512 {
		return 0
	}
	fromInt64AVX512(unsafe.SliceData(dst), unsafe.SliceData(x), len(x))
	return wholeVectors(len(x))
}

func fromBool(dst []float32, x []bool) int {
	switch active {
	case avx512:
		fromBoolAVX512(unsafe.SliceData(dst), unsafe.SliceData(x), len(x))
	case avx2:
		fromBoolAVX2(unsafe.SliceData(dst), unsafe.SliceData(x), len(x))
	}
	return wholeVectors(len(x))
}

func toInt32(dst []int32, x []float32) int {
	switch active {
	case avx512:
		toInt32AVX512(unsafe.SliceData(dst), unsafe.SliceData(x), len(x))
	case avx2:
		toInt32AVX2(unsafe.SliceData(dst), unsafe.SliceData(x), len(x))
	}
	return wholeVectors(len(x))
}

// lanesOf are the floats of a vector at each level: portable kernels have none.
var lanesOf = [...]int{portable: 0, avx2: 8, avx512: 16}

// wholeVectors returns n without what is left after whole vectors.
func wholeVectors(n int) int { return n & -lanesOf[active] }

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
