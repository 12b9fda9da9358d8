package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"sync"
	"sync/atomic"
)

// Server answers for tables. It is safe for concurrent use.
type Server struct {
	options   Options
	log       *slog.Logger
	tables    []*table // in the order given
	byName    map[string]*table
	mux       *http.ServeMux
	metrics   *metrics
	searches  gate
	token     []byte // its hash; nil asks none
	reloading sync.Mutex
	draining  atomic.Bool
	local     atomic.Bool // listens to this machine only
}

// errShutDown is what a reload meets at the end.
var errShutDown = errors.New("serve: the server is shutting down")

// tableName is what tables may be called: names stand in paths and in metrics.
var tableName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// New opens the tables and returns their server.
func New(sources []Source, o Options) (*Server, error) {
	o.fill()
	s := &Server{options: o, log: o.Log, byName: map[string]*table{}, metrics: newMetrics(), searches: make(gate, o.Limits.Searches)}
	if o.Token != "" {
		s.token = hashed(o.Token)
	}
	for _, source := range sources {
		if err := s.open(source); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	if len(s.tables) == 0 {
		return nil, errors.New("serve: no tables; give at least one code file")
	}
	s.mux = s.routes()
	return s, nil
}

func (s *Server) open(source Source) error {
	if !tableName.MatchString(source.Name) {
		return fmt.Errorf("serve: a table cannot be called %q; use letters, digits, dots, dashes and underscores", source.Name)
	}
	if s.byName[source.Name] != nil {
		return fmt.Errorf("serve: two tables are called %q; give another name, NAME=FILE", source.Name)
	}
	e, err := openEdition(source.Path, s.options.Load)
	if err != nil {
		return err
	}
	t := &table{Source: source, served: s.metrics.vectors.WithLabelValues(source.Name)}
	t.replace(e)
	s.tables = append(s.tables, t)
	s.byName[t.Name] = t
	s.metrics.describe(t.Name, e)
	if o := source.Original; o != nil && o.vectors.Dim() != e.Dim() {
		return fmt.Errorf("%s: the vectors have width %d, those of the original %d; give the table it was made from", source.Path, e.Dim(), o.vectors.Dim())
	}
	if source.Map != nil {
		if err := source.Map.check(e); err != nil {
			return err
		}
	}
	return nil
}

// Warm makes what searches and the explorer page need, so that the first who
// asks need not wait.
func (s *Server) Warm(ctx context.Context) error {
	var errs []error
	for _, t := range s.tables {
		e := t.hold()
		if e == nil {
			return errShutDown
		}
		errs = append(errs, s.warm(ctx, t, e, true, true, true))
		e.release()
	}
	return errors.Join(errs...)
}

// warmAs makes of e what clients used of old.
func (s *Server) warmAs(ctx context.Context, t *table, e, old *edition) error {
	index, order, chart := old.index.inUse(), old.order.inUse(), old.chart.inUse()
	if index {
		e.index.use()
	}
	if order {
		e.order.use()
	}
	if chart {
		e.chart.use()
	}
	return s.warm(ctx, t, e, index, order, chart)
}

func (s *Server) warm(ctx context.Context, t *table, e *edition, index, order, chart bool) error {
	var errs []error
	if index {
		_, err := e.index.get(ctx, e.makeIndex())
		errs = append(errs, err)
	}
	if order && e.HasSymbols() {
		_, err := e.order.get(ctx, e.makeOrder())
		errs = append(errs, err)
	}
	if chart {
		_, err := e.chart.get(ctx, s.makeMap(t, e))
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Close closes the tables, each after the last request that uses it.
func (s *Server) Close() error {
	s.draining.Store(true)
	s.reloading.Lock()
	defer s.reloading.Unlock()
	for _, t := range s.tables {
		t.replace(nil)
	}
	return nil
}

// gate lets so many requests do heavy work at the same time.
type gate chan struct{}

// enter waits for a place; leave gives it back.
func (g gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g <- struct{}{}:
		return g.leave, nil
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return nil, fail(http.StatusServiceUnavailable, "busy", "the server searches for others; try again later")
		}
		return nil, ctx.Err()
	}
}

// try enters only where there is a place.
func (g gate) try() (leave func(), ok bool) {
	select {
	case g <- struct{}{}:
		return g.leave, true
	default:
		return nil, false
	}
}

func (g gate) leave() { <-g }
