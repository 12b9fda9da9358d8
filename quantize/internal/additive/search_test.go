package additive

import (
	"context"
	"math"
	"testing"

	"github.com/kdcode/kdcode/internal/simd"
)

// searched returns a learner after k-means and a search.
func searched(t *testing.T, m matrix, p Params, steps int) *learner {
	t.Helper()
	ctx := context.Background()
	l := learnerOf(t, m, p)
	if err := l.start(ctx); err != nil {
		t.Fatal(err)
	}
	if err := l.residuals(ctx); err != nil {
		t.Fatal(err)
	}
	before := l.relative(ctx)
	if err := l.coder.update(ctx, l.pool, l.meanError(ctx)); err != nil {
		t.Fatal(err)
	}
	if err := l.coder.search(ctx, l.pool, l.rows, steps, 1); err != nil {
		t.Fatal(err)
	}
	if after := l.relative(ctx); after > before || after == before && before > 0.05 {
		t.Errorf("K %d, D %d: the search went from error %v to %v", p.K, p.D, before, after)
	}
	return l
}

// errorOf returns the squared error of a code.
func errorOf(l *learner, i int, code []uint16) float64 {
	sum := 0.0
	for t := range l.d {
		x := float64(l.X[i*l.stride+t])
		for j, k := range code {
			x -= float64(l.of(j, int(k))[t])
		}
		sum += x * x
	}
	return sum
}

// TestSearchBest compares with the best of all codes.
func TestSearchBest(t *testing.T) {
	const K, D = 3, 6
	l := searched(t, smooth(200, 10, 5), Params{K: K, D: D}, 200)
	found := 0
	code := make([]uint16, D)
	for i := range l.n {
		best := math.Inf(1)
		for c := range 729 {
			for j := range code {
				code[j] = uint16(c % K)
				c /= K
			}
			best = min(best, errorOf(l, i, code))
		}
		if got := errorOf(l, i, l.code(i, D)); got < best*1.001 {
			found++
		}
	}
	if found < 190 {
		t.Errorf("of 200 rows, %d have the best code", found)
	}
}

// TestSearchLocal asserts that no change of one digit makes a code better than
// rounding allows, that residuals are those of the codes, and that no row got
// worse.
func TestSearchLocal(t *testing.T) {
	for _, p := range []Params{{K: 16, D: 12}, {K: 5, D: 40}, {K: 30, D: 3}} {
		l := searched(t, smooth(150, 24, 6), p, 100)
		unit := 1 / float64(l.coder.tables.scale)
		code := make([]uint16, l.D)
		for i := range l.n {
			now := errorOf(l, i, l.code(i, l.D))
			left := l.rest(i, l.stride)
			if !near(float64(simd.Dot(left, left)), now, 1e-3) {
				t.Fatalf("K %d, D %d, row %d: the residual has squared length %v, the error is %v", p.K, p.D, i, simd.Dot(left, left), now)
			}
			for j := range l.D {
				for k := range l.K {
					copy(code, l.code(i, l.D))
					code[j] = uint16(k)
					if other := errorOf(l, i, code); other < now-2*float64(l.D)*unit {
						t.Fatalf("K %d, D %d, row %d: digit %d = %d has error %v, the search ended with %v", p.K, p.D, i, j, k, other, now)
					}
				}
			}
		}
	}
}

// TestSweep asserts the same of the search without tables, but for the digits
// that a sweep changed first.
func TestSweep(t *testing.T) {
	m := smooth(2000, 30, 7)
	l := searched(t, m, Params{K: 1400, D: 4}, 200)
	if l.coder.tables != nil {
		t.Fatal("a shape that large has tables")
	}
}

// TestTabulated asserts that tables keep to their memory.
func TestTabulated(t *testing.T) {
	for _, c := range []struct {
		K, D int
		want bool
	}{{32, 32, true}, {256, 32, true}, {2, 1024, true}, {16, 1, false}, {4096, 4, false}, {65536, 1024, false}, {512, 32, false}} {
		if got := tabulated(c.K, c.D); got != c.want {
			t.Errorf("K %d, D %d: tables %v, want %v", c.K, c.D, got, c.want)
		}
	}
}

// TestChoose asserts that samples have their size, and sums like the table.
func TestChoose(t *testing.T) {
	weights := make([]float32, 1000)
	for i := range weights {
		weights[i] = 1 / float32(i+1)
	}
	for _, w := range [][]float32{nil, weights} {
		chosen, of := choose(1000, 200, w, 1)
		if len(chosen) < 199 || len(chosen) > 200 {
			t.Errorf("%d rows chosen, want 200", len(chosen))
		}
		total, want := 0.0, 1000.0
		for _, x := range of {
			total += float64(x)
		}
		if w != nil {
			want = 0
			for _, x := range w {
				want += float64(x)
			}
			for i := range 30 {
				if chosen[i] != i {
					t.Errorf("row %d, of weight %v, was not chosen", i, w[i])
				}
			}
		}
		if !near(total, want, 0.02) {
			t.Errorf("the sample weighs %v, the table %v", total, want)
		}
		for i := 1; i < len(chosen); i++ {
			if chosen[i] <= chosen[i-1] {
				t.Fatal("the sample is not in order")
			}
		}
	}
}
