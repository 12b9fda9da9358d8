package simd

// SumRows adds up one row of each of D = len(digits) groups of K rows:
//
//	dst[i] = Σ_j W[(j·K + digits[j])·stride + i]
//
// W is [D, K, stride]. It returns -1, or the first j whose digit is not below
// K; dst is undefined then, and nothing outside W has been read. It is fastest
// where W begins on a cache line and the stride is a multiple of 16
// (AlignedFloats, Stride), but needs neither.
//
// It panics unless len(dst) ≤ stride and W holds all D·K rows.
func SumRows(dst, W []float32, stride, K int, digits []uint16) int {
	if len(dst) > stride || K < 1 || len(W) < len(digits)*K*stride {
		panic("simd: SumRows: lengths do not match")
	}
	return sumRows(dst, W, stride, K*stride, K, digits)
}

// sumRowsPortable specifies it: step is what the first row moves by from one
// digit to the next, 0 where they share their rows. It adds row after row, as the assembly does for each
// column, so that the sums are the same to the last bit.
func sumRowsPortable(dst, W []float32, stride, step, K int, digits []uint16) int {
	clear(dst)
	for j, c := range digits {
		if int(c) >= K {
			return j
		}
		at := j*step + int(c)*stride
		addPortable(dst, W[at:at+len(dst)])
	}
	return -1
}
