package search

import (
	"slices"
	"sync"

	"github.com/kdcode/kdcode"
)

// readNorms returns ‖v‖ of all vectors of t, composed on so many goroutines,
// and zeros up to a whole block.
func readNorms(t *kdcode.Table, threads int) ([]float32, error) {
	norms := make([]float32, (t.Len()+block-1)/block*block)
	failures := make([]error, threads)
	var workers sync.WaitGroup
	for w := range threads {
		workers.Go(func() {
			d := t.Dim()
			ids, vectors := make([]int, 0, chunk), make([]float32, chunk*d)
			for start := w * chunk; start < t.Len(); start += threads * chunk {
				ids = ids[:0]
				for id := start; id < min(start+chunk, t.Len()); id++ {
					ids = append(ids, id)
				}
				if failures[w] = t.LookupBatch(vectors[:len(ids)*d], ids); failures[w] != nil {
					return
				}
				for i, id := range ids {
					norms[id] = norm(vectors[i*d:][:d])
				}
			}
		})
	}
	workers.Wait()
	for _, err := range failures {
		if err != nil {
			return nil, err
		}
	}
	return norms, nil
}

// halves returns ‖v‖²/2 of all vectors. The first call computes them.
func (x *Index) halves() []float32 {
	x.halving.Do(func() {
		x.halfSquares = make([]float32, len(x.norms))
		for i, n := range x.norms {
			x.halfSquares[i] = n * n / 2
		}
	})
	return x.halfSquares
}

// longest returns the largest number that bounds of the metric are for.
func (x *Index) longest(m Metric) float64 {
	if m == Euclidean {
		return x.maxNorm * x.maxNorm / 2
	}
	return x.maxNorm
}

// largest is slices.Max of numbers that are not negative, 0 for none.
func largest(x []float32) float64 {
	if len(x) == 0 {
		return 0
	}
	return float64(slices.Max(x))
}
