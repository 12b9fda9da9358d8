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
	table *kdcode.Table
	codes *codes

	sorting sync.Once
	sorted  []int32 // all ids by code, then by id; see order

	counting sync.Once
	usage    [][]int
}

// NewIndex unpacks the codes of t for scanning: N·D bytes (twice that where
// K > 256), and 4·N for the norms of its vectors. It uses all cores.
func NewIndex(t *kdcode.Table) (*Index, error) {
	c, err := readCodes(t, runtime.GOMAXPROCS(0))
	if err != nil {
		return nil, err
	}
	return &Index{table: t, codes: c}, nil
}

// Table returns the table that the index is of.
func (x *Index) Table() *kdcode.Table { return x.table }

// Linear reports whether scores are sums over the digits, so that Search need
// not compose all vectors. Only the lstm composition is not linear.
func (x *Index) Linear() bool { return x.table.Info().Composition != "lstm" }

// Bytes returns the memory that the index takes beside the table.
func (x *Index) Bytes() int64 { return x.codes.bytes() }

// Search returns the nearest neighbours of each query, the nearest first: the
// same, to the bit of each score, as Exact.
func (x *Index) Search(ctx context.Context, queries [][]float32, o Options) ([][]Neighbour, error) {
	return Exact(ctx, x.table, queries, o)
}
