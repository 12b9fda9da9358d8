package additive

import (
	"context"

	"github.com/kdcode/kdcode/internal/simd"
	"github.com/kdcode/kdcode/quantize/internal/kernel"
)

// sweeper searches where K·D is too large for tables: descent, one digit at a
// time, from the codes as they are and from perturbed ones.
type sweeper struct {
	*book
	panels [][]float32 // of each digit, [Panels(K), stride, 32]
	halves [][]float32 // of each digit, [padded K]
	desks  []*desk
}

// desk is what a thread needs to sweep.
type desk struct {
	scores  []float32 // [blockRows, padded K]
	R       []float32 // [blockRows, stride]
	nearest []int32   // [blockRows]
	codes   []uint16  // [blockRows, D]
}

func newSweeper(b *book, threads int) *sweeper {
	s := &sweeper{book: b}
	columns := kernel.Panels(b.K) * kernel.Panel
	for range b.D {
		s.panels = append(s.panels, simd.AlignedFloats(columns*b.stride))
		s.halves = append(s.halves, make([]float32, columns))
	}
	for range threads {
		s.desks = append(s.desks, &desk{
			scores: simd.AlignedFloats(blockRows * columns), R: simd.AlignedFloats(blockRows * b.stride),
			nearest: make([]int32, blockRows), codes: make([]uint16, blockRows*b.D),
		})
	}
	return s
}

// update packs W.
func (s *sweeper) update(ctx context.Context, p pool) error {
	return p.each(ctx, s.D, 1, func(_, j, _ int) {
		packed(s.digit(j), s.K, s.stride, s.panels[j], s.halves[j])
	})
}

// greedy sets codes digit after digit, each to what leaves least over, and the
// residuals.
func (s *sweeper) greedy(ctx context.Context, p pool, r *rows) error {
	copy(r.R, r.X)
	return p.each(ctx, r.n, blockRows, func(worker, first, last int) {
		d := s.desks[worker]
		for j := range s.D {
			s.nearest(d, j, r.R[first*s.stride:], last-first)
			for i := first; i < last; i++ {
				k := d.nearest[i-first]
				r.codes[i*s.D+j] = uint16(k)
				simd.Axpy(r.rest(i, s.stride), -1, s.of(j, int(k)))
			}
		}
	})
}

func (s *sweeper) nearest(d *desk, j int, R []float32, rows int) {
	columns := len(s.halves[j])
	kernel.MatMul(d.scores, columns, R, s.stride, rows, s.panels[j], s.stride, -1, false)
	kernel.Argmin(d.nearest[:rows], d.scores, columns, s.halves[j])
}

// search descends once from the codes that r has, then from perturbed ones, and
// keeps what is better. A sweep over all digits counts as so many steps.
func (s *sweeper) search(ctx context.Context, p pool, r *rows, steps int, place random) error {
	const stepsOfSweep = 100
	tries := max(1, steps/stepsOfSweep)
	if s.D == 1 {
		tries = 1 // the nearest is the best there is
	}
	return p.each(ctx, r.n, blockRows, func(worker, first, last int) {
		d := s.desks[worker]
		for try := range tries {
			if ctx.Err() != nil {
				return
			}
			copy(d.R, r.R[first*s.stride:last*s.stride])
			copy(d.codes, r.codes[first*s.D:last*s.D])
			if try > 0 {
				s.perturb(d, last-first, randomOf(uint64(place), uint64(first), uint64(try)))
			}
			for j := range s.D {
				s.sweep(d, j, last-first)
			}
			s.keep(d, r, first, last)
		}
	})
}

// perturb changes a few digits of each code.
func (s *sweeper) perturb(d *desk, rows int, r random) {
	for i := range rows {
		for range max(1, s.D/8) {
			s.change(d, i, r.below(s.D), r.below(s.K))
		}
	}
}

// change sets digit j of row i.
func (s *sweeper) change(d *desk, i, j, k int) {
	R, c := d.R[i*s.stride:][:s.stride], &d.codes[i*s.D+j]
	simd.Axpy(R, 1, s.of(j, int(*c)))
	simd.Axpy(R, -1, s.of(j, k))
	*c = uint16(k)
}

// sweep sets digit j of the rows to what leaves least over.
func (s *sweeper) sweep(d *desk, j, rows int) {
	for i := range rows {
		simd.Axpy(d.R[i*s.stride:][:s.stride], 1, s.of(j, int(d.codes[i*s.D+j])))
	}
	s.nearest(d, j, d.R, rows)
	for i := range rows {
		k := d.nearest[i]
		simd.Axpy(d.R[i*s.stride:][:s.stride], -1, s.of(j, int(k)))
		d.codes[i*s.D+j] = uint16(k)
	}
}

// keep takes over the codes that are better.
func (s *sweeper) keep(d *desk, r *rows, first, last int) {
	sum, left := d.scores[:s.stride], d.scores[s.stride:][:s.stride]
	if len(d.scores) < 2*s.stride {
		sum, left = make([]float32, s.stride), make([]float32, s.stride)
	}
	for i := first; i < last; i++ {
		code, old := d.codes[(i-first)*s.D:][:s.D], r.rest(i, s.stride)
		if s.residual(left, r.x(i, s.stride), sum, code) < simd.Dot(old, old) {
			copy(r.code(i, s.D), code)
			copy(old, left)
		}
	}
}
