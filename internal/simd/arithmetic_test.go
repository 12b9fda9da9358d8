package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// lengths are those of the conformance tests: all short ones, and some long.
func lengths() []int {
	list := []int{255, 256, 257, 300, 384, 511, 768, 1000, 1023, 1024, 4099}
	for n := range 201 {
		list = append(list, n)
	}
	return list
}

// changers are the kernels that change dst float by float. Each level gives
// the same bits.
var changers = []struct {
	name     string
	run      func(dst []float32, a float32, x []float32)
	portable func(dst []float32, a float32, x []float32)
	exact    func(dst, a, x float64) float64
}{
	{
		"Add",
		func(dst []float32, _ float32, x []float32) { Add(dst, x) },
		func(dst []float32, _ float32, x []float32) { addPortable(dst, x) },
		func(dst, _, x float64) float64 { return dst + x },
	},
	{"Axpy", Axpy, axpyPortable, func(dst, a, x float64) float64 { return dst + a*x }},
}

// TestChangers compares with float64, to the rounding of two operations, and
// with the portable loops, to the bit.
func TestChangers(t *testing.T) {
	for _, k := range changers {
		t.Run(k.name, func(t *testing.T) {
			atLevels(t, func(t *testing.T) {
				r := random(3)
				for _, n := range lengths() {
					for _, offset := range []int{0, 1, 7, 15} {
						a := r.Float32()*4 - 2
						x := misaligned(r, n, (offset*3)%16)
						before := misaligned(r, n, 0)
						dst, check := guarded(t, n, offset)
						copy(dst, before)
						k.run(dst, a, x)
						check()
						for i := range dst {
							want := k.exact(float64(before[i]), float64(a), float64(x[i]))
							scale := math.Abs(want) + math.Abs(float64(before[i]))
							if math.Abs(float64(dst[i])-want) > 0x1p-23*scale {
								t.Fatalf("n=%d: dst[%d] = %v, want %v", n, i, dst[i], want)
							}
						}
						k.portable(before, a, x)
						equalBits(t, dst, before)
					}
				}
			})
		})
	}
}

// reducers are the kernels that add up terms in an order of their own.
var reducers = []struct {
	name string
	run  func(a, b []float32) float32
	term func(a, b float64) float64
}{
	{"Dot", Dot, func(a, b float64) float64 { return a * b }},
	{"SquaredDistance", SquaredDistance, func(a, b float64) float64 { return (a - b) * (a - b) }},
	{"MatVec", dotByMatVec, func(a, b float64) float64 { return a * b }},
}

// dotByMatVec is a row of the four that a matrix of five rows has done together.
func dotByMatVec(a, b []float32) float32 {
	H := make([]float32, 0, 5*len(a))
	for range 5 {
		H = append(H, a...)
	}
	var dst [5]float32
	MatVec(dst[:], H, b)
	return dst[2]
}

// within tells whether got is the sum of the terms to the tolerance the
// package states. A term may itself be a square of a rounded difference.
func within(got float32, a, b []float32, term func(a, b float64) float64) (want float64, ok bool) {
	var magnitude float64
	for i := range a {
		x := term(float64(a[i]), float64(b[i]))
		want += x
		magnitude += math.Abs(x)
	}
	return want, math.Abs(float64(got)-want) <= float64(len(a)+4)*0x1p-24*magnitude
}

func TestReducers(t *testing.T) {
	for _, k := range reducers {
		t.Run(k.name, func(t *testing.T) {
			atLevels(t, func(t *testing.T) {
				r := random(4)
				for _, n := range lengths() {
					for _, offset := range []int{0, 1, 7, 15} {
						a, b := misaligned(r, n, offset), misaligned(r, n, (offset*5)%16)
						got := k.run(a, b)
						if want, ok := within(got, a, b, k.term); !ok {
							t.Fatalf("n=%d: %v, want %v", n, got, want)
						}
					}
				}
			})
		})
	}
}

func TestMatVec(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := random(5)
		for rows := range 14 {
			for _, columns := range lengths() {
				if columns > 300 && rows > 5 {
					continue
				}
				offset := (rows + columns) % 16
				H, x := misaligned(r, rows*columns, offset), misaligned(r, columns, (offset*7)%16)
				dst, check := guarded(t, rows, offset)
				MatVec(dst, H, x)
				check()
				for i, got := range dst {
					want, ok := within(got, H[i*columns:][:columns], x, func(a, b float64) float64 { return a * b })
					if !ok {
						t.Fatalf("%d×%d: dst[%d] = %v, want %v", rows, columns, i, got, want)
					}
				}
			}
		}
	})
}

func TestPrefetch(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		PrefetchRows(nil, 20, nil)
		PrefetchRows(nil, 20, []int{0, 1 << 20, -1})
		PrefetchRows(make([]byte, 40), 20, []int{0, 1})
	})
}

