package simd

// SumCodes is SumRows for several codes of D digits, one after the other in
// digits, and as many vectors of equal length in dst. It is faster than as many
// SumRows: the rows of a code are on their way while those of the code before
// are added. It returns -1, or the place in digits of the first that is not
// below K.
//
// It panics where SumRows does, and where digits are not whole codes or dst not
// as many whole vectors.
func SumCodes(dst, W []float32, stride, K int, digits []uint16, D int) int {
	if !fitCodes(dst, stride, digits, D) || K < 1 || len(W) < D*K*stride {
		panic("simd: SumCodes: lengths do not match")
	}
	return sumCodes(dst, W, stride, K*stride, K, digits, D)
}

// SumCodesShared adds up rows of one group of K rows, which all digits share:
//
//	dst[i] = Σ_j W[digits[j]·stride + i]
//
// W is [K, stride]. All else is as in SumCodes.
func SumCodesShared(dst, W []float32, stride, K int, digits []uint16, D int) int {
	if !fitCodes(dst, stride, digits, D) || K < 1 || len(W) < K*stride {
		panic("simd: SumCodesShared: lengths do not match")
	}
	return sumCodes(dst, W, stride, 0, K, digits, D)
}

// fitCodes tells whether digits are whole codes, and dst as many whole vectors
// of up to stride floats.
func fitCodes(dst []float32, stride int, digits []uint16, D int) bool {
	if D < 1 || len(digits)%D != 0 {
		return false
	}
	n := len(digits) / D
	if n == 0 {
		return len(dst) == 0
	}
	return len(dst)%n == 0 && len(dst)/n <= stride
}

// sumCodesPortable specifies both.
func sumCodesPortable(dst, W []float32, stride, step, K int, digits []uint16, D int) int {
	if len(digits) == 0 {
		return -1
	}
	d := len(dst) / (len(digits) / D)
	for at := 0; at < len(digits); at += D {
		if j := sumRowsPortable(dst[:d], W, stride, step, K, digits[at:][:D]); j >= 0 {
			return at + j
		}
		dst = dst[d:]
	}
	return -1
}
