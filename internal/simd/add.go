package simd

// Add adds x to dst. It panics unless they are equally long.
func Add(dst, x []float32) {
	if len(dst) != len(x) {
		panic("simd: Add: lengths do not match")
	}
	add(dst, x)
}

// addPortable specifies Add.
func addPortable(dst, x []float32) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] += x[i]
	}
}

// Axpy adds a·x to dst. It panics unless they are equally long.
func Axpy(dst []float32, a float32, x []float32) {
	if len(dst) != len(x) {
		panic("simd: Axpy: lengths do not match")
	}
	axpy(dst, a, x)
}

// axpyPortable specifies Axpy. The conversion keeps compilers from fusing the
// multiplication with the addition, which rounds differently.
func axpyPortable(dst []float32, a float32, x []float32) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] += float32(a * x[i])
	}
}
