package additive

import "context"

// pass encodes a whole table with code embeddings learned from a sample of it,
// fits them to all rows, and improves the codes for that.
func (l *learner) pass(ctx context.Context, src Source, p Params, chosen []int) (*Result, error) {
	codes := make([]uint16, src.Len()*l.D)
	known := make([]bool, src.Len())
	for i, row := range chosen {
		copy(codes[row*l.D:][:l.D], l.code(i, l.D))
		known[row] = true
	}
	e := &encoder{
		book: l.book, pool: l.pool, coder: l.coder, seed: l.seed, weights: p.Weights, progress: p.Progress,
		codes: codes, known: known, squared: l.meanError(ctx), passes: 1,
	}
	fitted := l.K*l.D <= solvable
	if fitted {
		if e.normal = l.normal; e.normal == nil {
			e.normal = newNormal(l.book)
		}
		e.passes = 2
	}
	l.rows = nil // the sample is no longer needed
	if err := e.encode(ctx, src, l.plan.first); err != nil {
		return nil, err
	}
	if fitted {
		for i := range known {
			known[i] = true
		}
		if err := e.encode(ctx, src, l.plan.second); err != nil {
			return nil, err
		}
	}
	return &Result{Codebook: l.codebook(), Codes: codes, Error: ratio(e.lost, e.norm)}, nil
}

// encoder encodes the rows of a Source, a chunk at a time.
type encoder struct {
	*book
	pool
	coder    *coder
	seed     uint64
	weights  []float32 // [N] or nil
	progress func(Progress)

	codes   []uint16 // [N, D]
	known   []bool   // [N] rows whose codes are there to improve on
	squared float64  // the mean squared error to expect
	normal  *normal  // nil: code embeddings stay as they are

	done, passes int
	lost, norm   float64
}

// encode goes through the table once. With normal equations it then fits code
// embeddings to the codes.
func (e *encoder) encode(ctx context.Context, src Source, steps int) error {
	if err := e.coder.sweeper.update(ctx, e.pool); err != nil {
		return err
	}
	if err := e.coder.update(ctx, e.pool, e.squared); err != nil {
		return err
	}
	if e.normal != nil {
		e.normal.reset()
	}
	e.lost, e.norm = 0, 0
	place := randomOf(e.seed, 'e', uint64(e.done))
	var weight float64
	var chunk *rows
	err := EachChunk(src, func(first int, vectors []float32) error {
		if chunk == nil {
			chunk = newRows(len(vectors)/e.d, e.book)
		}
		r := chunk.slice(0, len(vectors)/e.d, e.book)
		e.fill(r, first, vectors)
		if err := e.improve(ctx, r, first, steps, random(uint64(place)+uint64(first))); err != nil {
			return err
		}
		lost, w := r.error(ctx, e.pool, e.stride)
		e.lost += lost
		weight += w
		e.report(first+r.n, src.Len())
		if e.normal != nil {
			return e.normal.add(ctx, e.pool, r)
		}
		return nil
	})
	if err != nil {
		return err
	}
	e.done++
	if e.normal != nil {
		if e.lost, err = e.normal.solve(ctx, e.pool); err != nil {
			return err
		}
	}
	if weight > 0 {
		e.squared = e.lost / weight
	}
	return nil
}

// fill puts the vectors of a chunk, and their codes, into r.
func (e *encoder) fill(r *rows, first int, vectors []float32) {
	var weights []float32
	if e.weights != nil {
		weights = e.weights[first:][:r.n]
	}
	r.fill(vectors, weights, e.book)
	r.codes = e.codes[first*e.D:][:r.n*e.D]
	for i := range r.n {
		sum := 0.0
		for _, x := range vectors[i*e.d:][:e.d] {
			sum += float64(x) * float64(x)
		}
		e.norm += float64(r.weights[i]) * sum
	}
}

// improve finds codes for a chunk that begins with row first. Rows without a
// code get one digit after the other, then a short search, since scores far
// from a good code are too large to be exact.
func (e *encoder) improve(ctx context.Context, r *rows, first, steps int, place random) error {
	fresh := false
	for _, known := range e.known[first:][:r.n] {
		fresh = fresh || !known
	}
	if fresh {
		if err := e.greedy(ctx, r, first); err != nil {
			return err
		}
		if err := e.coder.search(ctx, e.pool, r, steps/8, place^1); err != nil {
			return err
		}
		steps -= steps / 8
	} else if err := e.residuals(ctx, r); err != nil {
		return err
	}
	return e.coder.search(ctx, e.pool, r, steps, place)
}

// greedy gives the rows without a code one, and all rows their residuals.
func (e *encoder) greedy(ctx context.Context, r *rows, first int) error {
	before := append([]uint16(nil), r.codes...)
	if err := e.coder.sweeper.greedy(ctx, e.pool, r); err != nil {
		return err
	}
	for i, known := range e.known[first:][:r.n] {
		if known {
			copy(r.code(i, e.D), before[i*e.D:][:e.D])
		}
	}
	return e.residuals(ctx, r)
}

func (e *encoder) residuals(ctx context.Context, r *rows) error {
	return e.each(ctx, r.n, blockRows, func(worker, first, last int) {
		sum := e.coder.sweeper.desks[worker].scores
		if len(sum) < e.stride {
			sum = make([]float32, e.stride)
		}
		for i := first; i < last; i++ {
			e.residual(r.rest(i, e.stride), r.x(i, e.stride), sum[:e.stride], r.code(i, e.D))
		}
	})
}

func (e *encoder) report(done, of int) {
	if e.progress != nil {
		e.progress(Progress{"encode", e.done*of + done, e.passes * of, ratio(e.lost, e.norm)})
	}
}
