package search

import (
	"fmt"

	"github.com/kdcode/kdcode"
)

// Source is a table of vectors that can be compared with queries: a
// *kdcode.Table, or a Dense.
type Source interface {
	Len() int // N
	Dim() int // d
	// LookupBatch writes the vectors of all ids to dst, one after the other.
	LookupBatch(dst []float32, ids []int) error
}

// Dense is a table of ordinary vectors in memory: that which a code table was
// made of, say.
type Dense struct {
	data []float32
	dim  int
}

// NewDense returns the table of vectors of width dim that lie one after the
// other in data, which is not copied.
func NewDense(data []float32, dim int) (*Dense, error) {
	if dim < 1 || len(data)%dim != 0 {
		return nil, fmt.Errorf("search: %d numbers are no vectors of width %d", len(data), dim)
	}
	return &Dense{data, dim}, nil
}

// Len returns N, the number of vectors.
func (t *Dense) Len() int { return len(t.data) / t.dim }

// Dim returns d, the width of the vectors.
func (t *Dense) Dim() int { return t.dim }

// LookupBatch copies the vectors of all ids to dst.
func (t *Dense) LookupBatch(dst []float32, ids []int) error {
	if len(dst) != len(ids)*t.dim {
		return fmt.Errorf("%w: %d floats for %d vectors of %d", kdcode.ErrLength, len(dst), len(ids), t.dim)
	}
	for i, id := range ids {
		if uint(id) >= uint(t.Len()) {
			return fmt.Errorf("%w: %d; ids are 0 to %d", kdcode.ErrID, id, t.Len()-1)
		}
		copy(dst[i*t.dim:][:t.dim], t.data[id*t.dim:])
	}
	return nil
}
