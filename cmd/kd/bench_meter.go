package main

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/internal/simd"
)

// A slice of a measurement is so many calls; the median of all slices is what
// is reported: other programs on the machine disturb some of them.
const (
	sliceCalls = 1 << 12
	batchSize  = 256
	manyIDs    = 1 << 20
	opens      = 15
)

// meter measures an open table.
type meter struct {
	ctx     context.Context
	s       *streams
	t       *kdcode.Table
	seconds float64
	ids     []int // random; a multiple of sliceCalls
}

// kernels names the instruction set that lookups use here.
func kernels() string { return simd.Level() }

// randomIDs returns random ids below n: as many as can be looked up in the
// time given, or so many that caches do not hold what they lead to.
func randomIDs(n int, seconds float64) []int {
	const perSecond = 50e6
	rounds := int(min(seconds*perSecond, manyIDs)) / sliceCalls
	random := rand.New(rand.NewPCG(1, 2))
	ids := make([]int, max(rounds, 1)*sliceCalls)
	for i := range ids {
		ids[i] = random.IntN(n)
	}
	return ids
}

// timing is the nanoseconds a call takes: the median of all slices, and the least,
// which other programs on the machine disturb least.
type timing struct{ median, least float64 }

// repeat runs slices of calls for the time given and returns the nanoseconds a
// call takes. Each slice is told where in ids to begin.
func (m *meter) repeat(slice func(from int) error) (timing, error) {
	var ns []float64
	from := 0
	for end := time.Now().Add(m.duration()); len(ns) < 3 || time.Now().Before(end); {
		if err := m.ctx.Err(); err != nil {
			return timing{}, err
		}
		began := time.Now()
		if err := slice(from); err != nil {
			return timing{}, err
		}
		ns = append(ns, float64(time.Since(began))/sliceCalls)
		from = (from + sliceCalls) % len(m.ids)
	}
	return timing{median(ns), slices.Min(ns)}, nil
}

// time puts what a measurement finds where it belongs.
func (m *meter) time(measure func() (timing, error), median, least *float64) error {
	found, err := measure()
	*median, *least = found.median, found.least
	return err
}

func (m *meter) duration() time.Duration { return time.Duration(m.seconds * float64(time.Second)) }

// lookup measures Lookup.
func (m *meter) lookup() (timing, error) {
	v := make([]float32, m.t.Dim())
	return m.repeat(func(from int) error {
		for _, id := range m.ids[from:][:sliceCalls] {
			if err := m.t.Lookup(v, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// batch measures LookupBatch, for each vector.
func (m *meter) batch() (timing, error) {
	v := make([]float32, batchSize*m.t.Dim())
	return m.repeat(func(from int) error {
		for i := from; i < from+sliceCalls; i += batchSize {
			if err := m.t.LookupBatch(v, m.ids[i:][:batchSize]); err != nil {
				return err
			}
		}
		return nil
	})
}

// symbols measures ID for random symbols that the table has. It returns zeros for
// a table without.
func (m *meter) symbols() (timing, error) {
	if !m.t.HasSymbols() {
		return timing{}, nil
	}
	// All in one string: reading the questions should not cost as much as
	// finding the answers.
	var text strings.Builder
	ends := make([]int, len(m.ids))
	for i, id := range m.ids {
		s, err := m.t.Symbol(id)
		if err != nil {
			return timing{}, err
		}
		text.WriteString(s)
		ends[i] = text.Len()
	}
	symbols := make([]string, len(m.ids))
	begin := 0
	for i, end := range ends {
		symbols[i] = text.String()[begin:end]
		begin = end
	}
	return m.repeat(func(from int) error {
		for i, symbol := range symbols[from:][:sliceCalls] {
			if id, ok := m.t.ID(symbol); !ok || id != m.ids[from+i] {
				return dataf("the index leads from %q to %d instead of %d; run kd check", symbol, id, m.ids[from+i])
			}
		}
		return nil
	})
}

// speedup measures how many times as many vectors several goroutines look up
// in batches as one does. The two take turns, so that both meet the same
// disturbances.
func (m *meter) speedup(threads int) (float64, error) {
	turn := min(m.duration()/8, 100*time.Millisecond)
	var ratios []float64
	for end := time.Now().Add(m.duration()); len(ratios) < 3 || time.Now().Before(end); {
		one, err := m.throughput(1, turn)
		if err != nil {
			return 0, err
		}
		many, err := m.throughput(threads, turn)
		if err != nil {
			return 0, err
		}
		ratios = append(ratios, many/one)
	}
	return median(ratios), nil
}

// throughput returns how many batches a second so many goroutines look up.
func (m *meter) throughput(threads int, turn time.Duration) (float64, error) {
	if err := m.ctx.Err(); err != nil {
		return 0, err
	}
	var batches atomic.Int64
	errs := make([]error, threads)
	var running sync.WaitGroup
	began := time.Now()
	for i := range threads {
		running.Go(func() {
			v := make([]float32, batchSize*m.t.Dim())
			from := i * (len(m.ids) / threads) / batchSize * batchSize
			done := int64(0)
			for ; done == 0 || time.Since(began) < turn; done++ {
				if errs[i] = m.t.LookupBatch(v, m.ids[from:][:batchSize]); errs[i] != nil {
					return
				}
				from = (from + batchSize) % len(m.ids)
			}
			batches.Add(done)
		})
	}
	running.Wait()
	spent := time.Since(began)
	for _, err := range errs {
		if err != nil {
			return 0, err
		}
	}
	return float64(batches.Load()) / spent.Seconds(), nil
}

// measureOpen returns the median milliseconds of opening the file, and the
// heap that an open table takes.
func measureOpen(ctx context.Context, path string) (ms float64, heap int64, err error) {
	before := heapInUse()
	t, err := openTable(path)
	if err != nil {
		return 0, 0, err
	}
	heap = heapInUse() - before
	if err := t.Close(); err != nil {
		return 0, 0, err
	}
	var all []float64
	for range opens {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		began := time.Now()
		t, err := kdcode.Open(path)
		if err != nil {
			return 0, 0, err
		}
		all = append(all, float64(time.Since(began))/1e6)
		if err := t.Close(); err != nil {
			return 0, 0, err
		}
	}
	return median(all), heap, nil
}

// heapInUse returns the bytes of live objects.
func heapInUse() int64 {
	runtime.GC()
	runtime.GC() // what the first one's finalizers let go
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
