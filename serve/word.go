package serve

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/kdcode/kdcode/internal/spelling"
)

// word is a symbol of a table, or in a table without them, an id.
type word struct {
	ID     int     `json:"id"`
	Symbol *string `json:"symbol,omitempty"` // nil in a table without; the empty symbol is one
}

// word returns the word of that id.
func (e *edition) word(id int) (word, error) {
	if id < 0 || id >= e.Len() {
		return word{}, unknownID(id, e.Len())
	}
	w := word{ID: id}
	if e.HasSymbols() {
		symbol, err := e.Symbol(id)
		if err != nil {
			return w, err
		}
		w.Symbol = &symbol
	}
	return w, nil
}

// idOf returns the id of a symbol.
func (s *Server) idOf(ctx context.Context, e *edition, symbol string) (int, error) {
	if id, ok := e.ID(symbol); ok {
		return id, nil
	}
	return 0, s.unknownSymbol(ctx, e, symbol)
}

func unknownID(id, n int) error {
	return fail(http.StatusNotFound, "unknown_id", "no id %d; ids are 0 to %d", id, n-1)
}

// spellingTime is the most that is spent on finding what a client may have
// meant.
const spellingTime = 250 * time.Millisecond

// unknownSymbol is the error for a symbol that the table does not have.
func (s *Server) unknownSymbol(ctx context.Context, e *edition, symbol string) error {
	if !e.HasSymbols() {
		return fail(http.StatusBadRequest, "no_symbols", "the table has no symbols; ask by id")
	}
	f := fail(http.StatusNotFound, "unknown_symbol", "no symbol %q; check the spelling", symbol)
	// All symbols are compared. Where the server has better to do, clients do
	// without.
	leave, ok := s.searches.try()
	if !ok {
		return f
	}
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, spellingTime)
	defer cancel()
	near, err := spelling.Nearest(ctx, e.Symbols(), symbol)
	if err == nil && len(near) > 0 {
		f.Message = "no symbol " + strconv.Quote(symbol) + "; there are others spelled like it"
		f.Suggestions = near
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	return f
}

// wantedOne returns the id that a request for one word names: by its path, or
// by its query.
func (s *Server) wantedOne(r *http.Request, e *edition) (int, error) {
	if symbol := r.PathValue("symbol"); symbol != "" {
		return s.idOf(r.Context(), e, symbol)
	}
	q := r.URL.Query()
	switch {
	case q.Has("symbol") && q.Has("id"):
		return 0, badRequest("give a symbol or an id, not both")
	case q.Has("symbol"):
		return s.idOf(r.Context(), e, q.Get("symbol"))
	case q.Has("id"):
		id, err := strconv.Atoi(q.Get("id"))
		if err != nil {
			return 0, badRequest("id %q is not a whole number", q.Get("id"))
		}
		if id < 0 || id >= e.Len() {
			return 0, unknownID(id, e.Len())
		}
		return id, nil
	}
	return 0, badRequest("give a symbol, ?symbol=cat, or an id, ?id=5")
}

// number returns a whole number of a request's query.
func number(r *http.Request, name string, missing, least, most int) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return missing, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, badRequest("%s=%s: give a whole number from %d to %d", name, text, least, most)
	}
	return n, nil
}
