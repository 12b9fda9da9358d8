package additive

import (
	"context"
	"sync"
	"sync/atomic"
)

// pool divides work among threads.
type pool struct{ threads int }

// each calls f for ranges of grain of 0…n-1, the last of which may be shorter.
// No two calls with the same worker, from 0 to threads-1, run at a time. It
// returns the context's error once that is done.
func (p pool) each(ctx context.Context, n, grain int, f func(worker, first, last int)) error {
	ranges := (n + grain - 1) / grain
	var next atomic.Int64
	work := func(worker int) {
		for ctx.Err() == nil {
			r := int(next.Add(1)) - 1
			if r >= ranges {
				return
			}
			f(worker, r*grain, min(n, (r+1)*grain))
		}
	}
	var wg sync.WaitGroup
	for w := 1; w < min(p.threads, ranges); w++ {
		wg.Go(func() { work(w) })
	}
	work(0)
	wg.Wait()
	return ctx.Err()
}
