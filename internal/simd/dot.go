package simd

// Dot returns Σ a[i]·b[i]. It panics unless they are equally long.
func Dot(a, b []float32) float32 {
	if len(a) != len(b) {
		panic("simd: Dot: lengths do not match")
	}
	return dot(a, b)
}

// SquaredDistance returns Σ (a[i]-b[i])². It panics unless they are equally
// long.
func SquaredDistance(a, b []float32) float32 {
	if len(a) != len(b) {
		panic("simd: SquaredDistance: lengths do not match")
	}
	return squaredDistance(a, b)
}

// dotPortable specifies Dot but for the order of the sum, which is in four
// parts here: one would wait for each addition.
func dotPortable(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	for len(a) >= 4 && len(b) >= 4 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	b = b[:len(a)]
	for i := range a {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// squaredDistancePortable specifies SquaredDistance, in four parts like
// dotPortable.
func squaredDistancePortable(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	for len(a) >= 4 && len(b) >= 4 {
		d0, d1, d2, d3 := a[0]-b[0], a[1]-b[1], a[2]-b[2], a[3]-b[3]
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
		a, b = a[4:], b[4:]
	}
	b = b[:len(a)]
	for i := range a {
		d := a[i] - b[i]
		s0 += d * d
	}
	return (s0 + s1) + (s2 + s3)
}
