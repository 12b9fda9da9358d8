package quantize

import (
	"context"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/quantize/internal/additive"
)

// Compress learns codes and code embeddings for the rows of src and returns
// them as a model, ready to be written. symbols are those of the rows, or nil.
// Where ctx ends first, so does the work, with ctx's error; the state of the
// last whole round is in the checkpoint.
func Compress(ctx context.Context, src Source, symbols []string, o Options) (*codefile.Model, error) {
	if err := o.check(src, symbols); err != nil {
		return nil, err
	}
	var m *codefile.Model
	var err error
	switch o.composition() {
	case codefile.Concat:
		m, err = compressConcat(ctx, src, o)
	case codefile.Affine:
		m, err = compressAffine(ctx, src, o)
	default:
		m, err = compressSum(ctx, src, o)
	}
	if err != nil {
		return nil, err
	}
	m.Symbols = symbols
	m.Embeddings.DType = o.DType
	return m, nil
}

// compressSum learns Σ_j W^j[c_j].
func compressSum(ctx context.Context, src Source, o Options) (*codefile.Model, error) {
	r, err := o.learn(ctx, src)
	if err != nil {
		return nil, err
	}
	return &codefile.Model{Composition: codefile.Sum, Codes: pack(r.Codes, o.K, o.D),
		Embeddings: codefile.Embeddings{Values: r.W, Dim: src.Dim()}}, nil
}

// learn learns a sum for src, keeping its state in the checkpoint.
func (o Options) learn(ctx context.Context, src Source) (*additive.Result, error) {
	keeper, err := o.keeper(src)
	if err != nil {
		return nil, err
	}
	p := o.params(src.Len(), src.Dim())
	p.Resume, p.Checkpoint = keeper.resume, keeper.save()
	return additive.Learn(ctx, src, p)
}

// pack packs codes [N, D].
func pack(digits []uint16, k, d int) codefile.Codes {
	c := codefile.NewCodes(len(digits)/d, k, d)
	for i := range c.N() {
		c.Set(i, digits[i*d:][:d])
	}
	return c
}
