package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

var (
	zipNames     = [zipOps]string{"Add", "Sub", "Mul", "Div", "Max", "Min"}
	compareNames = [compareOps]string{"Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual"}
	formNames    = [noForm]string{"both vectors", "right scalar", "left scalar", "both scalars"}
)

func (op ZipOp) String() string     { return zipNames[op] }
func (op CompareOp) String() string { return compareNames[op] }
func (f form) String() string       { return formNames[f] }

// odd are floats with which comparisons go wrong.
var odd = []float32{0, float32(math.Copysign(0, -1)), float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1, -1, math.SmallestNonzeroFloat32}

// oddFloats returns n floats of which every other one is odd, misaligned.
func oddFloats(r *rand.Rand, n, offset int) []float32 {
	x := misaligned(r, n, offset)
	for i := range x {
		if r.IntN(2) == 0 {
			x[i] = odd[r.IntN(len(odd))]
		}
	}
	return x
}

// inForm returns two operands for n floats.
func inForm(r *rand.Rand, f form, n, offset int) (x, y []float32) {
	nx, ny := n, n
	if f == leftScalar || f == bothScalars {
		nx = 1
	}
	if f == rightScalar || f == bothScalars {
		ny = 1
	}
	return oddFloats(r, nx, offset*3%16), oddFloats(r, ny, offset*7%16)
}

// equalFloats is equalBits for results that may be NaN, of any kind.
func equalFloats(tb testing.TB, got, want []float32) {
	tb.Helper()
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) && !(got[i] != got[i] && want[i] != want[i]) {
			tb.Fatalf("[%d] = %v, want %v", i, got[i], want[i])
		}
	}
}

func TestZip(t *testing.T) {
	for op := range zipOps {
		t.Run(op.String(), func(t *testing.T) {
			atLevels(t, func(t *testing.T) {
				r := random(11)
				for f := range bothScalars {
					for _, n := range lengths() {
						offset := n % 16
						x, y := inForm(r, f, n, offset)
						want := make([]float32, n)
						zipPortable(op, f, want, x, y)
						dst, check := guarded(t, n, offset)
						Zip(op, dst, x, y)
						check()
						equalFloats(t, dst, want)
						if f == bothVectors || f == rightScalar {
							Zip(op, x, x, y)
							equalFloats(t, x, want)
						} else {
							Zip(op, y, x, y)
							equalFloats(t, y, want)
						}
					}
				}
			})
		})
	}
}

func TestCompare(t *testing.T) {
	for op := range compareOps {
		t.Run(op.String(), func(t *testing.T) {
			atLevels(t, func(t *testing.T) {
				r := random(12)
				for f := range bothScalars {
					for _, n := range lengths() {
						x, y := inForm(r, f, n, n%16)
						want := make([]bool, n)
						comparePortable(op, f, want, x, y)
						all := make([]bool, n+3)
						all[0], all[n+1], all[n+2] = true, true, true
						dst := all[1:][:n:n]
						Compare(op, dst, x, y)
						for i := range want {
							if dst[i] != want[i] {
								t.Fatalf("%v, n=%d: [%d] = %v, want %v", f, n, i, dst[i], want[i])
							}
						}
						if !all[0] || !all[n+1] || !all[n+2] {
							t.Fatalf("%v, n=%d: written outside dst", f, n)
						}
					}
				}
			})
		})
	}
}

func TestSelect(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := random(13)
		for f := range noForm {
			for _, n := range lengths() {
				x, y := inForm(r, f, n, n%16)
				mask := make([]bool, n)
				for i := range mask {
					mask[i] = r.IntN(2) == 0
				}
				want := make([]float32, n)
				selectPortable(f, want, mask, x, y)
				dst, check := guarded(t, n, n%16)
				Select(dst, mask, x, y)
				check()
				equalFloats(t, dst, want)
				if len(x) == n {
					Select(x, mask, x, y)
					equalFloats(t, x, want)
				}
			}
		}
	})
}

func BenchmarkZip(b *testing.B) {
	const n = 2048
	x, y := misaligned(random(1), n, 0), misaligned(random(2), n, 0)
	dst, mask := make([]float32, n), make([]bool, n)
	run := func(name string, f func()) {
		for _, l := range levels() {
			b.Run(fmt.Sprintf("%s/n=%d/%v", name, n, l), func(b *testing.B) {
				setLevel(b, l)
				b.SetBytes(12 * n)
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/float")
			})
		}
	}
	for op := range zipOps {
		run(op.String(), func() { Zip(op, dst, x, y) })
		run(op.String()+"Scalar", func() { Zip(op, dst, x, y[:1]) })
	}
	run("copy", func() { copy(dst, x) })
	run("Less", func() { Compare(CompareLess, mask, x, y) })
	run("Select", func() { Select(dst, mask, x, y) })
}
