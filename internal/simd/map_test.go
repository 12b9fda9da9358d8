package simd

import (
	"fmt"
	"math"
	"testing"
)

// exactMap tells whether an op returns the same bits at every level.
func exactMap(op MapOp) bool {
	return op == MapSqrt || op == MapReciprocal || op >= MapNeg
}

var mapNames = [mapOps]string{"Exp", "Expm1", "Log", "Log1p", "Tanh", "Logistic", "Sqrt", "Rsqrt", "Reciprocal", "Neg", "Abs", "Sign", "Floor", "Ceil", "Round"}

func (op MapOp) String() string { return mapNames[op] }

// tolerance returns that of Map's documentation, in units of the last place.
func tolerance(op MapOp) float64 {
	if op == MapTanh || op == MapLogistic {
		return 3
	}
	return 2
}

// everyFloat are floats of all exponents and signs, and the special ones.
func everyFloat(step uint32) []float32 {
	x := []float32{0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
		math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32,
		0x1p-126, -0x1p-126, 1, -1, 0.5, -0.5, 1.5, 2.5, 88.72283, 88.72284, -87.33655, -103.97, -104, -0.99999994, 0.99999994}
	for bits := uint64(0); bits < 1<<32; bits += uint64(step) {
		x = append(x, math.Float32frombits(uint32(bits)))
	}
	return x
}

// ulps returns how far got is from want, in units of the last place of the
// float32 next to want.
func ulps(got float32, want float64) float64 {
	rounded := float32(want)
	if math.IsNaN(want) && got != got || rounded == got {
		return 0
	}
	if math.IsInf(float64(rounded), 0) {
		rounded = math.MaxFloat32 // what is next to it is as good, almost
	}
	_, exponent := math.Frexp(float64(rounded))
	unit := math.Ldexp(1, max(exponent-24, -149))
	return math.Abs(float64(got)-want) / unit
}

// TestMap compares with float64 over all exponents.
func TestMap(t *testing.T) {
	step := uint32(4999)
	if testing.Short() {
		step = 99991
	}
	x := everyFloat(step)
	for op := range mapOps {
		t.Run(op.String(), func(t *testing.T) {
			portable := make([]float32, len(x))
			mapPortable(op, portable, x)
			atLevels(t, func(t *testing.T) {
				got := make([]float32, len(x))
				Map(op, got, x)
				worst, at := 0.0, 0
				for i := range x {
					want := mapFunctions[op](float64(x[i]))
					d := ulps(got[i], want)
					if !(d <= worst) {
						worst, at = d, i
					}
					if exactMap(op) && math.Float32bits(got[i]) != math.Float32bits(portable[i]) && want == want {
						t.Fatalf("%v(%v) = %v, want %v", op, x[i], got[i], portable[i])
					}
					if want == 0 && math.Signbit(float64(got[i])) != math.Signbit(want) {
						t.Fatalf("%v(%v) = %v, want %v", op, x[i], got[i], want)
					}
				}
				if !(worst <= tolerance(op)) {
					t.Errorf("%v(%v) = %v, want %v: %v units of the last place", op, x[at], got[at], mapFunctions[op](float64(x[at])), worst)
				}
				t.Logf("%.2f units of the last place at %v", worst, x[at])
			})
		})
	}
}

func BenchmarkMap(b *testing.B) {
	const n = 2048 // in L1, with dst
	x := misaligned(random(1), n, 0)
	dst := make([]float32, n)
	for op := range mapOps {
		for _, l := range levels() {
			b.Run(fmt.Sprintf("%v/n=%d/%v", op, n, l), func(b *testing.B) {
				setLevel(b, l)
				b.SetBytes(8 * n)
				for b.Loop() {
					Map(op, dst, x)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/float")
			})
		}
	}
}
