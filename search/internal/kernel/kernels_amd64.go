//go:build amd64 && !noasm

package kernel

// The functions here pick the kernel for the level. The exported ones have
// checked that slices fit each other and are not empty.

func sums(dst []uint16, tables []uint8, K int, codes []uint8, D int) {
	d, t, c, blocks := &dst[0], &tables[0], &codes[0], len(dst)/Block
	switch {
	case active == portable:
		sumsPortable(dst, tables, codes, D)
	case active == vbmi:
		sumsVBMI(d, t, c, D, blocks)
	case K <= 16:
		sums16AVX2(d, t, c, D, blocks)
	case K <= 32:
		sums32AVX2(d, t, c, D, blocks)
	default:
		sums64AVX2(d, t, c, D, blocks)
	}
}

func above(dst []uint64, sums []uint16, x []float32, a, b float32) {
	switch {
	case active >= avx512:
		aboveAVX512(&dst[0], &sums[0], &x[0], a, b, len(dst))
	case active == avx2:
		aboveAVX2(&dst[0], &sums[0], &x[0], a, b, len(dst))
	default:
		abovePortable(dst, sums, x, a, b)
	}
}
