package simd

// addPortable specifies Add.
func addPortable(dst, x []float32) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] += x[i]
	}
}
