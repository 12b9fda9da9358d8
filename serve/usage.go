package serve

import (
	"context"
	"math"
	"net/http"
)

// usageAnswer says how evenly each digit is used.
type usageAnswer struct {
	Table      string       `json:"table"`
	N          int          `json:"n"`
	Ways       int          `json:"ways"`
	CodeLength int          `json:"code_length"`
	Digits     []digitUsage `json:"digits"`
	Evenness   float64      `json:"evenness"` // the mean
}

type digitUsage struct {
	Counts   []int   `json:"counts"`
	Entropy  float64 `json:"entropy"`
	Evenness float64 `json:"evenness"`
	Unused   int     `json:"unused"`
}

// usage is the route.
func (s *Server) usage(w http.ResponseWriter, r *http.Request, t *table, e *edition) error {
	ctx, cancel := context.WithTimeout(r.Context(), s.options.Limits.Time)
	defer cancel()
	index, err := e.searchIndex(ctx)
	if err != nil {
		return err
	}
	leave, err := s.searches.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	answer := usageAnswer{Table: t.Name, N: e.Len(), Ways: e.Ways(), CodeLength: e.CodeLength()}
	for _, counts := range index.Usage() {
		u := useOf(counts)
		answer.Digits = append(answer.Digits, u)
		answer.Evenness += u.Evenness / float64(e.CodeLength())
	}
	return writeJSON(w, http.StatusOK, answer)
}

// useOf measures how evenly the values of a digit are used.
func useOf(counts []int) digitUsage {
	u := digitUsage{Counts: counts}
	n := 0
	for _, count := range counts {
		n += count
	}
	for _, count := range counts {
		if count == 0 {
			u.Unused++
			continue
		}
		p := float64(count) / float64(n)
		u.Entropy -= p * math.Log2(p)
	}
	if len(counts) > 1 {
		u.Evenness = u.Entropy / math.Log2(float64(len(counts)))
	}
	return u
}
