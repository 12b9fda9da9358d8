package search

import (
	"context"
	"runtime"
	"sync"

	"github.com/kdcode/kdcode"
)

// Index finds neighbours in a code table without composing its vectors. It is
// immutable and safe for concurrent use. The table must stay open: the few
// vectors that may be neighbours are composed, and a search of an Index whose
// table was closed returns kdcode.ErrClosed.
type Index struct {
	table   *kdcode.Table
	codes   *codes
	weights *weights  // nil where the composition is not linear
	norms   []float32 // ‖v‖ of all vectors, padded to whole blocks
	maxNorm float64

	halving     sync.Once
	halfSquares []float32 // ‖v‖²/2; see halves

	sorting sync.Once
	sorted  []int32 // all ids by code, then by id; see order

	counting sync.Once
	usage    [][]int
}

// NewIndex unpacks the codes of t for scanning: N·D bytes (twice that where
// K > 256), and 4·N for the norms of its vectors, which it composes once. It
// uses all cores.
func NewIndex(t *kdcode.Table) (*Index, error) {
	x := &Index{table: t}
	var err error
	if x.codes, err = readCodes(t, runtime.GOMAXPROCS(0)); err != nil {
		return nil, err
	}
	if x.weights, err = readWeights(t); err != nil || x.weights == nil {
		return x, err
	}
	if x.norms, err = readNorms(t, runtime.GOMAXPROCS(0)); err != nil {
		return nil, err
	}
	x.maxNorm = largest(x.norms)
	return x, nil
}

// Table returns the table that the index is of.
func (x *Index) Table() *kdcode.Table { return x.table }

// Linear reports whether scores are sums over the digits, so that Search need
// not compose all vectors. Only the lstm composition is not linear.
func (x *Index) Linear() bool { return x.weights != nil }

// Bytes returns the memory that the index takes beside the table.
func (x *Index) Bytes() int64 {
	b := x.codes.bytes() + 4*int64(len(x.norms))
	if x.weights != nil {
		b += 4 * int64(len(x.weights.W)+len(x.weights.transposed)+len(x.weights.bias))
	}
	return b
}

// Search returns the nearest neighbours of each query, the nearest first: the
// same, to the bit of each score, as Exact.
func (x *Index) Search(ctx context.Context, queries [][]float32, o Options) ([][]Neighbour, error) {
	if err := o.check(queries, x.table.Dim()); err != nil {
		return nil, err
	}
	// Where a good part of all symbols is wanted, all are as quickly composed.
	if x.weights == nil || o.Limit > x.codes.n/8 {
		return Exact(ctx, x.table, queries, o)
	}
	found := make([][]Neighbour, len(queries))
	if len(queries) == 0 || o.Limit < 1 {
		return found, ctx.Err()
	}
	return found, x.distribute(ctx, found, queries, o)
}
