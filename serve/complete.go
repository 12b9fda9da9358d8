package serve

import (
	"context"
	"net/http"
	"strings"
)

type completeAnswer struct {
	Table   string       `json:"table"`
	Q       string       `json:"q"`
	Symbols []completion `json:"symbols"`
}

type completion struct {
	ID     int    `json:"id"`
	Symbol string `json:"symbol"`
	Match  string `json:"match"`
}

// complete is the route of what someone is typing.
func (s *Server) complete(w http.ResponseWriter, r *http.Request, t *table, e *edition) error {
	limit, err := number(r, "limit", 10, 1, 100)
	if err != nil {
		return err
	}
	if !r.URL.Query().Has("q") {
		return badRequest("give what was typed: ?q=ca")
	}
	if !e.HasSymbols() {
		return s.unknownSymbol(r.Context(), e, "")
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.options.Limits.Time)
	defer cancel()
	order, err := e.symbolOrder(ctx)
	if err != nil {
		return err
	}
	answer := completeAnswer{Table: t.Name, Q: r.URL.Query().Get("q"), Symbols: []completion{}}
	ids, err := order.beginning(answer.Q, limit)
	if err != nil {
		return err
	}
	match := "prefix"
	if len(ids) == 0 {
		match = "near"
		if ids = order.near(answer.Q, limit); len(ids) == 0 {
			ids = order.near(strings.ToLower(answer.Q), limit)
		}
	}
	for _, id := range ids {
		symbol, err := e.Symbol(id)
		if err != nil {
			return err
		}
		answer.Symbols = append(answer.Symbols, completion{id, symbol, match})
	}
	return writeJSON(w, http.StatusOK, answer)
}
