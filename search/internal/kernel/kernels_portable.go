//go:build !amd64 || noasm

package kernel

func sums(dst []uint16, tables []uint8, _ int, codes []uint8, D int) {
	sumsPortable(dst, tables, codes, D)
}

func above(dst []uint64, sums []uint16, x []float32, a, b float32) {
	abovePortable(dst, sums, x, a, b)
}
