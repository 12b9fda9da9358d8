package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/kdcode/kdcode"
)

// Map is the most frequent symbols of a table on a plane. It is what kd map
// writes, as JSON.
type Map struct {
	Method    string     `json:"method"`
	Explained [2]float64 `json:"explained"` // share of the variance along x and y
	IDs       []int      `json:"ids"`
	Symbols   []string   `json:"symbols"` // empty in a table without
	X         []float64  `json:"x"`       // from -1 to 1
	Y         []float64  `json:"y"`
}

// ErrMap is wrapped by errors about a map that is damaged or of another table.
var ErrMap = errors.New("serve: bad map")

// ReadMap reads what kd map wrote.
func ReadMap(r io.Reader) (*Map, error) {
	var m Map
	if err := json.NewDecoder(r).Decode(&m); err != nil {
		return nil, fmt.Errorf("%w: %w; make it with kd map", ErrMap, err)
	}
	if m.IDs == nil || len(m.X) != len(m.IDs) || len(m.Y) != len(m.IDs) || len(m.Symbols) != 0 && len(m.Symbols) != len(m.IDs) {
		return nil, fmt.Errorf("%w: %d ids, %d symbols, %d and %d coordinates; make it with kd map", ErrMap, len(m.IDs), len(m.Symbols), len(m.X), len(m.Y))
	}
	m.Method = projection
	return &m, nil
}

// NewMap projects the first size symbols of t, the most frequent in most
// tables.
func NewMap(ctx context.Context, t *kdcode.Table, size int) (*Map, error) {
	n := min(size, t.Len())
	m := &Map{Method: projection, IDs: make([]int, n), Symbols: []string{}}
	for id := range n {
		m.IDs[id] = id
		if t.HasSymbols() {
			symbol, err := t.Symbol(id)
			if err != nil {
				return nil, err
			}
			m.Symbols = append(m.Symbols, strings.ToValidUTF8(symbol, "\uFFFD"))
		}
	}
	rows := make([]float32, n*t.Dim())
	if err := t.LookupBatch(rows, m.IDs); err != nil {
		return nil, err
	}
	var err error
	m.X, m.Y, m.Explained, err = project(ctx, rows, t.Dim())
	return m, err
}

// check returns an error unless m is of this table.
func (m *Map) check(e *edition) error {
	for i, id := range m.IDs {
		if id < 0 || id >= e.Len() {
			return fmt.Errorf("%w: no id %d in the table; make the map anew with kd map", ErrMap, id)
		}
		if len(m.Symbols) == 0 || !e.HasSymbols() {
			continue
		}
		symbol, err := e.Symbol(id)
		if err != nil {
			return err
		}
		if symbol = strings.ToValidUTF8(symbol, "\uFFFD"); symbol != m.Symbols[i] {
			return fmt.Errorf("%w: id %d is %q in the table, %q on the map; make the map anew with kd map", ErrMap, id, symbol, m.Symbols[i])
		}
	}
	return nil
}

// makeMap makes the map of a table: that which was given, if it fits.
func (s *Server) makeMap(t *table, e *edition) func() (*Map, error) {
	return background(e, func() (*Map, error) {
		if t.Map != nil {
			err := t.Map.check(e)
			if err == nil {
				return t.Map, nil
			}
			s.log.Warn("the map does not fit the new file; computing one", "table", t.Name, "error", err)
		}
		return NewMap(context.Background(), e.Table, s.options.MapSize)
	})
}

type mapAnswer struct {
	Table string `json:"table"`
	*Map
	Digits []mapDigit `json:"digits"`
}

type mapDigit struct {
	Digit  int      `json:"digit"`
	Values []uint16 `json:"values"`
}

// chart is the route.
func (s *Server) chart(w http.ResponseWriter, r *http.Request, t *table, e *edition) error {
	wanted, err := parseColumns(r.URL.Query().Get("digits"), e.CodeLength())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.options.Limits.Time)
	defer cancel()
	m, err := e.chart.use().get(ctx, s.makeMap(t, e))
	if err != nil {
		return err
	}
	answer := mapAnswer{t.Name, m, []mapDigit{}}
	for _, digit := range wanted {
		answer.Digits = append(answer.Digits, mapDigit{digit, make([]uint16, len(m.IDs))})
	}
	if len(wanted) > 0 {
		var code []uint16
		for i, id := range m.IDs {
			if code = e.Code(code[:0], id); code == nil {
				return kdcode.ErrClosed
			}
			for _, d := range answer.Digits {
				d.Values[i] = code[d.Digit]
			}
		}
	}
	return writeJSON(w, http.StatusOK, answer)
}

// parseColumns reads which digits of the codes to show: such as 0,3, or all.
func parseColumns(text string, length int) ([]int, error) {
	var columns []int
	switch text {
	case "":
		return nil, nil
	case "all":
		for j := range length {
			columns = append(columns, j)
		}
		return columns, nil
	}
	for field := range strings.SplitSeq(text, ",") {
		j, err := strconv.Atoi(field)
		if err != nil || j < 0 || j >= length {
			return nil, badRequest("there is no digit %q; codes have digits 0 to %d, or give all", field, length-1)
		}
		if !slices.Contains(columns, j) {
			columns = append(columns, j)
		}
	}
	return columns, nil
}
