package additive

import (
	"context"
	"fmt"
)

// Fit finds the code embeddings that are best for codes as they are, [N, D]:
// random ones, say, or the letters of words. All rows are kept in memory.
func Fit(ctx context.Context, src Source, codes []uint16, p Params) (*Result, error) {
	if err := p.check(src); err != nil {
		return nil, err
	}
	if len(codes) != src.Len()*p.D {
		return nil, fmt.Errorf("%w: %d digits for %d codes of %d", ErrParams, len(codes), src.Len(), p.D)
	}
	b := newBook(p.K, p.D, src.Dim())
	chosen, weights := choose(src.Len(), src.Len(), p.Weights, p.Seed)
	rows, err := load(src, b, chosen, weights)
	if err != nil {
		return nil, err
	}
	l := newLearner(b, rows, p.plan(rows.n, b.d), p)
	if err := l.resume(ctx, &State{W: make([]float32, p.D*p.K*b.d), Codes: codes}); err != nil {
		return nil, err
	}
	if err := l.fit(ctx); err != nil {
		return nil, err
	}
	return l.result(ctx), nil
}
