package serve

import (
	"context"
	"net/http"
	"strconv"

	"github.com/kdcode/kdcode/search"
)

// nearRequest asks for neighbours of several words or vectors.
type nearRequest struct {
	Symbols []string    `json:"symbols"`
	IDs     []int       `json:"ids"`
	Vectors [][]float32 `json:"vectors"`
	K       *int        `json:"k"`
	Metric  string      `json:"metric"`
	Source  string      `json:"source"`
}

// nearAnswer is the answer.
type nearAnswer struct {
	Table   string        `json:"table"`
	Metric  search.Metric `json:"metric"`
	Source  string        `json:"source"`
	Results []nearResult  `json:"results"`
}

type nearResult struct {
	Query      any         `json:"query"` // a word, or nothing for a vector
	Neighbours []neighbour `json:"neighbours"`
}

// neighboursOf is the route of one word's neighbours.
func (s *Server) neighboursOf(w http.ResponseWriter, r *http.Request, t *table, e *edition) error {
	id, err := s.wantedOne(r, e)
	if err != nil {
		return err
	}
	q := r.URL.Query()
	ask := nearRequest{IDs: []int{id}, Metric: q.Get("metric"), Source: q.Get("source")}
	if text := q.Get("k"); text != "" {
		k, err := strconv.Atoi(text)
		if err != nil {
			return badRequest("k %q is not a whole number", text)
		}
		ask.K = &k
	}
	return s.nearest(w, r, t, e, ask)
}

// neighbours is the route of many.
func (s *Server) neighbours(w http.ResponseWriter, r *http.Request, t *table, e *edition) error {
	var ask nearRequest
	if err := s.decodeJSON(w, r, &ask); err != nil {
		return err
	}
	return s.nearest(w, r, t, e, ask)
}

func (s *Server) nearest(w http.ResponseWriter, r *http.Request, t *table, e *edition, ask nearRequest) error {
	kinds := 0
	for _, given := range []bool{ask.Symbols != nil, ask.IDs != nil, ask.Vectors != nil} {
		if given {
			kinds++
		}
	}
	if kinds != 1 {
		return badRequest("give one of symbols, ids and vectors")
	}
	if n := len(ask.Symbols) + len(ask.IDs) + len(ask.Vectors); n > s.options.Limits.Queries {
		return tooMany(n, s.options.Limits.Queries)
	}
	k, err := checkCount(ask.K, s.options.Limits.Neighbours)
	if err != nil {
		return err
	}
	metric, err := parseMetric(ask.Metric)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.options.Limits.Time)
	defer cancel()
	in, source, err := s.space(ctx, t, e, ask.Source)
	if err != nil {
		return err
	}
	queries, results, err := s.queries(ctx, e, in, ask)
	if err != nil {
		return err
	}
	found, err := s.find(ctx, in, queries, metric, k)
	if err != nil {
		return err
	}
	for i := range results {
		results[i].Neighbours = found[i]
	}
	return writeJSON(w, http.StatusOK, nearAnswer{t.Name, metric, source, results})
}

// queries returns what to search for, and the results to fill.
func (s *Server) queries(ctx context.Context, e *edition, in space, ask nearRequest) ([]query, []nearResult, error) {
	queries, results := []query{}, []nearResult{}
	for i, v := range ask.Vectors {
		if err := checkVector(i, v, e.Dim()); err != nil {
			return nil, nil, err
		}
		queries = append(queries, query{vector: v})
		results = append(results, nearResult{Query: struct{}{}})
	}
	words, err := s.words(ctx, e, ask.Symbols, ask.IDs)
	if err != nil {
		return nil, nil, err
	}
	for _, w := range words {
		row, err := in.row(w)
		if err != nil {
			return nil, nil, err
		}
		v, err := vectorOf(in, row)
		if err != nil {
			return nil, nil, err
		}
		queries = append(queries, query{v, []int{row}})
		results = append(results, nearResult{Query: w})
	}
	return queries, results, nil
}

// words returns the words of symbols and ids.
func (s *Server) words(ctx context.Context, e *edition, symbols []string, ids []int) ([]word, error) {
	words := []word{}
	for _, symbol := range symbols {
		id, err := s.idOf(ctx, e, symbol)
		if err != nil {
			return nil, err
		}
		words = append(words, word{id, &symbol})
	}
	for _, id := range ids {
		w, err := e.word(id)
		if err != nil {
			return nil, err
		}
		words = append(words, w)
	}
	return words, nil
}
