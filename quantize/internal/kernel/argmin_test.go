package kernel

import (
	"math"
	"testing"
)

func TestArgmin(t *testing.T) {
	inf := float32(math.Inf(1))
	atLevels(t, func(t *testing.T) {
		r := random(1)
		for _, ways := range []int{16, 32, 48, 256, 4096} {
			for rows := range 5 {
				for _, levels := range []int{1, 3, 1 << 20} { // few levels make ties
					ld := ways + r.IntN(4)
					scores, bias := make([]float32, rows*ld+ways), make([]float32, ways)
					for i := range scores {
						scores[i] = float32(r.IntN(levels))
					}
					for k := range bias {
						if k > ways/2 && k%3 == 0 {
							bias[k] = inf
						}
					}
					got, want := make([]int32, rows+1), make([]int32, rows)
					got[rows] = 77
					Argmin(got[:rows], scores, ld, bias)
					argminPortable(want, scores, ld, bias)
					for i := range want {
						if got[i] != want[i] {
							t.Fatalf("ways %d, row %d: %d, want %d", ways, i, got[i], want[i])
						}
					}
					if got[rows] != 77 {
						t.Fatal("Argmin wrote past dst")
					}
				}
			}
		}
		all := []float32{inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf}
		got := []int32{5}
		if Argmin(got, make([]float32, 16), 16, all); got[0] != 0 {
			t.Errorf("of infinite scores %d is smallest, want 0", got[0])
		}
	})
}

func BenchmarkArgmin(b *testing.B) {
	for _, l := range levels() {
		b.Run("level="+string(l)+"/ways=32", func(b *testing.B) {
			setLevel(b, l)
			r := random(3)
			scores, bias, dst := uniform(r, 64*32), uniform(r, 32), make([]int32, 64)
			for b.Loop() {
				Argmin(dst, scores, 32, bias)
			}
		})
	}
}
