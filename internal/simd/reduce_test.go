package simd

import (
	"fmt"
	"math"
	"testing"
)

func TestSum(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := random(14)
		for _, n := range append(lengths(), sumPart, sumPart+1, 3*sumPart+17, 100_000) {
			x := misaligned(r, n, n%16)
			got := Sum(x)
			if want, ok := within(got, x, x, func(x, _ float64) float64 { return x }); !ok {
				t.Fatalf("n=%d: %v, want %v", n, got, want)
			}
		}
	})
}

// TestSumAccuracy holds that a long sum is as good as a short one.
func TestSumAccuracy(t *testing.T) {
	x := make([]float32, 5_000_000)
	for i := range x {
		x[i] = 0.1
	}
	atLevels(t, func(t *testing.T) {
		if got, want := float64(Sum(x)), 5e6*float64(float32(0.1)); math.Abs(got-want) > 1e-4*want {
			t.Errorf("%v, want %v", got, want)
		}
	})
}

// TestExtremes compares with the portable loops, with and without odd floats.
func TestExtremes(t *testing.T) {
	same := func(a, b float32) bool { return a == b || a != a && b != b }
	atLevels(t, func(t *testing.T) {
		r := random(15)
		for _, n := range lengths() {
			for round := range 4 {
				x := misaligned(r, n, n%16)
				switch round {
				case 1:
					x = oddFloats(r, n, n%16)
				case 2: // one NaN
					if n > 0 {
						x[r.IntN(n)] = float32(math.NaN())
					}
				case 3: // ties
					for i := range x {
						x[i] = float32(r.IntN(3) - 1)
					}
				}
				if got, want := Max(x), maxPortable(x); !same(got, want) {
					t.Fatalf("n=%d: max %v, want %v", n, got, want)
				}
				if got, want := Min(x), minPortable(x); !same(got, want) {
					t.Fatalf("n=%d: min %v, want %v", n, got, want)
				}
				if got, want := ArgMax(x), argOf(x, func(a, b float32) bool { return a > b }); got != want {
					t.Fatalf("n=%d: argmax %v, want %v", n, got, want)
				}
				if got, want := ArgMin(x), argOf(x, func(a, b float32) bool { return a < b }); got != want {
					t.Fatalf("n=%d: argmin %v, want %v", n, got, want)
				}
			}
		}
	})
}

// argOf is how GoMLX's Go backend finds the place of the best float.
func argOf(x []float32, better func(a, b float32) bool) int {
	best := 0
	for i := 1; i < len(x); i++ {
		if better(x[i], x[best]) || x[i] != x[i] {
			best = i
		}
	}
	return best
}

func BenchmarkReduce(b *testing.B) {
	var sink float32
	for _, n := range []int{200, 2048, 10_000} {
		x := misaligned(random(1), n, 0)
		for _, k := range []struct {
			name string
			run  func()
		}{
			{"Sum", func() { sink += Sum(x) }},
			{"Max", func() { sink += Max(x) }},
			{"ArgMax", func() { sink += float32(ArgMax(x)) }},
		} {
			for _, l := range levels() {
				b.Run(fmt.Sprintf("%s/n=%d/%v", k.name, n, l), func(b *testing.B) {
					setLevel(b, l)
					b.SetBytes(int64(4 * n))
					for b.Loop() {
						k.run()
					}
				})
			}
		}
	}
}
