package quantize

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/simd"
	"github.com/kdcode/kdcode/quantize/internal/additive"
)

// projected are the rows of a Source, less their mean, along the rows of a
// basis: a Source of narrower rows.
type projected struct {
	Source
	basis Matrix    // [d', d], rows of length 1, at right angles
	mean  []float32 // [d]
}

func (p projected) Dim() int { return p.basis.Len() }

func (p projected) Rows(dst []float32, first, n int) error {
	d, narrow := p.Source.Dim(), p.Dim()
	wide := make([]float32, n*d)
	if err := p.Source.Rows(wide, first, n); err != nil {
		return err
	}
	for i := range n {
		simd.Axpy(wide[i*d:][:d], -1, p.mean)
	}
	if n > 0 {
		simd.MatVecs(dst[:n*narrow], p.basis.Data, wide, n)
	}
	return nil
}

// basisRows is how many rows the principal directions are taken from.
const basisRows = 100_000

// compressAffine learns H·(Σ_j W^j[c_j]) + b: b is the mean, H the d' principal
// directions, in which the sum is learned.
func compressAffine(ctx context.Context, src Source, o Options) (*codefile.Model, error) {
	p, err := project(src, o)
	if err != nil {
		return nil, err
	}
	r, err := o.learn(ctx, p)
	if err != nil {
		return nil, err
	}
	d := src.Dim()
	H := make([]float32, d*o.CodeDim) // the transposed basis
	for c := range o.CodeDim {
		for i, v := range p.basis.Row(c) {
			H[i*o.CodeDim+c] = v
		}
	}
	return &codefile.Model{Composition: codefile.Affine, Codes: pack(r.Codes, o.K, o.D),
		Embeddings: codefile.Embeddings{Values: r.W, Dim: o.CodeDim}, Projection: H, Bias: p.mean}, nil
}

// project finds the principal directions of (a sample of) the rows.
func project(src Source, o Options) (projected, error) {
	ids := sampleRows(rand.New(rand.NewPCG(o.Seed, 'b')), src.Len(), basisRows)
	x, err := gather(src, ids)
	if err != nil {
		return projected{}, fmt.Errorf("reading rows: %w", err)
	}
	mean := make([]float32, x.D)
	sum := make([]float64, x.D)
	for i := range x.Len() {
		for c, v := range x.Row(i) {
			sum[c] += float64(v)
		}
	}
	for c := range mean {
		mean[c] = float32(sum[c] / float64(x.Len()))
	}
	for i := range x.Len() {
		simd.Axpy(x.Row(i), -1, mean)
	}
	basis, err := principal(x, o.CodeDim, o.threads())
	return projected{src, basis, mean}, err
}

// gather reads the rows of ids, which rise, a chunk at a time.
func gather(src Source, ids []int) (Matrix, error) {
	d := src.Dim()
	m := Matrix{Data: make([]float32, len(ids)*d), D: d}
	next := 0
	err := additive.EachChunk(src, func(first int, rows []float32) error {
		for ; next < len(ids) && ids[next] < first+len(rows)/d; next++ {
			copy(m.Row(next), rows[(ids[next]-first)*d:][:d])
		}
		return nil
	})
	return m, err
}
