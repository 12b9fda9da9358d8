package main

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/search"
)

// measureSearch measures t; original is nil or the vectors that it was made of.
func measureSearch(ctx context.Context, s *streams, o benchSearchOptions, t *kdcode.Table, original *search.Dense) (*benchSearchResult, error) {
	info := t.Info()
	r := &benchSearchResult{
		File: o.file, N: info.N, Ways: info.K, CodeLength: info.D, Dim: info.Dim, Composition: string(info.Composition), Kernels: kernels(),
		Metric: o.metric, Limit: o.limit, Queries: o.queries, Threads: o.threads,
	}
	began := time.Now()
	index, err := search.NewIndex(t)
	if err != nil {
		return nil, err
	}
	r.OpenMS, r.IndexBytes = float64(time.Since(began))/1e6, index.Bytes()
	b := &searchBench{ctx: ctx, s: s, index: index, rounds: o.rounds,
		options: search.Options{Limit: o.limit + 1, Metric: search.Metric(o.metric), Threads: o.threads}}
	var source search.Source = t
	if original != nil {
		source = original
	}
	if err := b.draw(source, o.queries); err != nil {
		return nil, err
	}
	if r.QueriesPerSecond, r.FastestPerSecond, err = b.speed("one by one", 1); err != nil {
		return nil, err
	}
	r.Batch = searchSlice * o.threads
	if r.BatchQueriesPerSecond, r.BatchFastestPerSecond, err = b.speed("batches", r.Batch); err != nil {
		return nil, err
	}
	found, err := index.Search(ctx, b.queries, b.options)
	if err != nil {
		return nil, err
	}
	found = b.withoutSelf(found)
	s.progress.note("composing and comparing every vector")
	began = time.Now()
	exact, err := search.Exact(ctx, t, b.queries, b.options)
	if err != nil {
		return nil, err
	}
	r.ExactQueriesPerSecond = float64(o.queries) / time.Since(began).Seconds()
	r.Recall = search.Recall(found, b.withoutSelf(exact))
	if original == nil {
		return r, nil
	}
	s.progress.note("comparing every original vector")
	truth, err := search.Exact(ctx, original, b.queries, b.options)
	if err != nil {
		return nil, err
	}
	recall := search.Recall(found, b.withoutSelf(truth))
	r.Original, r.OriginalRecall = o.original, &recall
	return r, nil
}

// searchBench asks an index.
type searchBench struct {
	ctx     context.Context
	s       *streams
	index   *search.Index
	options search.Options // of one neighbour more: the symbol itself
	rounds  int
	ids     []int
	queries [][]float32
}

// draw takes the vectors of random symbols as queries.
func (b *searchBench) draw(t search.Source, n int) error {
	random := rand.New(rand.NewPCG(5, 6))
	data, d := make([]float32, n*t.Dim()), t.Dim()
	for i := range n {
		b.ids = append(b.ids, random.IntN(t.Len()))
		b.queries = append(b.queries, data[i*d:][:d])
	}
	return t.LookupBatch(data, b.ids)
}

// searchSlice is how many queries are timed at a time, on each core. Slices are
// short, so that other programs on a busy machine leave some of them alone.
const searchSlice = 32

// speed returns the queries a second of the median slice and of the fastest
// one. It asks the queries of a slice in batches of that size.
func (b *searchBench) speed(what string, batch int) (middle, fastest float64, err error) {
	slice := max(batch, searchSlice)
	var all []float64
	for round := range b.rounds {
		b.s.progress.update("measuring "+what, round, b.rounds)
		for from := 0; from < len(b.queries); from += slice {
			part := b.queries[from:min(from+slice, len(b.queries))]
			began := time.Now()
			for batch := range slices.Chunk(part, batch) {
				if _, err := b.index.Search(b.ctx, batch, b.options); err != nil {
					return 0, 0, err
				}
			}
			all = append(all, float64(len(part))/time.Since(began).Seconds())
		}
	}
	return median(all), slices.Max(all), nil
}

// withoutSelf leaves each query's own symbol out, or the last neighbour where
// it is not among them.
func (b *searchBench) withoutSelf(found [][]search.Neighbour) [][]search.Neighbour {
	all := make([][]search.Neighbour, len(found))
	for q, near := range found {
		for _, n := range near {
			if n.ID != b.ids[q] && len(all[q]) < b.options.Limit-1 {
				all[q] = append(all[q], n)
			}
		}
	}
	return all
}
