package additive

import (
	"context"
	"math"

	"github.com/kdcode/kdcode/internal/simd"
	"github.com/kdcode/kdcode/quantize/internal/kernel"
)

// tile is the width of the blocks of a factorization.
const tile = 64

// cholesky factors the lower triangle of A, [n, n], into L·Lᵀ. L takes its
// place, and Lᵀ that of the upper triangle. Pivots below the floor, which only
// rounding makes, are raised to it.
func cholesky(ctx context.Context, p pool, A []float32, n int, floor float32) error {
	inverse, across := simd.AlignedFloats(tile*tile), simd.AlignedFloats(tile*tile)
	panels := simd.AlignedFloats(kernel.Panels(n) * kernel.Panel * tile)
	below := make([][]float32, p.threads)
	for w := range below {
		below[w] = simd.AlignedFloats(kernel.Panel * tile)
	}
	for b := 0; b < n; b += tile {
		m := min(tile, n-b)
		factor(A[b*n+b:], n, m, floor)
		invert(inverse, A[b*n+b:], n, m)
		kernel.Pack(across, inverse, m, m, tile)
		rest := b + m
		// The blocks below: L21 = A21·L11⁻ᵀ.
		err := p.each(ctx, n-rest, kernel.Panel, func(worker, first, last int) {
			rows, tmp := last-first, below[worker]
			kernel.MatMul(tmp, tile, A[(rest+first)*n+b:], n, rows, across[:kernel.Panels(m)*kernel.Panel*m], m, 1, false)
			for i := range rows {
				copy(A[(rest+first+i)*n+b:][:m], tmp[i*tile:][:m])
			}
			panel := panels[first/kernel.Panel*kernel.Panel*m:][:kernel.Panel*m]
			kernel.Pack(panel, A[(rest+first)*n+b:], rows, m, n)
		})
		if err != nil {
			return err
		}
		// The triangle that is left: A22 −= L21·L21ᵀ.
		err = p.each(ctx, n-rest, kernel.Panel, func(worker, first, last int) {
			subtractLower(A[rest*n+rest:], n, A[rest*n+b:], first, last, panels, m, below[worker])
		})
		if err != nil {
			return err
		}
	}
	return mirror(ctx, p, A, n)
}

// subtractLower subtracts rows first to last-1 of L·Lᵀ from those of A, up to
// the diagonal. The last panel may reach beyond the matrix: it goes through tmp.
func subtractLower(A []float32, n int, L []float32, first, last int, panels []float32, m int, tmp []float32) {
	whole := first / kernel.Panel
	kernel.MatMul(A[first*n:], n, L[first*n:], n, last-first, panels[:whole*kernel.Panel*m], m, -1, true)
	kernel.MatMul(tmp, kernel.Panel, L[first*n:], n, last-first, panels[whole*kernel.Panel*m:][:kernel.Panel*m], m, -1, false)
	for i := first; i < last; i++ {
		simd.Add(A[i*n+first:][:i-first+1], tmp[(i-first)*kernel.Panel:][:i-first+1])
	}
}

// factor is Cholesky's method on a block of m rows, in float64.
func factor(A []float32, n, m int, floor float32) {
	var L [tile][tile]float64
	for i := range m {
		for j := range i + 1 {
			s := float64(A[i*n+j])
			for k := range j {
				s -= L[i][k] * L[j][k]
			}
			if i == j {
				L[i][i] = math.Sqrt(max(s, float64(floor)))
			} else {
				L[i][j] = s / L[j][j]
			}
			A[i*n+j] = float32(L[i][j])
		}
	}
}

// invert writes the inverse of the lower triangle L to dst, [tile, tile].
func invert(dst, L []float32, n, m int) {
	var X [tile][tile]float64
	for c := range m {
		for i := c; i < m; i++ {
			s := 0.0
			if i == c {
				s = 1
			}
			for k := c; k < i; k++ {
				s -= float64(L[i*n+k]) * X[k][c]
			}
			X[i][c] = s / float64(L[i*n+i])
		}
	}
	for i := range m {
		for c := range m {
			dst[i*tile+c] = float32(X[i][c])
		}
	}
}

// mirror copies the lower triangle to the upper one.
func mirror(ctx context.Context, p pool, A []float32, n int) error {
	return p.each(ctx, n, tile, func(_, first, last int) {
		for c := 0; c < last; c += tile {
			for i := first; i < last; i++ {
				for j := c; j < min(c+tile, i); j++ {
					A[j*n+i] = A[i*n+j]
				}
			}
		}
	})
}

// substitute solves L·Lᵀ·X = Y in place, for panels of columns of Y.
func (e *normal) substitute(ctx context.Context, p pool) error {
	n := e.K * e.D
	inverses := make([]float32, (n+tile-1)/tile*tile*tile)
	err := p.each(ctx, n, tile, func(_, b, last int) {
		invert(inverses[b*tile:], e.A[b*n+b:], n, last-b)
	})
	if err != nil {
		return err
	}
	return p.each(ctx, e.stride, kernel.Panel, func(_, first, last int) {
		panel, tmp := simd.AlignedFloats(n*kernel.Panel), simd.AlignedFloats(tile*kernel.Panel)
		for i := range n {
			copy(panel[i*kernel.Panel:][:kernel.Panel], e.Y[i*e.stride+first:][:last-first])
		}
		substitutePanel(panel, tmp, e.A, n, inverses)
		for i := range n {
			copy(e.Y[i*e.stride+first:][:last-first], panel[i*kernel.Panel:][:last-first])
		}
	})
}

// substitutePanel solves for one panel of 32 columns, [n, 32]: forward, then
// backward with the transposed inverses.
func substitutePanel(panel, tmp, A []float32, n int, inverses []float32) {
	const w = kernel.Panel
	transposed := simd.AlignedFloats(tile * tile)
	for b := 0; b < n; b += tile {
		m := min(tile, n-b)
		block := panel[b*w:][:m*w]
		if b > 0 {
			kernel.MatMul(block, w, A[b*n:], n, m, panel[:b*w], b, -1, true)
		}
		kernel.MatMul(tmp, w, inverses[b*tile:], tile, m, block, m, 1, false)
		copy(block, tmp[:m*w])
	}
	for b := (n - 1) / tile * tile; b >= 0; b -= tile {
		m := min(tile, n-b)
		block := panel[b*w:][:m*w]
		if after := b + m; after < n {
			kernel.MatMul(block, w, A[b*n+after:], n, m, panel[after*w:], n-after, -1, true)
		}
		for i := range m {
			for j := range m {
				transposed[j*tile+i] = inverses[b*tile+i*tile+j]
			}
		}
		kernel.MatMul(tmp, w, transposed, tile, m, block, m, 1, false)
		copy(block, tmp[:m*w])
	}
}
