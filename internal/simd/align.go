package simd

import "unsafe"

const (
	line   = 64 // bytes of a cache line, and of the widest vector
	vector = 16 // floats of the widest vector
)

// Stride returns the number of floats from one row of d floats to the next in
// a table whose rows begin on cache lines: d rounded up to a multiple of 16.
func Stride(d int) int { return (d + vector - 1) &^ (vector - 1) }

// AlignedFloats returns n zeros that begin on a cache line.
func AlignedFloats(n int) []float32 {
	if n == 0 {
		return nil
	}
	padded := make([]float32, n+vector-1)
	past := uintptr(unsafe.Pointer(&padded[0])) % line
	skip := int((line-past)%line) / 4
	return padded[skip : skip+n : skip+n]
}
