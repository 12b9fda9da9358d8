package learn

import (
	"context"
	"fmt"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/quantize"
)

// NewProduct returns the product quantization of a trained table [N, d], with
// K = ways and D = length, as a layer: the paper's baseline. It is frozen unless
// [Stored.Train] says otherwise. Quantizing takes a while; ctx can end it.
func NewProduct(ctx context.Context, table []float32, n, dim, ways, length int) (*Stored, error) {
	if err := checkShape(n, dim); err != nil {
		return nil, err
	}
	if len(table) != n*dim {
		return nil, fmt.Errorf("learn: product quantization of %d values instead of N·d = %d·%d: is it the table of the same model?", len(table), n, dim)
	}
	m, err := quantize.Compress(ctx, quantize.Matrix{Data: table, D: dim}, nil, quantize.Options{
		K: ways, D: length, Composition: codefile.Concat,
	})
	if err != nil {
		return nil, fmt.Errorf("learn: product quantization: %w", err)
	}
	return NewStored(m)
}
