package parallel

import (
	"sync"
	"sync/atomic"
	"time"
)

// rangesPerThread is how many ranges a loop is divided into for each thread:
// enough that a thread which the system held up does not hold up the loop.
const rangesPerThread = 16

// A pool has workers that wait for a loop, help its caller with the ranges, and
// wait for the next.
type pool struct {
	threads int
	busy    sync.Mutex // held by the caller whose loop it is
	start   sync.Once  // of the workers, at the first loop
	workers []*worker

	// The loop under way. Workers read it after they have entered it.
	f         func(from, to int)
	n, ranges int
	failed    atomic.Pointer[Panic]

	_    [64]byte     // what all write has cache lines of its own
	next atomic.Int64 // the range to be run next
	_    [56]byte
	gate gate
}

func newPool(threads int) *pool {
	p := &pool{threads: threads}
	p.gate.empty = make(chan struct{}, 1)
	return p
}

func (p *pool) run(n, grain int, f func(from, to int)) {
	if n <= 0 {
		return
	}
	ranges := p.divide(n, grain)
	if ranges == 1 || !p.busy.TryLock() {
		alone(n, f)
		return
	}
	p.start.Do(p.startWorkers)
	p.f, p.n, p.ranges = f, n, ranges
	p.next.Store(0)
	p.gate.open()
	for _, w := range p.workers[:min(ranges-1, len(p.workers))] {
		w.wake()
	}
	// Deferred, for a function that ends this goroutine.
	defer p.finish()
	p.work()
}

// finish waits for the workers, gives the pool back and passes on a panic.
func (p *pool) finish() {
	p.gate.close()
	p.f = nil
	failed := p.failed.Swap(nil)
	p.busy.Unlock()
	if failed != nil {
		panic(failed)
	}
}

// divide returns the number of ranges of a loop: equally many for each thread
// where there are enough of at least grain.
func (p *pool) divide(n, grain int) int {
	ranges := n / max(grain, 1)
	if p.threads == 1 || ranges <= 1 {
		return 1
	}
	if ranges < p.threads {
		return ranges
	}
	return min(ranges/p.threads, rangesPerThread) * p.threads
}

// alone runs a loop in one range.
func alone(n int, f func(from, to int)) {
	defer func() {
		if value := recover(); value != nil {
			panic(caught(value))
		}
	}()
	f(0, n)
}

// work runs ranges until none is left.
func (p *pool) work() {
	done := false
	defer func() {
		if !done {
			p.failed.CompareAndSwap(nil, caught(recover()))
			p.next.Store(int64(p.ranges)) // no further ones
		}
	}()
	for {
		i := int(p.next.Add(1)) - 1
		if i >= p.ranges {
			break
		}
		p.f(i*p.n/p.ranges, (i+1)*p.n/p.ranges)
	}
	done = true
}

func (p *pool) startWorkers() {
	for range p.threads - 1 {
		w := &worker{pool: p, called: make(chan struct{}, 1)}
		p.workers = append(p.workers, w)
		go w.live()
	}
}

// A worker is a goroutine that helps with the loops of a pool.
type worker struct {
	pool   *pool
	asleep atomic.Bool
	called chan struct{}
}

// wake wakes the worker, should it sleep.
func (w *worker) wake() {
	if w.asleep.Load() && w.asleep.CompareAndSwap(true, false) {
		w.called <- struct{}{}
	}
}

func (w *worker) live() {
	for seen := uint64(0); ; {
		seen = w.await(seen)
		w.help()
	}
}

// help takes part in the loop under way, if there is one still.
func (w *worker) help() {
	if !w.pool.gate.enter() {
		return
	}
	defer w.pool.gate.leave()
	w.pool.work()
}

// patience is how long workers look for a next loop, and callers for the last
// worker to be done, before they sleep. Waking takes several microseconds.
const patience = 50 * time.Microsecond

// await returns the number of a loop after the one seen last.
func (w *worker) await(seen uint64) uint64 {
	gate := &w.pool.gate
	if spin(func() bool { return gate.loop() != seen }) {
		return gate.loop()
	}
	w.asleep.Store(true)
	if gate.loop() != seen && w.asleep.CompareAndSwap(true, false) {
		return gate.loop() // it was opened before its caller could see us asleep
	}
	<-w.called
	return gate.loop()
}

// spin waits for the condition for as long as patience lasts, and returns
// whether it came.
func spin(condition func() bool) bool {
	for start := time.Now(); ; {
		for range 200 {
			if condition() {
				return true
			}
		}
		if time.Since(start) > patience {
			return false
		}
	}
}
