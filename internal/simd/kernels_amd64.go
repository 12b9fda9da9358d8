//go:build amd64 && !noasm

package simd

import "unsafe"

func sumRows(dst, W []float32, stride, step, K int, digits []uint16) int {
	if active == portable || len(dst) == 0 || len(digits) == 0 {
		return sumRowsPortable(dst, W, stride, step, K, digits)
	}
	if active == avx2 {
		return sumColumns(dst, W, stride, step, K, digits)
	}
	if len(dst) <= 24*16 {
		return sumRowsAVX512(&dst[0], len(dst), unsafe.SliceData(W), stride, step, K, &digits[0], len(digits))
	}
	return sumColumns(dst, W, stride, step, K, digits)
}

// sumColumns goes through the rows once for each block of columns that fits
// the registers, the blocks as equal as whole vectors allow.
func sumColumns(dst, W []float32, stride, step, K int, digits []uint16) int {
	kernel, lanes, widest := sumRowsAVX512, 16, 24
	if active == avx2 {
		kernel, lanes, widest = sumRowsAVX2, 8, 12
	}
	vectors := (len(dst) + lanes - 1) / lanes
	blocks := (vectors + widest - 1) / widest
	for from, b := 0, 0; b < blocks; b++ {
		to := min((b+1)*vectors/blocks*lanes, len(dst))
		if bad := kernel(&dst[from], to-from, &W[from], stride, step, K, &digits[0], len(digits)); bad >= 0 {
			return bad
		}
		from = to
	}
	return -1
}
