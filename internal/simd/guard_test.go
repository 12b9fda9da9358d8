package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// guard is a float that no kernel computes; tests put it around dst.
var guard = math.Float32frombits(0x7fc0dead)

// guarded returns n floats that begin offset floats after a cache line, with
// guards before and after them, and a function that fails the test where a
// guard has changed.
func guarded(tb testing.TB, n, offset int) (dst []float32, check func()) {
	const before, after = vector, 4 * vector
	all := AlignedFloats(before + offset + n + after)
	for i := range all {
		all[i] = guard
	}
	from := before + offset
	check = func() {
		tb.Helper()
		for i, x := range all {
			if (i < from || i >= from+n) && math.Float32bits(x) != math.Float32bits(guard) {
				tb.Fatalf("dst[%d] of %d floats was written: %v", i-from, n, x)
			}
		}
	}
	return all[from : from+n : from+n], check
}

// misaligned returns n random floats that begin offset floats after a cache line.
func misaligned(r *rand.Rand, n, offset int) []float32 {
	x := AlignedFloats(offset + n)[offset:]
	for i := range x {
		x[i] = r.Float32()*2 - 1
	}
	return x
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func equalBits(tb testing.TB, got, want []float32) {
	tb.Helper()
	if len(got) != len(want) {
		tb.Fatalf("%d floats, want %d", len(got), len(want))
	}
	for i := range got {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			tb.Fatalf("[%d] = %v, want %v", i, got[i], want[i])
		}
	}
}
