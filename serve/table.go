package serve

import (
	"context"
	"net/http"
	"os"
	"slices"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
)

// table is a table by name: the newest edition of its file.
type table struct {
	Source
	newest atomic.Pointer[edition]
	served prometheus.Counter // vectors
}

// hold returns the newest edition, to be released by the caller. It is nil
// after the server was closed.
func (t *table) hold() *edition {
	for {
		e := t.newest.Load()
		if e == nil || e.hold() {
			return e
		}
		// Replaced and closed between the two: there is a newer one.
	}
}

// replace makes e the newest edition. Nil closes the table.
func (t *table) replace(e *edition) {
	if old := t.newest.Swap(e); old != nil {
		old.release()
	}
}

// held runs handle with the newest edition of the table that a request names.
func (s *Server) held(handle func(http.ResponseWriter, *http.Request, *table, *edition) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		t, err := s.table(r.PathValue("table"))
		if err != nil {
			return err
		}
		e := t.hold()
		if e == nil {
			return fail(http.StatusServiceUnavailable, "unavailable", "the server is shutting down")
		}
		defer e.release()
		return handle(w, r, t, e)
	}
}

func (s *Server) table(name string) (*table, error) {
	if t, ok := s.byName[name]; ok {
		return t, nil
	}
	f := fail(http.StatusNotFound, "unknown_table", "no table %q; /v1/tables lists those there are", name)
	for _, t := range s.tables {
		f.Suggestions = append(f.Suggestions, t.Name)
	}
	return nil, f
}

// Reloaded says what became of a table in a reload.
type Reloaded struct {
	Name   string `json:"name"`
	Result string `json:"result"`
	Error  string `json:"error,omitempty"`
}

// The results of a reload.
const (
	reloaded  = "reloaded"
	unchanged = "unchanged"
	failed    = "failed"
)

// Reload opens the files again that were replaced, and drops no request. A
// table whose file cannot be opened stays as it was.
func (s *Server) Reload(ctx context.Context) []Reloaded {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	all := []Reloaded{}
	for _, t := range s.tables {
		r := Reloaded{Name: t.Name}
		var err error
		if r.Result, err = s.reload(ctx, t); err != nil {
			r.Error = err.Error()
			s.log.Error("not reloaded", "table", t.Name, "error", err)
		}
		s.metrics.reloads.WithLabelValues(t.Name, r.Result).Inc()
		all = append(all, r)
	}
	return all
}

func (s *Server) reload(ctx context.Context, t *table) (string, error) {
	old := t.hold()
	if old == nil {
		return failed, errShutDown
	}
	defer old.release()
	file, err := os.Stat(t.Path)
	if err != nil {
		return failed, err
	}
	if old.same(file) {
		return unchanged, nil
	}
	e, err := openEdition(t.Path, s.options.Load)
	if err != nil {
		return failed, err
	}
	// What clients use is made before they get the new edition, so that none
	// of them waits for it.
	if err := s.warmAs(ctx, t, e, old); err != nil {
		s.log.Warn("reloaded cold", "table", t.Name, "error", err)
	}
	t.replace(e)
	s.metrics.describe(t.Name, e)
	s.log.Info("reloaded", "table", t.Name, "n", e.Len())
	return reloaded, nil
}

// reloadNow is the route.
func (s *Server) reloadNow(w http.ResponseWriter, r *http.Request) error {
	all := s.Reload(context.WithoutCancel(r.Context()))
	status := http.StatusOK
	if slices.ContainsFunc(all, func(r Reloaded) bool { return r.Result == failed }) {
		status = http.StatusInternalServerError
	}
	return writeJSON(w, status, map[string][]Reloaded{"tables": all})
}
