package serve

import (
	"net/http"
	"time"

	"github.com/kdcode/kdcode"
)

// summary is a table in the list of all.
type summary struct {
	Name        string `json:"name"`
	N           int    `json:"n"`
	Dim         int    `json:"dim"`
	Ways        int    `json:"ways"`
	CodeLength  int    `json:"code_length"`
	HasSymbols  bool   `json:"has_symbols"`
	HasOriginal bool   `json:"has_original"`
}

func (t *table) summary(e *edition) summary {
	return summary{t.Name, e.Len(), e.Dim(), e.Ways(), e.CodeLength(), e.HasSymbols(), t.Original != nil}
}

// listTables is the route of all tables.
func (s *Server) listTables(w http.ResponseWriter, _ *http.Request) error {
	all := []summary{}
	for _, t := range s.tables {
		if e := t.hold(); e != nil {
			all = append(all, t.summary(e))
			e.release()
		}
	}
	return writeJSON(w, http.StatusOK, map[string][]summary{"tables": all})
}

// description is all about a table. The names are those of kd info.
type description struct {
	summary
	CodeDim     int               `json:"code_dim"`
	Composition string            `json:"composition"`
	DType       string            `json:"dtype"`
	Shared      bool              `json:"shared"`
	Version     int               `json:"version"`
	Bits        bits              `json:"bits"`
	Ratio       float64           `json:"ratio"`
	Paper       paper             `json:"paper"`
	Metadata    map[string]string `json:"metadata"`
	Opened      time.Time         `json:"opened"`
	MapSize     int               `json:"map_size"`
}

type bits struct {
	Codes      int64 `json:"codes"`
	Parameters int64 `json:"parameters"`
	Symbols    int64 `json:"symbols"`
	Full       int64 `json:"full"`
}

// paper is the size in bits by the definition of the paper.
type paper struct {
	kdcode.Paper
	Total int64   `json:"total"`
	Ratio float64 `json:"ratio"`
}

// describe is the route of one table.
func (s *Server) describe(w http.ResponseWriter, _ *http.Request, t *table, e *edition) error {
	info, size := e.Info(), e.Size()
	if info.Metadata == nil {
		info.Metadata = map[string]string{}
	}
	total := size.Paper.Total()
	return writeJSON(w, http.StatusOK, description{
		summary: t.summary(e),
		CodeDim: info.CodeDim, Composition: string(info.Composition), DType: string(info.DType), Shared: info.Shared, Version: info.Version,
		Bits: bits{size.Codes, size.Parameters, size.Symbols, size.Full}, Ratio: size.Ratio(),
		Paper:    paper{size.Paper, total, float64(size.Full) / float64(total)},
		Metadata: info.Metadata, Opened: e.opened.UTC(), MapSize: min(s.options.MapSize, e.Len()),
	})
}
