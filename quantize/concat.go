package quantize

import (
	"context"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/quantize/internal/additive"
)

// columns are some columns of a Source: a Source of narrower rows.
type columns struct {
	Source
	first, n int
}

func (c columns) Dim() int { return c.n }

func (c columns) Rows(dst []float32, first, n int) error {
	wide := make([]float32, n*c.Source.Dim())
	if err := c.Source.Rows(wide, first, n); err != nil {
		return err
	}
	for i := range n {
		copy(dst[i*c.n:][:c.n], wide[i*c.Source.Dim()+c.first:])
	}
	return nil
}

// compressConcat learns W^1[c_1] ‖ … ‖ W^D[c_D], product quantization: each
// part of the vectors is learned on its own, as a sum of one code embedding.
func compressConcat(ctx context.Context, src Source, o Options) (*codefile.Model, error) {
	part := src.Dim() / o.D
	m := &codefile.Model{Composition: codefile.Concat, Codes: codefile.NewCodes(src.Len(), o.K, o.D),
		Embeddings: codefile.Embeddings{Dim: part}}
	digits := make([]uint16, src.Len()*o.D)
	for j := range o.D {
		p := o.params(src.Len(), part)
		p.D, p.Seed, p.Progress = 1, o.Seed+uint64(j), nil
		r, err := additive.Learn(ctx, columns{src, j * part, part}, p)
		if err != nil {
			return nil, err
		}
		m.Embeddings.Values = append(m.Embeddings.Values, r.W...)
		for i, k := range r.Codes {
			digits[i*o.D+j] = k
		}
		if o.Progress != nil {
			o.Progress(Progress{Phase: "learn", Done: j + 1, Total: o.D, RelativeError: r.Error})
		}
	}
	m.Codes = pack(digits, o.K, o.D)
	return m, nil
}
