package additive

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// learnerOf returns a learner of a table with random codes and W = 0.
func learnerOf(t *testing.T, m matrix, p Params) *learner {
	t.Helper()
	b := newBook(p.K, p.D, m.d)
	chosen, weights := choose(m.Len(), m.Len(), p.Weights, p.Seed)
	rows, err := load(m, b, chosen, weights)
	if err != nil {
		t.Fatal(err)
	}
	l := newLearner(b, rows, p.plan(m.Len(), m.d), p)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range l.codes {
		l.codes[i] = uint16(r.IntN(p.K))
	}
	if err := l.residuals(context.Background()); err != nil {
		t.Fatal(err)
	}
	return l
}

// TestSolve compares the change of W with that of a dense solver in float64.
func TestSolve(t *testing.T) {
	ctx := context.Background()
	for _, shape := range []struct{ n, K, D, d int }{{300, 5, 3, 7}, {900, 16, 9, 20}, {700, 13, 17, 40}, {50, 33, 4, 3}} {
		m := smooth(shape.n, shape.d, 3)
		l := learnerOf(t, m, Params{K: shape.K, D: shape.D, Weights: rising(shape.n)})
		want := denseChange(l)
		e := newNormal(l.book)
		if err := e.add(ctx, l.pool, l.rows); err != nil {
			t.Fatal(err)
		}
		left, err := e.solve(ctx, l.pool)
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for i := range l.K * l.D {
			for c := range l.d {
				worst = max(worst, math.Abs(float64(l.W[i*l.stride+c])-want[i*l.d+c]))
			}
		}
		if worst > 1e-3 {
			t.Errorf("%+v: a code embedding is %v from that of the dense solver", shape, worst)
		}
		if err := l.residuals(ctx); err != nil {
			t.Fatal(err)
		}
		if total, _ := l.error(ctx, l.pool, l.stride); math.Abs(left-total) > 1e-4*total+1e-5 {
			t.Errorf("%+v: the error left is said to be %v, and is %v", shape, left, total)
		}
	}
}

// denseChange solves (Bᵀ·w·B + ridge)·ΔW = Bᵀ·w·R by elimination.
func denseChange(l *learner) []float64 {
	n := l.K * l.D
	a, y := make([]float64, n*n), make([]float64, n*l.d)
	total := 0.0
	for i := range l.n {
		w := float64(l.weights[i])
		total += w
		for j, c := range l.code(i, l.D) {
			at := j*l.K + int(c)
			for q, k := range l.code(i, l.D) {
				a[at*n+q*l.K+int(k)] += w
			}
			for t := range l.d {
				y[at*l.d+t] += w * float64(l.R[i*l.stride+t])
			}
		}
	}
	for i := range n {
		a[i*n+i] += ridge * total / float64(l.K)
	}
	for p := range n {
		for i := p + 1; i < n; i++ {
			f := a[i*n+p] / a[p*n+p]
			for c := p; c < n; c++ {
				a[i*n+c] -= f * a[p*n+c]
			}
			for t := range l.d {
				y[i*l.d+t] -= f * y[p*l.d+t]
			}
		}
	}
	for i := n - 1; i >= 0; i-- {
		for t := range l.d {
			for c := i + 1; c < n; c++ {
				y[i*l.d+t] -= a[i*n+c] * y[c*l.d+t]
			}
			y[i*l.d+t] /= a[i*n+i]
		}
	}
	return y
}

// TestFit asserts that fits for the same codes make the error smaller, or as
// small, until nothing is left to gain: what is left over has mean 0 wherever a
// digit has a value.
func TestFit(t *testing.T) {
	ctx := context.Background()
	for _, p := range []Params{{K: 8, D: 6}, {K: 1400, D: 3}} { // by normal equations, by descent
		l := learnerOf(t, smooth(800, 12, 4), p)
		before := math.Inf(1)
		for range 30 {
			if err := l.fit(ctx); err != nil {
				t.Fatal(err)
			}
			total, _ := l.error(ctx, l.pool, l.stride)
			if total > before*(1+1e-5)+1e-5 {
				t.Fatalf("K %d: the error went from %v to %v", p.K, before, total)
			}
			before = total
		}
		if p.K*p.D > solvable {
			continue
		}
		e := newNormal(l.book)
		if err := e.add(ctx, l.pool, l.rows); err != nil {
			t.Fatal(err)
		}
		for i, y := range e.Y {
			if math.Abs(float64(y)) > 0.01 {
				t.Fatalf("the residuals of a value add up to %v at %d", y, i)
			}
		}
	}
}

func TestCholeskyOddSizes(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 31, 32, 33, 63, 64, 65, 100, 129, 200} {
		b := make([]float64, n*n)
		for i := range b {
			b[i] = r.NormFloat64()
		}
		a := make([]float32, n*n)
		for i := range n {
			for j := range n {
				for k := range n {
					a[i*n+j] += float32(b[i*n+k] * b[j*n+k])
				}
			}
			a[i*n+i] += float32(n)
		}
		f := append([]float32(nil), a...)
		if err := cholesky(ctx, pool{2}, f, n, 1e-6); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			for j := range i + 1 {
				s := 0.0
				for k := range j + 1 {
					s += float64(f[i*n+k]) * float64(f[j*n+k])
				}
				if math.Abs(s-float64(a[i*n+j])) > 1e-4*float64(n) {
					t.Fatalf("n %d: (L·Lᵀ)[%d, %d] = %v, want %v", n, i, j, s, a[i*n+j])
				}
				if f[j*n+i] != f[i*n+j] {
					t.Fatalf("n %d: the upper triangle is not Lᵀ at %d, %d", n, j, i)
				}
			}
		}
	}
}
