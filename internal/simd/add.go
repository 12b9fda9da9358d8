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

// AddInt8 adds scale·x to dst: a quantized row to a vector. It panics unless
// they are equally long.
func AddInt8(dst []float32, scale float32, x []int8) {
	if len(dst) != len(x) {
		panic("simd: AddInt8: lengths do not match")
	}
	addInt8(dst, scale, x)
}

// addInt8Portable specifies AddInt8. The conversion is there for the same
// reason as in Axpy.
func addInt8Portable(dst []float32, scale float32, x []int8) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] += float32(scale * float32(x[i]))
	}
}
