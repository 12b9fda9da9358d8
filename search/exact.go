package search

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/kdcode/kdcode"
)

// ErrQuery is wrapped by errors about a query that does not fit the table.
var ErrQuery = errors.New("search: query does not fit")

// Options are the choices of a search. The zero value finds nothing: Limit
// must be set.
type Options struct {
	Limit   int               // neighbours a query
	Metric  Metric            // empty is Cosine
	Skip    func(id int) bool // leaves symbols out; called concurrently
	Threads int               // 0 is one for each core
}

// chunk is how many vectors are composed at a time: few enough for the cache.
const chunk = 512

// Exact returns the nearest neighbours of each query, the nearest first.
func Exact(ctx context.Context, t *kdcode.Table, queries [][]float32, o Options) ([][]Neighbour, error) {
	if o.Metric == "" {
		o.Metric = Cosine
	}
	scorers := make([]scorer, len(queries))
	for i, q := range queries {
		if len(q) != t.Dim() {
			return nil, fmt.Errorf("%w: query %d has %d numbers, the table's vectors %d", ErrQuery, i, len(q), t.Dim())
		}
		scorers[i] = newScorer(o.Metric, q)
	}
	threads := o.Threads
	if threads < 1 {
		threads = runtime.GOMAXPROCS(0)
	}
	parts := make([][]best, threads)
	failures := make([]error, threads)
	var workers sync.WaitGroup
	for w := range threads {
		workers.Go(func() {
			parts[w], failures[w] = scan(ctx, t, scorers, o, w, threads)
		})
	}
	workers.Wait()
	if err := errors.Join(failures...); err != nil {
		return nil, err
	}
	return merge(parts, len(queries), o.Limit), nil
}

// scan scores every threads-th chunk of the table, beginning with the first-th.
func scan(ctx context.Context, t *kdcode.Table, scorers []scorer, o Options, first, threads int) ([]best, error) {
	found := make([]best, len(scorers))
	for i := range found {
		found[i].limit = o.Limit
	}
	d := t.Dim()
	ids, vectors := make([]int, 0, chunk), make([]float32, chunk*d)
	for start := first * chunk; start < t.Len(); start += threads * chunk {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ids = ids[:0]
		for id := start; id < min(start+chunk, t.Len()); id++ {
			if o.Skip == nil || !o.Skip(id) {
				ids = append(ids, id)
			}
		}
		if err := t.LookupBatch(vectors[:len(ids)*d], ids); err != nil {
			return nil, err
		}
		for i, id := range ids {
			v := vectors[i*d:][:d]
			n := norm(v)
			for q := range scorers {
				found[q].offer(Neighbour{id, scorers[q].score(v, n)})
			}
		}
	}
	return found, nil
}

// merge joins what the workers found of each query.
func merge(parts [][]best, queries, limit int) [][]Neighbour {
	all := make([][]Neighbour, queries)
	for q := range all {
		b := best{limit: limit}
		for _, part := range parts {
			for _, n := range part[q].heap {
				b.offer(n)
			}
		}
		all[q] = b.sorted()
	}
	return all
}
