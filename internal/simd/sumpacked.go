package simd

// SumPacked is SumRows for a code as internal/bitpack packs it: D digits of w
// bits, the lowest bit first, in the first ⌈D·w/8⌉ bytes of code. It is what
// unpacking and SumRows do, but faster: see _generate/sumpacked.go. (Many codes
// are faster unpacked, then summed by SumCodes.) It never reads outside code, and
// is fastest where code holds at least 8 bytes, of which those after the row may
// be anything.
//
// It panics where SumRows does, where code is too short, and where w is not 1
// to 16.
func SumPacked(dst, W []float32, stride, K int, code []byte, w, D int) int {
	if len(dst) > stride || K < 1 || len(W) < D*K*stride || !fitsCode(code, w, D) {
		panic("simd: SumPacked: lengths do not match")
	}
	return sumPacked(dst, W, stride, K*stride, K, code, w, D)
}

// SumPackedShared is SumCodesShared for one packed code. All else is as in
// SumPacked.
func SumPackedShared(dst, W []float32, stride, K int, code []byte, w, D int) int {
	if len(dst) > stride || K < 1 || len(W) < K*stride || !fitsCode(code, w, D) {
		panic("simd: SumPackedShared: lengths do not match")
	}
	return sumPacked(dst, W, stride, 0, K, code, w, D)
}

func fitsCode(code []byte, w, D int) bool {
	return uint(w-1) < 16 && D >= 0 && len(code) >= (D*w+7)/8
}

// sumPackedPortable specifies both.
func sumPackedPortable(dst, W []float32, stride, step, K int, code []byte, w, D int) int {
	clear(dst)
	for j := range D {
		c := digit(code, j*w, w)
		if c >= K {
			return j
		}
		at := j*step + c*stride
		addPortable(dst, W[at:at+len(dst)])
	}
	return -1
}

// digit returns w bits of code, from one on. They are in three bytes at most.
func digit(code []byte, bit, w int) int {
	x := 0
	for i, b := range code[bit/8 : (bit+w+7)/8] {
		x |= int(b) << (8 * i)
	}
	return x >> (bit % 8) & (1<<w - 1)
}
