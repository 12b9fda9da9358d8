package search

import (
	"errors"
	"fmt"
	"math"
	"runtime"
)

// ErrQuery is wrapped by errors about a query that does not fit the table.
var ErrQuery = errors.New("search: query does not fit")

// Options are the choices of a search. The zero value finds nothing: Limit
// must be set.
type Options struct {
	Limit   int               // neighbours a query
	Metric  Metric            // empty is Cosine
	Allow   *Set              // only these ids; nil allows all
	Skip    func(id int) bool // leaves symbols out; called concurrently
	Threads int               // 0 is one for each core
}

// threads returns how many goroutines may work at a time.
func (o *Options) threads() int {
	if o.Threads < 1 {
		return runtime.GOMAXPROCS(0)
	}
	return o.Threads
}

// allows reports whether id may be found.
func (o *Options) allows(id int) bool {
	return (o.Allow == nil || o.Allow.Has(id)) && (o.Skip == nil || !o.Skip(id))
}

// check fills in the metric, and returns an error where the options or the
// queries do not fit vectors of width d.
func (o *Options) check(queries [][]float32, d int) error {
	if o.Metric == "" {
		o.Metric = Cosine
	}
	if _, err := ParseMetric(string(o.Metric)); err != nil {
		return err
	}
	for i, q := range queries {
		if len(q) != d {
			return fmt.Errorf("%w: query %d has %d numbers, the table's vectors %d", ErrQuery, i, len(q), d)
		}
		for j, x := range q {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return fmt.Errorf("%w: number %d of query %d is %v; give finite numbers", ErrQuery, j, i, x)
			}
		}
	}
	return nil
}
