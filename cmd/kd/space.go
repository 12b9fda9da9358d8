package main

import (
	"cmp"
	"context"
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
	Len() int
	ID(symbol string) (int, bool)
	Symbol(id int) (string, error)
	Lookup(dst []float32, id int) error
	Dim() int
	// near returns the nearest neighbours of each query, the nearest first.
	near(ctx context.Context, queries [][]float32, o search.Options) ([][]search.Neighbour, error)
	// analogy returns the query for "a is to b as c is to …".
	analogy(a, b, c int) ([]float32, error)
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
		return newVectorSpace(t.Table), nil
	}
	if input.given() {
		return nil, usagef("--symbols, --tensor and --dim are for ordinary vectors; %s is a code file", path)
	}
	t, err := openTable(path)
	if err != nil {
		return nil, err
	}
	return codeSpace{t}, nil
}

// codeSpace is a code file.
type codeSpace struct{ *kdcode.Table }

func (c codeSpace) near(ctx context.Context, queries [][]float32, o search.Options) ([][]search.Neighbour, error) {
	return search.Exact(ctx, c.Table, queries, o)
}

func (c codeSpace) analogy(a, b, k int) ([]float32, error) { return search.Analogy(c.Table, a, b, k) }

// vectorSpace is a table of ordinary vectors in memory.
type vectorSpace struct {
	table *vectors.Table
	ids   map[string]int
}

func newVectorSpace(t *vectors.Table) vectorSpace {
	v := vectorSpace{t, make(map[string]int, len(t.Symbols))}
	for id, symbol := range t.Symbols {
		v.ids[symbol] = id
	}
	return v
}

func (v vectorSpace) Len() int         { return v.table.Len() }
func (v vectorSpace) Dim() int         { return v.table.Dim }
func (v vectorSpace) HasSymbols() bool { return v.table.Symbols != nil }
func (v vectorSpace) Close() error     { return nil }

func (v vectorSpace) ID(symbol string) (int, bool) {
	id, ok := v.ids[symbol]
	return id, ok
}

func (v vectorSpace) Symbol(id int) (string, error) { return v.table.Symbols[id], nil }

func (v vectorSpace) Symbols() iter.Seq2[int, string] { return slices.All(v.table.Symbols) }

func (v vectorSpace) Lookup(dst []float32, id int) error {
	copy(dst, v.table.Row(id))
	return nil
}

// near is search.Exact on vectors that need not be composed.
func (v vectorSpace) near(ctx context.Context, queries [][]float32, o search.Options) ([][]search.Neighbour, error) {
	found := make([][]search.Neighbour, len(queries))
	for q, query := range queries {
		all := make([]search.Neighbour, 0, v.Len())
		for id := range v.Len() {
			if id%4096 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if o.Skip == nil || !o.Skip(id) {
				all = append(all, search.Neighbour{ID: id, Score: score(o.Metric, query, v.table.Row(id))})
			}
		}
		slices.SortFunc(all, func(a, b search.Neighbour) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
		})
		found[q] = slices.Clone(all[:min(o.Limit, len(all))])
	}
	return found, nil
}

// score is how near v is to query; higher is nearer.
func score(metric search.Metric, query, v []float32) float32 {
	switch metric {
	case search.InnerProduct:
		return simd.Dot(query, v)
	case search.Euclidean:
		return -float32(math.Sqrt(float64(simd.SquaredDistance(query, v))))
	}
	norms := norm(query) * norm(v)
	if norms == 0 {
		return 0
	}
	return simd.Dot(query, v) / norms
}

func norm(v []float32) float32 { return float32(math.Sqrt(float64(simd.Dot(v, v)))) }

// analogy is search.Analogy.
func (v vectorSpace) analogy(a, b, c int) ([]float32, error) {
	query := make([]float32, v.Dim())
	for _, term := range []struct {
		id   int
		sign float32
	}{{b, 1}, {a, -1}, {c, 1}} {
		if n := norm(v.table.Row(term.id)); n > 0 {
			simd.Axpy(query, term.sign/n, v.table.Row(term.id))
		}
	}
	return query, nil
}

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
	if err != nil {
		return nil, err
	}
	all := make([][]neighbour, len(queries))
	for q, near := range found {
		near = slices.DeleteFunc(near, func(n search.Neighbour) bool { return slices.Contains(skip[q], n.ID) })
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
