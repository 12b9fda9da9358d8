package additive

import (
	"context"
	"fmt"
)

// Encode finds codes for the rows of a table with these code embeddings. It
// returns them, [N, D], and their relative error. Of p, K and D may be 0.
func (c *Codebook) Encode(ctx context.Context, src Source, p Params) ([]uint16, float64, error) {
	if p.K != 0 && p.K != c.K || p.D != 0 && p.D != c.D {
		return nil, 0, fmt.Errorf("%w: K = %d, D = %d for code embeddings with K = %d, D = %d", ErrParams, p.K, p.D, c.K, c.D)
	}
	p.K, p.D = c.K, c.D
	if err := p.check(src); err != nil {
		return nil, 0, err
	}
	if src.Dim() != c.Dim {
		return nil, 0, fmt.Errorf("%w: vectors of width %d for code embeddings of width %d", ErrParams, src.Dim(), c.Dim)
	}
	b := c.book()
	e := &encoder{
		book: b, pool: pool{p.threads()}, coder: newCoder(b, p.threads()), seed: p.Seed, weights: p.Weights, progress: p.Progress,
		codes: make([]uint16, src.Len()*c.D), known: make([]bool, src.Len()), passes: 1,
		squared: b.energy(),
	}
	plan := p.plan(src.Len(), c.Dim)
	if err := e.encode(ctx, src, plan.first+plan.second); err != nil {
		return nil, 0, err
	}
	return e.codes, ratio(e.lost, e.norm), nil
}
