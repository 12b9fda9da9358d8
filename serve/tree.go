package serve

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/kdcode/kdcode/search"
)

// prefixAnswer is a node of the tree of codes.
type prefixAnswer struct {
	Table   string      `json:"table"`
	Digits  []uint16    `json:"digits"`
	Count   int         `json:"count"`
	Next    []int       `json:"next"`
	Offset  int         `json:"offset"`
	Symbols []codedWord `json:"symbols"`
	More    bool        `json:"more"`
}

type codedWord struct {
	word
	Code []uint16 `json:"code"`
}

// Pages of a node's symbols.
const (
	usualPage = 50
	mostPage  = 1000
)

// prefix is the route.
func (s *Server) prefix(w http.ResponseWriter, r *http.Request, t *table, e *edition) error {
	digits, err := parseDigits(r.URL.Query().Get("digits"), e.Ways(), e.CodeLength())
	if err != nil {
		return err
	}
	offset, err := number(r, "offset", 0, 0, math.MaxInt32)
	if err != nil {
		return err
	}
	limit, err := number(r, "limit", usualPage, 0, mostPage)
	if err != nil {
		return err
	}
	group, err := s.group(r, e, digits)
	if err != nil {
		return err
	}
	answer := prefixAnswer{Table: t.Name, Digits: digits, Count: group.Count, Next: []int{}, Offset: offset, Symbols: []codedWord{}}
	if len(digits) < e.CodeLength() {
		answer.Next = make([]int, e.Ways())
	}
	for _, child := range group.Children {
		answer.Next[child.Digit] = child.Count
	}
	// In the order of codes; the lowest ids are wanted.
	ids := lowest(group.IDs(0, group.Count), offset+limit)
	for _, id := range ids[min(offset, len(ids)):] {
		word, err := e.word(id)
		if err != nil {
			return err
		}
		answer.Symbols = append(answer.Symbols, codedWord{word, e.Code(nil, id)})
	}
	answer.More = offset+len(answer.Symbols) < group.Count
	return writeJSON(w, http.StatusOK, answer)
}

// group returns the symbols whose codes begin with those digits. The first call
// sorts all codes.
func (s *Server) group(r *http.Request, e *edition, digits []uint16) (search.Group, error) {
	ctx, cancel := context.WithTimeout(r.Context(), s.options.Limits.Time)
	defer cancel()
	index, err := e.searchIndex(ctx)
	if err != nil {
		return search.Group{}, err
	}
	leave, err := s.searches.enter(ctx)
	if err != nil {
		return search.Group{}, err
	}
	defer leave()
	return index.Prefix(digits)
}

// parseDigits reads digits such as 3-1-0.
func parseDigits(text string, ways, length int) ([]uint16, error) {
	digits := []uint16{}
	if text == "" {
		return digits, nil
	}
	for field := range strings.SplitSeq(text, "-") {
		digit, err := strconv.ParseUint(field, 10, 16)
		if err != nil || int(digit) >= ways {
			return nil, badRequest("%q is no digit; digits are 0 to %d, with - between them", field, ways-1)
		}
		digits = append(digits, uint16(digit))
	}
	if len(digits) > length {
		return nil, badRequest("%d digits; the codes have %d", len(digits), length)
	}
	return digits, nil
}
