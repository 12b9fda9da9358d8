package simd

// The conversions here are Go's: dst[i] = float32(x[i]), the same bits at every
// level. They panic unless dst and x are equally long.

// FromInt32 converts integers to floats, rounding to the nearest.
func FromInt32(dst []float32, x []int32) {
	fit(len(dst), len(x))
	convertRest(dst, x, fromInt32(dst, x))
}

// FromUint32 converts integers to floats, rounding to the nearest.
func FromUint32(dst []float32, x []uint32) {
	fit(len(dst), len(x))
	convertRest(dst, x, fromUint32(dst, x))
}

// FromInt64 converts integers to floats, rounding to the nearest.
func FromInt64(dst []float32, x []int64) {
	fit(len(dst), len(x))
	convertRest(dst, x, fromInt64(dst, x))
}

// FromBool sets dst to 1 where x is true, and to 0 elsewhere.
func FromBool(dst []float32, x []bool) {
	fit(len(dst), len(x))
	done := fromBool(dst, x)
	dst = dst[done:]
	for i, b := range x[done:] {
		dst[i] = 0
		if b {
			dst[i] = 1
		}
	}
}

func fit(n, m int) {
	if n != m {
		panic("simd: conversion: lengths do not match")
	}
}

// convertRest specifies the conversions; the first elements are done.
func convertRest[From int32 | uint32 | int64](dst []float32, x []From, done int) {
	dst = dst[done:]
	for i, v := range x[done:] {
		dst[i] = float32(v)
	}
}
