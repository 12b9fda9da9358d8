package serve

import (
	"context"
	"fmt"

	"github.com/kdcode/kdcode/search"
)

// Original is the ordinary vectors that a code table was made from, in memory,
// to show beside it.
type Original struct {
	vectors *search.Dense
	symbols []string
	ids     map[string]int
}

// NewOriginal returns the table of vectors of width dim that lie one after the
// other in data; symbols may be nil. Neither is copied.
func NewOriginal(symbols []string, data []float32, dim int) (*Original, error) {
	vectors, err := search.NewDense(data, dim)
	if err != nil {
		return nil, err
	}
	if symbols != nil && len(symbols) != vectors.Len() {
		return nil, fmt.Errorf("serve: %d symbols for %d vectors", len(symbols), vectors.Len())
	}
	o := &Original{vectors: vectors, symbols: symbols, ids: make(map[string]int, len(symbols))}
	for id, symbol := range symbols {
		o.ids[symbol] = id
	}
	return o, nil
}

// row returns the row of a word of the code table: that of its symbol, or where
// either table has none, that of its id.
func (o *Original) row(w word) (int, error) {
	if o.symbols == nil || w.Symbol == nil {
		if w.ID >= o.vectors.Len() {
			return 0, unknownID(w.ID, o.vectors.Len())
		}
		return w.ID, nil
	}
	row, ok := o.ids[*w.Symbol]
	if !ok {
		return 0, fail(404, "unknown_symbol", "the original vectors have no symbol %q; ask without source", *w.Symbol)
	}
	return row, nil
}

// originalSpace is the original of a code table.
type originalSpace struct {
	*Original
	table *edition
}

func (o originalSpace) source() search.Source { return o.vectors }

func (o originalSpace) near(ctx context.Context, queries [][]float32, opt search.Options) ([][]search.Neighbour, error) {
	return search.Exact(ctx, o.vectors, queries, opt)
}

// word returns what a row stands for. Where rows have no symbols they are ids of
// the table, as in Original.row, and called as it calls them.
func (o originalSpace) word(id int) (word, error) {
	switch {
	case o.symbols != nil:
		return word{ID: id, Symbol: &o.symbols[id]}, nil
	case id < o.table.Len():
		return o.table.word(id)
	}
	return word{ID: id}, nil
}
