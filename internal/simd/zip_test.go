package simd

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
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

// FuzzElements compares all levels with the portable loops, on any floats.
func FuzzElements(f *testing.F) {
	seed := make([]byte, 0, 400)
	for i, x := range odd {
		bits := math.Float32bits(x)
		seed = append(seed, byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24), byte(i), 1, 2, 63)
	}
	f.Add(seed, uint8(0))
	f.Add(append(seed, seed...), uint8(7))
	f.Add(seed[:4], uint8(255))
	f.Fuzz(func(t *testing.T, data []byte, choice uint8) {
		all := make([]float32, len(data)/4)
		for i := range all {
			all[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
		n, offset := len(all)/2, int(choice%16)
		if n == 0 {
			return
		}
		f := form(choice) % bothScalars
		x, y := all[:n], all[n:2*n]
		if f == leftScalar {
			x = x[:1]
		}
		if f == rightScalar {
			y = y[:1]
		}
		want, wantMask, mask := make([]float32, n), make([]bool, n), make([]bool, n)
		for _, l := range levels() {
			setLevel(t, l)
			dst, check := guarded(t, n, offset)
			for op := range mapOps {
				Map(op, dst, all[:n])
				check()
				for i, got := range dst {
					if exact := mapFunctions[op](float64(all[i])); !(ulps(got, exact) <= tolerance(op)) {
						t.Fatalf("%v(%v) = %v, want %v", op, all[i], got, exact)
					}
				}
			}
			for op := range zipOps {
				zipPortable(op, f, want, x, y)
				Zip(op, dst, x, y)
				check()
				equalFloats(t, dst, want)
			}
			for op := range compareOps {
				comparePortable(op, f, wantMask, x, y)
				Compare(op, mask, x, y)
				if !slices.Equal(mask, wantMask) {
					t.Fatalf("%v, %v: %v, want %v", op, f, mask, wantMask)
				}
				selectPortable(f, want, mask, x, y)
				Select(dst, mask, x, y)
				check()
				equalFloats(t, dst, want)
			}
			if got, want := ArgMax(all), argOf(all, func(a, b float32) bool { return a > b }); got != want {
				t.Fatalf("argmax %d, want %d", got, want)
			}
			if got, want := ArgMin(all), argOf(all, func(a, b float32) bool { return a < b }); got != want {
				t.Fatalf("argmin %d, want %d", got, want)
			}
		}
	})
}