// floats reads x, with those that are not finite or so large or small that the
// tolerances do not hold made ordinary.
func floats(data []byte) []float32 {
	x := make([]float32, len(data)/4)
	for i := range x {
		bits := uint32(data[4*i]) | uint32(data[4*i+1])<<8 | uint32(data[4*i+2])<<16 | uint32(data[4*i+3])<<24
		x[i] = math.Float32frombits(bits)
		if m := math.Abs(float64(x[i])); !(m > 1e-10 && m < 1e10) {
			x[i] = float32(int8(bits))
		}
	}
	return x
}

func FuzzArithmetic(f *testing.F) {
	seed := func(n int) []byte {
		r := rand.New(rand.NewPCG(uint64(n), 9))
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	for _, n := range []int{0, 4, 60, 64, 68, 400, 1200} {
		f.Add(seed(2*n), float32(0.3), uint8(n))
	}
	f.Fuzz(func(t *testing.T, data []byte, a float32, offset uint8) {
		all := floats(data)
		n := len(all) / 2
		shift := func(x []float32) []float32 {
			y := AlignedFloats(n + 16)[offset%16:][:n]
			copy(y, x)
			return y
		}
		x, y := shift(all[:n]), shift(all[n:2*n])
		if !(math.Abs(float64(a)) < 1e10) {
			a = 1
		}
		for _, l := range levels() {
			setLevel(t, l)
			for _, k := range changers {
				want := append([]float32(nil), y...)
				k.portable(want, a, x)
				dst, check := guarded(t, n, int(offset%16))
				copy(dst, y)
				k.run(dst, a, x)
				check()
				equalBits(t, dst, want)
			}
			for _, k := range reducers {
				got := k.run(x, y)
				if want, ok := within(got, x, y, k.term); !ok {
					t.Fatalf("%s at %v: %v, want %v", k.name, l, got, want)
				}
			}
		}
	})
}

func BenchmarkArithmetic(b *testing.B) {
	var sink float32
	for _, n := range []int{16, 100, 300, 1024} {
		x, y := misaligned(random(1), n, 0), misaligned(random(2), n, 0)
		for _, k := range []struct {
			name  string
			bytes int
			run   func()
		}{
			{"Add", 8, func() { Add(y, x) }},
			{"Axpy", 8, func() { Axpy(y, 1e-3, x) }},
			{"Dot", 8, func() { sink += Dot(y, x) }},
			{"SquaredDistance", 8, func() { sink += SquaredDistance(y, x) }},
		} {
			for _, l := range levels() {
				b.Run(fmt.Sprintf("%s/n=%d/%v", k.name, n, l), func(b *testing.B) {
					setLevel(b, l)
					b.SetBytes(int64(k.bytes * n))
					for b.Loop() {
						k.run()
					}
				})
			}
		}
	}
}

// TestMatVecs compares with MatVec, to the bit, for matrices of one part and of
// several.
func TestMatVecs(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := random(6)
		for _, shape := range [][2]int{{0, 3}, {3, 0}, {1, 1}, {7, 5}, {64, 64}, {66, 65}, {130, 100}, {9, 1023}, {11, 5000}} {
			for _, n := range []int{1, 2, 5} {
				rows, columns := shape[0], shape[1]
				H, x := misaligned(r, rows*columns, n), misaligned(r, n*columns, 3)
				dst, check := guarded(t, n*rows, n)
				MatVecs(dst, H, x, n)
				check()
				want := make([]float32, rows)
				for i := range n {
					MatVec(want, H, x[i*columns:][:columns])
					equalBits(t, dst[i*rows:][:rows], want)
				}
			}
		}
	})
}

func BenchmarkMatVecs(b *testing.B) {
	const n = 32
	for _, shape := range [][2]int{{650, 300}, {800, 200}} {
		rows, columns := shape[0], shape[1]
		H, x := misaligned(random(1), rows*columns, 0), misaligned(random(2), n*columns, 0)
		dst := make([]float32, n*rows)
		for _, l := range levels() {
			b.Run(fmt.Sprintf("%d×%d/%v", rows, columns, l), func(b *testing.B) {
				setLevel(b, l)
				for b.Loop() {
					MatVecs(dst, H, x, n)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/vector")
			})
		}
	}
}

func BenchmarkMatVec(b *testing.B) {
	for _, n := range []int{64, 100, 300} {
		H, x := misaligned(random(1), n*n, 0), misaligned(random(2), n, 0)
		dst := make([]float32, n)
		for _, l := range levels() {
			b.Run(fmt.Sprintf("%d×%d/%v", n, n, l), func(b *testing.B) {
				setLevel(b, l)
				b.SetBytes(int64(4 * n * n))
				for b.Loop() {
					MatVec(dst, H, x)
				}
			})
		}
	}
}
