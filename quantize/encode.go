package quantize

import (
	"context"
	"fmt"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/quantize/internal/additive"
)

// Encode finds codes for the rows of src with the code embeddings of a model,
// which stay as they are.
func Encode(ctx context.Context, src Source, m *codefile.Model, o Options) (codefile.Codes, error) {
	var none codefile.Codes
	if src.Dim() != m.Dim() {
		return none, fmt.Errorf("%w: its vectors have width %d, those of the code file %d", ErrInput, src.Dim(), m.Dim())
	}
	if src.Len() == 0 {
		return none, fmt.Errorf("%w: it has no vectors", ErrInput)
	}
	m, err := asSum(m)
	if err != nil {
		return none, err
	}
	k, d := m.Codes.K, m.Codes.D
	p := o.params(src.Len(), src.Dim())
	p.K, p.D = k, d
	if m.Composition != codefile.Concat {
		book := additive.Codebook{K: k, D: d, Dim: m.Embeddings.Dim, W: m.Embeddings.Values}
		digits, _, err := book.Encode(ctx, src, p)
		if err != nil {
			return none, err
		}
		return pack(digits, k, d), nil
	}
	part := m.Embeddings.Dim
	digits := make([]uint16, src.Len()*d)
	for j := range d {
		book := additive.Codebook{K: k, D: 1, Dim: part, W: m.Embeddings.Values[j*k*part:][:k*part]}
		p.D = 1
		column, _, err := book.Encode(ctx, columns{src, j * part, part}, p)
		if err != nil {
			return none, err
		}
		for i, digit := range column {
			digits[i*d+j] = digit
		}
	}
	return pack(digits, k, d), nil
}
