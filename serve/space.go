package serve

import (
	"context"
	"math"
	"net/http"
	"slices"

	"github.com/kdcode/kdcode/search"
)

// space is where neighbours are sought: a code table, or its original.
type space interface {
	source() search.Source
	// row returns the id, in this space, of a word of the code table.
	row(w word) (int, error)
	// word returns what an id of this space stands for.
	word(id int) (word, error)
	near(ctx context.Context, queries [][]float32, o search.Options) ([][]search.Neighbour, error)
}

// codeSpace is a code table, searched on its codes.
type codeSpace struct {
	*edition
	index *search.Index
}

func (c codeSpace) source() search.Source   { return c.Table }
func (c codeSpace) row(w word) (int, error) { return w.ID, nil }

func (c codeSpace) near(ctx context.Context, queries [][]float32, o search.Options) ([][]search.Neighbour, error) {
	return c.index.Search(ctx, queries, o)
}

// The spaces by their names in requests.
const (
	codesSource    = "codes"
	originalSource = "original"
)

// space returns the space that a request asks for, and its name.
func (s *Server) space(ctx context.Context, t *table, e *edition, name string) (space, string, error) {
	switch name {
	case "", codesSource:
		index, err := e.searchIndex(ctx)
		return codeSpace{e, index}, codesSource, err
	case originalSource:
		if t.Original == nil {
			return nil, name, fail(http.StatusBadRequest, "no_original", "the server was not given the original vectors; start it with --original")
		}
		return originalSpace{t.Original, e}, name, nil
	}
	return nil, name, badRequest("source %q is none of codes, original", name)
}

// neighbour is a word that was found.
type neighbour struct {
	word
	Score score `json:"score"`
}

// score is null in JSON where it is not finite.
type score float32

func (s score) MarshalJSON() ([]byte, error) { return appendFloat(nil, float32(s)), nil }

// query is a vector to find neighbours of, and ids that are none.
type query struct {
	vector []float32
	skip   []int
}

// find returns the k nearest neighbours of each query.
func (s *Server) find(ctx context.Context, in space, queries []query, metric search.Metric, k int) ([][]neighbour, error) {
	leave, err := s.searches.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	// All queries are sought in one pass, and what one skips another may find:
	// so many more are asked for, and skipped afterwards.
	vectors, more := make([][]float32, len(queries)), 0
	for i, q := range queries {
		vectors[i] = q.vector
		more = max(more, len(q.skip))
	}
	// One core each: several clients search at the same time.
	found, err := in.near(ctx, vectors, search.Options{Limit: min(k+more, in.source().Len()), Metric: metric, Threads: 1})
	if err != nil {
		return nil, err
	}
	all := make([][]neighbour, len(queries))
	for i, near := range found {
		all[i] = make([]neighbour, 0, k)
		for _, n := range near {
			if len(all[i]) == k || slices.Contains(queries[i].skip, n.ID) {
				continue
			}
			w, err := in.word(n.ID)
			if err != nil {
				return nil, err
			}
			all[i] = append(all[i], neighbour{w, score(n.Score)})
		}
	}
	return all, nil
}

// vectorOf returns the vector of an id in a space.
func vectorOf(in space, id int) ([]float32, error) {
	v := make([]float32, in.source().Dim())
	return v, in.source().LookupBatch(v, []int{id})
}

// checkVector returns an error unless v can be a query.
func checkVector(i int, v []float32, dim int) error {
	if len(v) != dim {
		return badRequest("vector %d has %d numbers, the table's have %d", i, len(v), dim)
	}
	for j, x := range v {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return badRequest("number %d of vector %d is not finite", j, i)
		}
	}
	return nil
}

// parseMetric returns the metric of that name; none is cosine.
func parseMetric(name string) (search.Metric, error) {
	if name == "" {
		return search.Cosine, nil
	}
	m, err := search.ParseMetric(name)
	if err != nil {
		return m, badRequest("%v", err)
	}
	return m, nil
}

// checkCount returns k, or the default for nil, if the limits allow it.
func checkCount(k *int, most int) (int, error) {
	switch {
	case k == nil:
		return min(10, most), nil
	case *k < 1:
		return 0, badRequest("k is %d; give a number from 1 up", *k)
	case *k > most:
		return 0, tooLarge("k is %d, the limit is %d", *k, most)
	}
	return *k, nil
}
