//go:build !amd64 || noasm

package simd

func sumRows(dst, W []float32, stride, step, K int, digits []uint16) int {
	return sumRowsPortable(dst, W, stride, step, K, digits)
}
