package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// mixed has steps of all kinds: loops, chains, sinks, products, rows, random bits,
// and parts that the Go backend runs, which read ours and are read.
func mixed(f compute.Function) []value {
	x, y := must(f.Parameter("x", floats(40, 33), nil)), must(f.Parameter("y", floats(33, 40), nil))
	state := must(f.Parameter("state", shapes.Make(dtypes.Uint64, 3), nil))
	index := must(f.Parameter("index", shapes.Make(dtypes.Int32, 7, 1), nil))
	p := matMul(f, x, y) // [40, 40]
	soft := must(f.FusedSoftmax(p, 1))
	turned := must(f.Reverse(must(f.Mul(must(f.Add(soft, p)), must(f.Transpose(p, 1, 0)))), 0))
	rows := must(f.Gather(turned, index, 1, []int{1}, []int{0}, []int{0}, []int{1, 40}, false))
	added := must(f.ScatterSum(p, index, rows, 1, []int{1}, []int{0}, []int{0}, false, false))
	after, bits, err := f.RNGBitGenerator(state, shapes.Make(dtypes.Uint32, 40, 40))
	if err != nil {
		panic(err)
	}
	noise := must(f.ConvertDType(bits, dtypes.Float32))
	wide := must(f.Tanh(must(f.ConvertDType(noise, dtypes.Float64))))
	return []value{
		must(f.Sub(x, must(f.ReduceMax(added)))), added, must(f.ReduceSum(turned, 0)), wide,
		must(f.Slice(after, []int{0}, []int{2}, nil)), must(f.CumSum(rows, 1, compute.CumSumOptions{})), x,
	}
}

// TestFinalizeWhileRunning runs an executable in several goroutines, each with
// other inputs and donations, until it is finalized: a call gives what it gave
// alone, or says that the computation is finalized.
func TestFinalizeWhileRunning(t *testing.T) {
	b := newBackend(t)
	e := compileWith(t, b, mixed)
	run := func(of int, donate []bool) ([]any, error) {
		seed := uint64(of)
		results, err := e.Execute([]compute.Buffer{
			buffer(t, b, random(40*33, seed), 40, 33), buffer(t, b, random(33*40, seed+100), 33, 40),
			buffer(t, b, []uint64{seed, 5, 7}, 3), buffer(t, b, []int32{0, 3, 39, 3, int32(of), 1, 2}, 7, 1),
		}, donate, 0)
		if err != nil {
			return nil, err
		}
		var all []any
		for _, out := range results {
			all = append(all, cloneFlat(must(out.Data())))
			if err := out.Finalize(); err != nil {
				return nil, err
			}
		}
		return all, nil
	}
	const inputs, goroutines, rounds = 5, 4, 30
	var want [inputs][]any
	for i := range want {
		want[i] = must(run(i, nil))
	}
	errs := make(chan error, goroutines)
	var group, halfway sync.WaitGroup
	halfway.Add(goroutines)
	for id := range goroutines {
		group.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(id), 6))
			for round := 0; ; round++ {
				if round == rounds {
					halfway.Done()
				}
				of, donate := rng.IntN(inputs), []bool{rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0}
				got, err := run(of, donate)
				if err != nil {
					if round < rounds {
						halfway.Done()
					}
					errs <- err
					return
				}
				for i := range want[of] {
					if fmt.Sprint(got[i]) != fmt.Sprint(want[of][i]) {
						t.Errorf("goroutine %d, inputs %d, donated %v: output %d is another one", id, of, donate, i)
					}
				}
			}
		})
	}
	halfway.Wait()
	e.Finalize()
	group.Wait()
	close(errs)
	for err := range errs {
		if !errors.Is(err, errFinal) {
			t.Error(err)
		}
	}
}
