package serve

import (
	"context"
	"net/http"

	"github.com/kdcode/kdcode/search"
)

// analogyRequest asks: a is to b as c is to …?
type analogyRequest struct {
	Symbols [][]string `json:"symbols"`
	IDs     [][]int    `json:"ids"`
	K       *int       `json:"k"`
	Source  string     `json:"source"`
}

type analogyAnswer struct {
	Table   string          `json:"table"`
	Source  string          `json:"source"`
	Results []analogyResult `json:"results"`
}

type analogyResult struct {
	A          word        `json:"a"`
	B          word        `json:"b"`
	C          word        `json:"c"`
	Neighbours []neighbour `json:"neighbours"`
}

// analogies is the route.
func (s *Server) analogies(w http.ResponseWriter, r *http.Request, t *table, e *edition) error {
	var ask analogyRequest
	if err := s.decodeJSON(w, r, &ask); err != nil {
		return err
	}
	if (ask.Symbols == nil) == (ask.IDs == nil) {
		return badRequest(`give triples of symbols, {"symbols":[["man","king","woman"]]}, or of ids`)
	}
	if n := len(ask.Symbols) + len(ask.IDs); n > s.options.Limits.Queries {
		return tooMany(n, s.options.Limits.Queries)
	}
	k, err := checkCount(ask.K, s.options.Limits.Neighbours)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.options.Limits.Time)
	defer cancel()
	results, err := s.questions(ctx, e, ask)
	if err != nil {
		return err
	}
	in, source, err := s.space(ctx, t, e, ask.Source)
	if err != nil {
		return err
	}
	queries := make([]query, len(results))
	for i := range results {
		if queries[i], err = results[i].query(in); err != nil {
			return err
		}
	}
	found, err := s.find(ctx, in, queries, search.Cosine, k)
	if err != nil {
		return err
	}
	for i := range results {
		results[i].Neighbours = found[i]
	}
	return writeJSON(w, http.StatusOK, analogyAnswer{t.Name, source, results})
}

// questions returns the words of each triple.
func (s *Server) questions(ctx context.Context, e *edition, ask analogyRequest) ([]analogyResult, error) {
	results := []analogyResult{}
	add := func(symbols []string, ids []int) error {
		if n := len(symbols) + len(ids); n != 3 {
			return badRequest("question %d has %d words; give three", len(results), n)
		}
		words, err := s.words(ctx, e, symbols, ids)
		if err == nil {
			results = append(results, analogyResult{A: words[0], B: words[1], C: words[2]})
		}
		return err
	}
	for _, triple := range ask.Symbols {
		if err := add(triple, nil); err != nil {
			return nil, err
		}
	}
	for _, triple := range ask.IDs {
		if err := add(nil, triple); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// query returns what to search for, the three words left out.
func (a *analogyResult) query(in space) (query, error) {
	var rows []int
	for _, w := range []word{a.A, a.B, a.C} {
		row, err := in.row(w)
		if err != nil {
			return query{}, err
		}
		rows = append(rows, row)
	}
	v, err := search.Analogy(in.source(), rows[0], rows[1], rows[2])
	return query{v, rows}, err
}
