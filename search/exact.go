package search

import (
	"context"
	"errors"
	"sync"
)

// chunk is how many vectors are composed at a time: few enough for the cache.
const chunk = 512

// Exact returns the nearest neighbours of each query, the nearest first. It
// composes every vector of the table.
func Exact(ctx context.Context, t Source, queries [][]float32, o Options) ([][]Neighbour, error) {
	if err := o.check(queries, t.Dim()); err != nil {
		return nil, err
	}
	scorers := make([]scorer, len(queries))
	for i, q := range queries {
		scorers[i] = newScorer(o.Metric, q)
	}
	threads := o.threads()
	parts := make([][]best, threads)
	failures := make([]error, threads)
	var workers sync.WaitGroup
	for w := range threads {
		workers.Go(func() {
			parts[w], failures[w] = compare(ctx, t, scorers, o, w, threads)
		})
	}
	workers.Wait()
	if err := errors.Join(failures...); err != nil {
		return nil, err
	}
	return merge(parts, len(queries), o.Limit), nil
}

// compare scores every threads-th chunk of the table, beginning with the first-th.
func compare(ctx context.Context, t Source, scorers []scorer, o Options, first, threads int) ([]best, error) {
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
			if o.allows(id) {
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
