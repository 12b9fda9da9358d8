package learn

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/kdcode/kdcode/codefile"
)

// Full is an ordinary embedding: a table [N, d].
type Full struct {
	n, dim int
	scale  float64
}

// NewFull returns the table of n symbols and embeddings of width dim.
func NewFull(n, dim int) *Full { return &Full{n: n, dim: dim, scale: 0.1} }

// InitScale sets s: initial values are uniform(−s, s). It is 0.1 by default.
func (l *Full) InitScale(s float64) *Full { l.scale = s; return l }

// Symbols returns N.
func (l *Full) Symbols() int { return l.n }

// Dim returns d.
func (l *Full) Dim() int { return l.dim }

// Size returns the table's size.
func (l *Full) Size() Size {
	return Size{Parameters: int64(l.n) * int64(l.dim), Symbols: l.n, Dim: l.dim}
}

// Check returns an error unless the table has rows and columns.
func (l *Full) Check() error { return checkShape(l.n, l.dim) }

// Embed builds the embeddings of a batch's symbols: see [Embedding].
func (l *Full) Embed(scope *model.Scope, s Symbols) *Node {
	if err := l.Check(); err != nil {
		panic(err)
	}
	return s.place(Rows(Uniform(scope, "table", l.scale, l.n, l.dim), s))
}

// Table returns a copy of the trained table [N, d]: for [PretrainedGuidance]
// and [NewProduct].
func (l *Full) Table(scope *model.Scope) ([]float32, error) {
	return Values(scope, "table", l.n, l.dim)
}

// Export returns the table as the content of a code file, in which the id is
// the code: D = 1 and K = N.
func (l *Full) Export(scope *model.Scope) (*codefile.Model, error) {
	codes, err := identityCodes(l.n)
	if err != nil {
		return nil, err
	}
	w, err := l.Table(scope)
	if err != nil {
		return nil, err
	}
	return &codefile.Model{
		Codes:             codes,
		Embeddings:        codefile.Embeddings{Values: padRows(w, codes.K, l.dim), Dim: l.dim},
		Composition:       codefile.Sum,
		TrainedParameters: l.Size().Parameters,
		Metadata:          map[string]string{"made_by": "kdcode/learn", "layer": "full"},
	}, nil
}

// identityCodes returns codes of one digit, the id. K is at least 2.
func identityCodes(n int) (codefile.Codes, error) {
	if n > codefile.MaxK {
		return codefile.Codes{}, fmt.Errorf("learn: a code file holds a table as it is up to N = %d, not %d: compress the trained table (kd compress, or NewProduct), or raise the vocabulary's minimum count", codefile.MaxK, n)
	}
	c := codefile.NewCodes(n, max(n, 2), 1)
	for i := range n {
		c.Set(i, []uint16{uint16(i)})
	}
	return c, nil
}

// padRows returns w with rows of zeros up to n.
func padRows(w []float32, n, dim int) []float32 {
	return append(w, make([]float32, n*dim-len(w))...)
}

// checkShape returns an error unless a layer's shape is possible.
func checkShape(n, dim int) error {
	if n < 1 || dim < 1 {
		return fmt.Errorf("learn: %d symbols of width %d: both must be positive", n, dim)
	}
	return nil
}
