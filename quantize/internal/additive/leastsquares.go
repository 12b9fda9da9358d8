package additive

import (
	"context"

	"github.com/kdcode/kdcode/internal/simd"
)

// solvable is the largest K·D whose normal equations are solved by Cholesky's
// method; the matrix of larger ones is not even made.
const solvable = 4096

// ridge holds code embeddings where they are, as if each had that share of the
// mean number of rows there: it makes the equations definite. (A constant may
// move from one digit to another without changing any vector.) Since it is the
// change of W that is solved for, repeated rounds are not biased by it.
const ridge = 1e-3

// normal is the normal equations of a change of W: for codes as a matrix B,
// [N, K·D], of zeros and ones, and weights w,
//
//	(Bᵀ·w·B + ridge) · ΔW = Bᵀ·w·R
type normal struct {
	*book
	A      []float32 // [K·D, K·D] the lower triangle of Bᵀ·w·B
	Y      []float32 // [K·D, stride] Bᵀ·w·R
	weight float64   // Σ w
	error  float64   // Σ w‖r‖²
}

func newNormal(b *book) *normal {
	n := b.K * b.D
	return &normal{book: b, A: simd.AlignedFloats(n * n), Y: simd.AlignedFloats(n * b.stride)}
}

func (e *normal) reset() {
	clear(e.A)
	clear(e.Y)
	e.weight, e.error = 0, 0
}

// add adds rows with their codes and residuals.
func (e *normal) add(ctx context.Context, p pool, r *rows) error {
	total, weight := r.error(ctx, p, e.stride)
	e.error += total
	e.weight += weight
	return p.each(ctx, e.D, 1, func(_, j, _ int) {
		n := e.K * e.D
		for i := range r.n {
			code, w := r.code(i, e.D), r.weights[i]
			at := j*e.K + int(code[j])
			counts := e.A[at*n:][:n]
			for q, k := range code[:j+1] {
				counts[q*e.K+int(k)] += w
			}
			y := e.Y[at*e.stride:][:e.stride]
			if w == 1 {
				simd.Add(y, r.rest(i, e.stride))
			} else {
				simd.Axpy(y, w, r.rest(i, e.stride))
			}
		}
	})
}

// solve adds the solution to W and returns the error that is left, Σ w‖r‖².
// It overwrites the equations.
func (e *normal) solve(ctx context.Context, p pool) (float64, error) {
	n := e.K * e.D
	hold := float32(ridge*e.weight/float64(e.K)) + 1e-30
	for i := range n {
		e.A[i*n+i] += hold
	}
	y := append([]float32(nil), e.Y...)
	if err := cholesky(ctx, p, e.A, n, hold); err != nil {
		return 0, err
	}
	if err := e.substitute(ctx, p); err != nil {
		return 0, err
	}
	// With A·x = y, Σ w‖r − Bx‖² = Σ w‖r‖² − ⟨x, y⟩ − hold·‖x‖².
	left := e.error
	for i := range n {
		x, y := e.Y[i*e.stride:][:e.stride], y[i*e.stride:][:e.stride]
		left -= float64(simd.Dot(x, y)) + float64(hold)*float64(simd.Dot(x, x))
	}
	simd.Add(e.W, e.Y)
	return max(0, left), nil
}

// error returns Σ w‖r‖² of the residuals, and Σ w.
func (r *rows) error(ctx context.Context, p pool, stride int) (total, weight float64) {
	const grain = 1024
	parts := make([][2]float64, (r.n+grain-1)/grain)
	p.each(ctx, r.n, grain, func(_, first, last int) {
		part := &parts[first/grain]
		for i := first; i < last; i++ {
			w, x := float64(r.weights[i]), r.rest(i, stride)
			part[0] += w * float64(simd.Dot(x, x))
			part[1] += w
		}
	})
	for _, part := range parts {
		total += part[0]
		weight += part[1]
	}
	return total, weight
}

// fit sets W to the least squares solution for the codes, and the residuals to
// what that leaves.
func (l *learner) fit(ctx context.Context) error {
	if l.K*l.D > solvable {
		if err := l.descend(ctx); err != nil {
			return err
		}
	} else {
		if l.normal == nil {
			l.normal = newNormal(l.book)
		}
		l.normal.reset()
		if err := l.normal.add(ctx, l.pool, l.rows); err != nil {
			return err
		}
		if _, err := l.normal.solve(ctx, l.pool); err != nil {
			return err
		}
	}
	return l.residuals(ctx)
}

// residuals computes R from the codes.
func (l *learner) residuals(ctx context.Context) error {
	return l.each(ctx, l.n, blockRows, func(worker, first, last int) {
		sum := l.sums[worker]
		for i := first; i < last; i++ {
			l.residual(l.rest(i, l.stride), l.x(i, l.stride), sum, l.code(i, l.D))
		}
	})
}
