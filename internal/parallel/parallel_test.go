package parallel

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// pools returns pools of 1 to 5 threads, more than most machines lend a test.
func pools() []*pool {
	var list []*pool
	for threads := 1; threads <= 5; threads++ {
		list = append(list, newPool(threads))
	}
	return list
}

func TestEveryIndexOnce(t *testing.T) {
	for _, p := range pools() {
		for _, n := range []int{-1, 0, 1, 2, 3, 7, 8, 100, 1001} {
			for _, grain := range []int{-1, 0, 1, 2, 8, 99, 2000} {
				seen := make([]atomic.Int32, max(n, 0))
				p.run(n, grain, func(from, to int) {
					if to-from < min(grain, n) {
						t.Errorf("a range of %d; n is %d, grain %d", to-from, n, grain)
					}
					for i := from; i < to; i++ {
						seen[i].Add(1)
					}
				})
				for i := range seen {
					if got := seen[i].Load(); got != 1 {
						t.Fatalf("%d threads, n %d, grain %d: index %d was run %d times", p.threads, n, grain, i, got)
					}
				}
			}
		}
	}
}

func TestDivide(t *testing.T) {
	for _, c := range []struct{ threads, n, grain, want int }{
		{1, 1000, 1, 1},
		{2, 1, 1, 1},
		{2, 1000, 1001, 1},
		{2, 1000, 501, 1},
		{2, 1000, 500, 2},
		{2, 1000, 300, 2}, // three would keep one thread waiting
		{2, 1000, 1, 32},
		{4, 1000, 400, 2},
	} {
		p := &pool{threads: c.threads}
		if got := p.divide(c.n, c.grain); got != c.want {
			t.Errorf("%d of grain %d for %d threads: %d ranges, want %d", c.n, c.grain, c.threads, got, c.want)
		}
	}
}

// TestSleep holds that loops find workers which have gone to sleep.
func TestSleep(t *testing.T) {
	p := newPool(3)
	for range 20 {
		var sum atomic.Int64
		p.run(1000, 1, func(from, to int) {
			time.Sleep(time.Microsecond)
			sum.Add(int64(to - from))
		})
		if sum.Load() != 1000 {
			t.Fatalf("%d indices were run", sum.Load())
		}
		time.Sleep(4 * patience)
	}
}

// TestTwoAtOnce holds that a worker helps: two ranges wait for each other.
func TestTwoAtOnce(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("one processor")
	}
	p := newPool(2)
	var inside sync.WaitGroup
	inside.Add(2)
	p.run(2, 1, func(int, int) {
		inside.Done()
		inside.Wait()
	})
}

func TestNested(t *testing.T) {
	p := newPool(4)
	var sum atomic.Int64
	p.run(10, 1, func(from, to int) {
		for i := from; i < to; i++ {
			calls := 0
			p.run(100, 1, func(from, to int) {
				calls++
				sum.Add(int64(to - from))
			})
			if calls != 1 {
				t.Errorf("a nested loop ran in %d ranges", calls)
			}
		}
	})
	if sum.Load() != 1000 {
		t.Errorf("%d indices were run", sum.Load())
	}
}

func TestConcurrentCallers(t *testing.T) {
	p := newPool(3)
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for range 200 {
				var sum atomic.Int64
				p.run(50, 1, func(from, to int) { sum.Add(int64(to - from)) })
				if sum.Load() != 50 {
					t.Errorf("%d indices were run", sum.Load())
				}
			}
		})
	}
	callers.Wait()
}

// explode is where the stack of a panic must point to.
func explode(value any) { panic(value) }

func panicOf(f func()) (p *Panic) {
	defer func() { p, _ = recover().(*Panic) }()
	f()
	return nil
}

func TestPanic(t *testing.T) {
	cause := errors.New("the cause")
	for _, p := range pools() {
		for _, nested := range []bool{false, true} {
			for at := range 8 {
				f := func(from, to int) {
					if from <= at && at < to {
						explode(cause)
					}
				}
				if nested {
					inner := f
					f = func(from, to int) { p.run(1, 1, func(int, int) { inner(from, to) }) }
				}
				got := panicOf(func() { p.run(8, 1, f) })
				if got == nil || got.Value != cause || !errors.Is(got, cause) {
					t.Fatalf("%d threads, range %d: panics with %v", p.threads, at, got)
				}
				if !strings.Contains(string(got.Stack), "explode") || !strings.Contains(got.Error(), "the cause") {
					t.Fatalf("the stack does not show where: %v", got)
				}
			}
		}
		// The pool goes on.
		var sum atomic.Int64
		p.run(100, 1, func(from, to int) { sum.Add(int64(to - from)) })
		if sum.Load() != 100 {
			t.Errorf("after panics %d indices were run", sum.Load())
		}
	}
}

// TestGoexit holds that a function that ends its goroutine ends no loop but its
// own.
func TestGoexit(t *testing.T) {
	p := newPool(2)
	for range 20 {
		var ended sync.WaitGroup
		ended.Go(func() {
			got := panicOf(func() { p.run(8, 1, func(int, int) { runtime.Goexit() }) })
			if got != nil && !errors.Is(got, errGoexit) {
				t.Errorf("panics with %v", got)
			}
		})
		ended.Wait()
		var sum atomic.Int64
		p.run(100, 1, func(from, to int) { sum.Add(int64(to - from)) })
		if sum.Load() != 100 {
			t.Fatalf("%d indices were run", sum.Load())
		}
	}
}

// TestAllocations holds that a loop allocates nothing, and starts its workers
// once.
func TestAllocations(t *testing.T) {
	p := newPool(3)
	var sum atomic.Int64
	f := func(from, to int) { sum.Add(int64(to - from)) }
	p.run(100, 1, f)
	before := runtime.NumGoroutine()
	if allocs := testing.AllocsPerRun(1000, func() { p.run(100, 1, f) }); allocs != 0 {
		t.Errorf("a loop allocates %v times", allocs)
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines, %d before", after, before)
	}
}

func TestFor(t *testing.T) {
	if Threads() != shared.threads || Threads() < 1 {
		t.Fatalf("Threads() = %d", Threads())
	}
	var sum atomic.Int64
	For(1000, 10, func(from, to int) { sum.Add(int64(to - from)) })
	if sum.Load() != 1000 {
		t.Errorf("%d indices were run", sum.Load())
	}
}

// BenchmarkFor measures what dividing costs: the loops do nothing, or as much as
// a small kernel.
func BenchmarkFor(b *testing.B) {
	for _, work := range []int{0, 1000, 10000} {
		x := make([]float32, 1000*Threads())
		f := func(from, to int) {
			for range work / 1000 {
				for i := range x[from:to] {
					x[from+i] += 1
				}
			}
		}
		b.Run(fmt.Sprintf("work=%d", work), func(b *testing.B) {
			for b.Loop() {
				For(len(x), 250, f)
			}
		})
	}
}

// Try returns the error of the first range, whichever is done first, and calls
// all others.
func TestTry(t *testing.T) {
	if err := Try(1000, 10, func(int, int) error { return nil }); err != nil {
		t.Error(err)
	}
	var calls atomic.Int64
	err := Try(1000, 10, func(from, to int) error {
		calls.Add(int64(to - from))
		if from == 0 {
			time.Sleep(time.Millisecond)
		}
		return fmt.Errorf("from %d", from)
	})
	if err == nil || err.Error() != "from 0" || calls.Load() != 1000 {
		t.Errorf("%v after %d", err, calls.Load())
	}
}
