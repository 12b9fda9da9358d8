package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// A runner runs an operation once, on one backend, and returns how long it took.
type runner func() (time.Duration, error)

// measured is what can be measured: how to prepare it for a backend, and what to
// do when it is not needed any more.
type measured struct {
	name, shape string
	unit        string
	work        float64
	open        func(ctx context.Context, b compute.Backend) (run runner, stop func(), err error)
}

// fewestRuns are done of each operation, however long they take.
const fewestRuns = 3

func measureEngine(ctx context.Context, s *streams, o benchEngineOptions) (*benchEngineResult, error) {
	r := &benchEngineResult{Beside: o.beside, Kernels: kernels(), Threads: runtime.GOMAXPROCS(0), Elements: o.elements}
	var backends []compute.Backend
	for _, name := range []string{o.backend, o.beside} {
		if name == "" {
			continue
		}
		b, opened, err := openBackend(name)
		if err != nil {
			return nil, err
		}
		defer b.Finalize()
		if len(backends) == 0 {
			r.Backend = opened
		}
		backends = append(backends, b)
	}
	s.progress.note("measuring a copy")
	r.CopyNS = measureCopy(ctx, o.elements, r.Threads, o.seconds)
	for _, m := range chosen(o) {
		s.progress.note("measuring " + m.name + " " + m.shape)
		timings, err := takeTurns(ctx, m, backends, o.seconds)
		if err != nil {
			return nil, fmt.Errorf("measuring %s %s: %w", m.name, m.shape, err)
		}
		result := benchEngineOperation{Name: m.name, Shape: m.shape, Unit: m.unit, Engine: timings[0]}
		if len(timings) > 1 {
			result.Beside, result.Ratio = timings[1], timings[1].NS/timings[0].NS
		}
		r.Operations = append(r.Operations, result)
	}
	return r, nil
}

// chosen returns what the options ask for.
func chosen(o benchEngineOptions) []measured {
	var all []measured
	for _, op := range operations(o.elements) {
		all = append(all, measured{op.name, op.shape, op.unit, op.work, op.open})
	}
	all = append(all, languageModels(o)...)
	only := regexp.MustCompile(o.only)
	return slices.DeleteFunc(all, func(m measured) bool { return !only.MatchString(m.name + " " + m.shape) })
}

// takeTurns measures on each of the backends, one run at a time.
func takeTurns(ctx context.Context, m measured, backends []compute.Backend, seconds float64) ([]benchEngineTiming, error) {
	runs := make([]runner, len(backends))
	for i, b := range backends {
		run, stop, err := m.open(ctx, b)
		if err != nil {
			return nil, err
		}
		defer stop()
		if _, err := run(); err != nil { // compiles, and touches memory
			return nil, err
		}
		runs[i] = run
	}
	ns := make([][]float64, len(backends))
	limit := time.Duration(seconds * float64(time.Second))
	for began, n := time.Now(), 0; n < fewestRuns || time.Since(began) < limit; n++ {
		for i, run := range runs {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			spent, err := run()
			if err != nil {
				return nil, err
			}
			ns[i] = append(ns[i], float64(spent))
		}
	}
	timings := make([]benchEngineTiming, len(backends))
	for i, list := range ns {
		timings[i] = benchEngineTiming{NS: median(list), MinNS: list[0], Runs: len(list)}
		if m.unit != "" {
			timings[i].Rate = m.work / timings[i].NS
		}
	}
	return timings, nil
}

// open compiles the graph, and puts what it is fed with where the backend is.
func (o operation) open(_ context.Context, b compute.Backend) (runner, func(), error) {
	exec, err := graph.NewExec(b, o.build)
	if err != nil {
		return nil, nil, err
	}
	var args []any
	feeds := o.feeds(rand.New(rand.NewPCG(1, 2)))
	for _, t := range feeds {
		args = append(args, t)
	}
	run := func() (time.Duration, error) {
		began := time.Now()
		results, err := exec.Call(args...)
		spent := time.Since(began)
		if err != nil {
			return 0, err
		}
		return spent, finalizeAll(results)
	}
	stop := func() {
		exec.Finalize()
		_ = finalizeAll(feeds)
	}
	return run, stop, nil
}

func finalizeAll(list []*tensors.Tensor) error {
	for _, t := range list {
		if err := t.FinalizeAll(); err != nil {
			return err
		}
	}
	return nil
}

// measureCopy returns the median time of copying n floats by so many threads.
func measureCopy(ctx context.Context, n, threads int, seconds float64) float64 {
	src, dst := make([]float32, n), make([]float32, n)
	for i := range src {
		src[i], dst[i] = 1, 2
	}
	var ns []float64
	for end := time.Now().Add(time.Duration(seconds * float64(time.Second))); len(ns) < fewestRuns || ctx.Err() == nil && time.Now().Before(end); {
		began := time.Now()
		var done sync.WaitGroup
		for i := range threads {
			from, to := i*n/threads, (i+1)*n/threads
			done.Go(func() { copy(dst[from:to], src[from:to]) })
		}
		done.Wait()
		ns = append(ns, float64(time.Since(began)))
	}
	return median(ns)
}
