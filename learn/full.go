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
// the code: D = 1 and K = N, or more digits where N is above 65,536.
func (l *Full) Export(scope *model.Scope) (*codefile.Model, error) {
	codes, err := tableCodes(l.n)
	if err != nil {
		return nil, err
	}
	w, err := l.Table(scope)
	if err != nil {
		return nil, err
	}
	return &codefile.Model{
		Codes:             codes,
		Embeddings:        codefile.Embeddings{Values: tableRows(w, codes, l.dim), Dim: l.dim},
		Composition:       codefile.Sum,
		TrainedParameters: l.Size().Parameters,
		Metadata:          map[string]string{"made_by": "kdcode/learn", "layer": "full"},
	}, nil
}

// tableCodes returns the codes of a table's n rows: one digit, the id. Where K
// cannot be n the rows are dealt out to several digits. Each has a row of zeros,
// its first, for the rows that are others'.
func tableCodes(n int) (codefile.Codes, error) {
	if n <= codefile.MaxK {
		c := codefile.NewCodes(n, max(n, 2), 1)
		for i := range n {
			c.Set(i, []uint16{uint16(i)})
		}
		return c, nil
	}
	const most = codefile.MaxK - 1
	digits := (n + most - 1) / most
	if digits > codefile.MaxD {
		return codefile.Codes{}, fmt.Errorf("learn: a code file holds a table as it is up to N = %d, not %d: compress the trained table (NewProduct, or package quantize)", codefile.MaxD*most, n)
	}
	each := (n + digits - 1) / digits
	c := codefile.NewCodes(n, 1+each, digits)
	code := make([]uint16, digits)
	for i := range n {
		code[i/each] = uint16(1 + i%each)
		c.Set(i, code)
		code[i/each] = 0
	}
	return c, nil
}

// tableRows returns the rows of a table [N, dim] where their codes look for them:
// [D, K, dim].
func tableRows(w []float32, c codefile.Codes, dim int) []float32 {
	if c.D == 1 {
		return append(w, make([]float32, c.K*dim-len(w))...)
	}
	rows := make([]float32, c.D*c.K*dim)
	each := (c.K - 1) * dim
	for i := range c.D {
		copy(rows[i*c.K*dim+dim:][:each], w[i*each:])
	}
	return rows
}

// checkShape returns an error unless a layer's shape is possible.
func checkShape(n, dim int) error {
	if n < 1 || dim < 1 {
		return fmt.Errorf("learn: %d symbols of width %d: both must be positive", n, dim)
	}
	return nil
}
