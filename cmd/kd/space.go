package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/internal/simd"
	"github.com/kdcode/kdcode/search"
	"github.com/kdcode/kdcode/vectors"
)

// space is a table in which neighbours are sought: a code file, or ordinary
// vectors to compare it with.
type space interface {
	spellable
	search.Source
	ID(symbol string) (int, bool)
	Symbol(id int) (string, error)
	Lookup(dst []float32, id int) error
	// near returns the nearest neighbours of each query, the nearest first.
	near(ctx context.Context, queries [][]float32, o search.Options) ([][]search.Neighbour, error)
	Close() error
}

// openSpace opens the code file or the table of ordinary vectors at path.
func openSpace(ctx context.Context, s *streams, path string, input vectorsInput) (space, error) {
	code := false
	if path != "-" {
		var err error
		if code, err = isCodeFile(path); err != nil {
			return nil, err
		}
	}
	if !code {
		t, err := input.readAll(ctx, s, path)
		if err != nil {
			return nil, err
		}
		return newVectorSpace(t.Table)
	}
	if input.given() {
		return nil, usagef("--symbols, --tensor and --dim are for ordinary vectors; %s is a code file", path)
	}
	t, err := openTable(path)
	if err != nil {
		return nil, err
	}
	return &codeSpace{Table: t}, nil
}

// codeSpace is a code file, and the index of it once something is sought.
type codeSpace struct {
	*kdcode.Table
	index *search.Index
}

func (c *codeSpace) near(ctx context.Context, queries [][]float32, o search.Options) ([][]search.Neighbour, error) {
	if c.index == nil {
		var err error
		if c.index, err = search.NewIndex(c.Table); err != nil {
			return nil, err
		}
	}
	return c.index.Search(ctx, queries, o)
}

// vectorSpace is a table of ordinary vectors in memory.
type vectorSpace struct {
	*search.Dense
	symbols []string // nil where there are none
	ids     map[string]int
}

func newVectorSpace(t *vectors.Table) (vectorSpace, error) {
	dense, err := search.NewDense(t.Data, t.Dim)
	if err != nil {
		return vectorSpace{}, err
	}
	v := vectorSpace{dense, t.Symbols, make(map[string]int, len(t.Symbols))}
	for id, symbol := range t.Symbols {
		v.ids[symbol] = id
	}
	return v, nil
}

func (v vectorSpace) HasSymbols() bool { return v.symbols != nil }
func (v vectorSpace) Close() error     { return nil }

func (v vectorSpace) ID(symbol string) (int, bool) {
	id, ok := v.ids[symbol]
	return id, ok
}

func (v vectorSpace) Symbol(id int) (string, error) { return v.symbols[id], nil }

func (v vectorSpace) Symbols() iter.Seq2[int, string] { return slices.All(v.symbols) }

func (v vectorSpace) Lookup(dst []float32, id int) error {
	return v.LookupBatch(dst, []int{id})
}

func (v vectorSpace) near(ctx context.Context, queries [][]float32, o search.Options) ([][]search.Neighbour, error) {
	return search.Exact(ctx, v.Dense, queries, o)
}

func norm(v []float32) float32 { return float32(math.Sqrt(float64(simd.Dot(v, v)))) }

// neighbour is a word that was found or asked for.
type neighbour struct {
	Symbol string   `json:"symbol,omitempty"`
	ID     int      `json:"id"`
	Score  *float32 `json:"score,omitempty"` // higher is nearer; of those found
}

// text is how the word is shown.
func (n neighbour) text() string {
	if n.Symbol == "" {
		return idText(n.ID)
	}
	return quoted(n.Symbol)
}

// wanted returns the word that an argument names: a symbol, or an id.
func wanted(ctx context.Context, t space, path, want string, byID bool) (neighbour, error) {
	if byID {
		id, err := strconv.Atoi(want)
		if err != nil {
			return neighbour{}, usagef("%q is not an id: with --id, give whole numbers", want)
		}
		if id < 0 || id >= t.Len() {
			return neighbour{}, dataf("%s: no id %d; ids are 0 to %d", path, id, t.Len()-1)
		}
		return named(t, id)
	}
	id, ok := t.ID(want)
	if !ok {
		return neighbour{}, unknownSymbol(ctx, t, path, path, want)
	}
	return neighbour{Symbol: want, ID: id}, nil
}

// hasDirection refuses a word whose vector v is near nothing, since not all of
// it are finite numbers. Tables of ordinary vectors may have such.
func hasDirection(path string, w neighbour, v []float32) error {
	for c, x := range v {
		if !isFinite(x) {
			return dataf("%s: the vector of %s has the value %v in column %d, so nothing is near it; mend that row", path, w.text(), x, c+1)
		}
	}
	return nil
}

// named returns the word of that id.
func named(t space, id int) (neighbour, error) {
	n := neighbour{ID: id}
	var err error
	if t.HasSymbols() {
		n.Symbol, err = t.Symbol(id)
	}
	return n, err
}

// nearest returns the limit words, 0 for all, that are nearest to each query,
// without those whose ids skip lists for it.
func nearest(ctx context.Context, t space, queries [][]float32, skip [][]int, metric search.Metric, limit int) ([][]neighbour, error) {
	if limit == 0 {
		limit = t.Len()
	}
	// All queries are sought in one pass, and what one skips another may find:
	// so many more are asked for, and skipped afterwards.
	most := 0
	for _, ids := range skip {
		most = max(most, len(ids))
	}
	found, err := t.near(ctx, queries, search.Options{Limit: min(limit+most, t.Len()), Metric: metric})
	if errors.Is(err, search.ErrQuery) {
		err = dataError{err} // only a table's own vector can be no query
	}
	if err != nil {
		return nil, err
	}
	all := make([][]neighbour, len(queries))
	for q, near := range found {
		// Words of a table of ordinary vectors that are not near anything go, too.
		near = slices.DeleteFunc(near, func(n search.Neighbour) bool { return slices.Contains(skip[q], n.ID) || !isFinite(n.Score) })
		all[q] = []neighbour{}
		for _, f := range near[:min(limit, len(near))] {
			n, err := named(t, f.ID)
			if err != nil {
				return nil, err
			}
			n.Score = &f.Score
			all[q] = append(all[q], n)
		}
	}
	return all, nil
}

// printNearest writes a list of neighbours: the score, then the word.
func printNearest(s *streams, metric search.Metric, of string, near []neighbour) {
	width, sign := len(metric), float32(1)
	if metric == search.Euclidean {
		sign = -1 // a distance
	}
	var scores []string
	for _, n := range near {
		text := fmt.Sprintf("%.4f", sign**n.Score)
		scores = append(scores, text)
		width = max(width, len(text))
	}
	fmt.Fprintf(s.out, "%*s  %s\n%*s  %s\n", width, metric, "word", width, "-", of)
	for i, n := range near {
		fmt.Fprintf(s.out, "%*s  %s\n", width, scores[i], n.text())
	}
}
