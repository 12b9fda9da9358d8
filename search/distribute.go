package search

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// most is how many queries are sought at a time: more of their tables would
// not fit the cache.
const most = 32

// distribute seeks groups of queries on several goroutines. Where there are
// fewer groups than goroutines, several share the table for each.
func (x *Index) distribute(ctx context.Context, found [][]Neighbour, queries [][]float32, o Options) error {
	threads := o.threads()
	size := min(most, (len(queries)+threads-1)/threads)
	groups := (len(queries) + size - 1) / size
	parts := max(1, threads/groups)
	heaps := make([][]best, groups*parts) // by group, then part: of each query
	failures := make([]error, threads)
	var next atomic.Int64
	var workers sync.WaitGroup
	for w := range min(threads, len(heaps)) {
		workers.Go(func() {
			for failures[w] == nil {
				task := int(next.Add(1)) - 1
				if task >= len(heaps) {
					return
				}
				g := task / parts
				group := queries[g*size : min((g+1)*size, len(queries))]
				heaps[task], failures[w] = x.seek(ctx, group, &o, task%parts, parts)
			}
		})
	}
	workers.Wait()
	if err := errors.Join(failures...); err != nil {
		return err
	}
	for g := range groups {
		group := found[g*size : min((g+1)*size, len(queries))]
		copy(group, merge(heaps[g*parts:][:parts], len(group), o.Limit))
	}
	return nil
}

// seek finds the best of each query in one of so many parts of the table.
func (x *Index) seek(ctx context.Context, queries [][]float32, o *Options, part, parts int) ([]best, error) {
	targets := make([]*target, len(queries))
	for i, q := range queries {
		targets[i] = x.newTarget(q, o)
	}
	scan := x.scanRows
	if x.codes.blocks != nil {
		scan = x.scanBlocks
	}
	if err := scan(ctx, targets, o, part, parts); err != nil {
		return nil, err
	}
	found, v := make([]best, len(queries)), make([]float32, x.table.Dim())
	for i, t := range targets {
		var err error
		if found[i], err = t.settle(v); err != nil {
			return nil, err
		}
	}
	return found, nil
}
