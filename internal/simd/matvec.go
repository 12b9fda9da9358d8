package simd

// MatVec multiplies a matrix by a vector, dst = H·x:
//
//	dst[r] = Σ_c H[r·len(x) + c]·x[c]
//
// It panics unless H is len(dst) rows of len(x) floats. dst must not overlap
// the others.
func MatVec(dst, H, x []float32) {
	if len(H) != len(dst)*len(x) {
		panic("simd: MatVec: lengths do not match")
	}
	matVec(dst, H, x)
}

// matVecPortable specifies MatVec.
func matVecPortable(dst, H, x []float32) {
	for r := range dst {
		dst[r] = dotPortable(H[r*len(x):][:len(x)], x)
	}
}
