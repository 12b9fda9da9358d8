package main

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	nn "github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/kdcode/kdcode/learn"
)

// warmUp is how many steps are not measured: they compile, and touch memory
// first.
const warmUp = 3

// stepper trains a layer on made-up batches: its embeddings are to become
// random targets.
type stepper struct {
	o       benchLearnOptions
	n       int
	trainer *train.Trainer
	random  *rand.Rand
	found   learn.Occurrences
	targets []float32 // [U, d]
}

// measureSteps measures training steps of a layer of n symbols.
func measureSteps(ctx context.Context, o benchLearnOptions, n int) (benchLearnSize, string, error) {
	m := benchLearnSize{N: n}
	layer := learn.NewKD(n, o.dim).Ways(o.k).CodeLength(o.d)
	if err := checkLayer(layer); err != nil {
		return m, "", err
	}
	backend, name, err := openBackend(o.backend)
	if err != nil {
		return m, name, err
	}
	defer backend.Finalize()
	s, err := newStepper(o, n, layer, backend)
	if err != nil {
		return m, name, err
	}
	var ms []float64
	for i := range warmUp + o.steps {
		if err := ctx.Err(); err != nil {
			return m, name, err
		}
		began := time.Now()
		distinct, err := s.step()
		if err != nil {
			return m, name, err
		}
		spent := time.Since(began)
		switch {
		case i == 0:
			m.FirstSeconds = spent.Seconds()
		case i >= warmUp:
			ms = append(ms, float64(spent)/1e6)
			m.Distinct += float64(distinct) / float64(o.steps)
		}
	}
	m.StepMinMS, m.StepMS, m.Ratio = slices.Min(ms), median(ms), 1
	m.PeakBytes = peakMemory()
	return m, name, nil
}

func newStepper(o benchLearnOptions, n int, layer learn.Embedding, backend compute.Backend) (*stepper, error) {
	store := nn.NewStore()
	if err := learn.SetSeed(store, 1); err != nil {
		return nil, err
	}
	s := &stepper{o: o, n: n, random: rand.New(rand.NewPCG(7, 8)), targets: make([]float32, o.tokens*o.dim)}
	for i := range s.targets {
		s.targets[i] = float32(s.random.NormFloat64())
	}
	build := func(scope *nn.Scope, inputs []*graph.Node) *graph.Node {
		v := layer.Embed(scope.At("words"), learn.Symbols{IDs: inputs[0], Weight: inputs[1]}) // [U, d]
		train.AddMainLoss(graph.ReduceAllMean(graph.Square(graph.Sub(v, inputs[2]))))
		return v
	}
	s.trainer = train.NewTrainer(backend, store, build, nil, learn.LazyAdam(1e-3), nil, nil)
	return s, nil
}

// step trains on a batch, and waits for its loss. It returns how many distinct
// symbols the batch has. All batches are padded to the same size, so that one
// graph serves for all.
func (s *stepper) step() (int, error) {
	ids := make([]int32, s.o.tokens)
	for i := range ids {
		ids[i] = int32(s.random.IntN(s.n))
	}
	if err := s.found.Find(ids, s.n, s.o.tokens); err != nil {
		return 0, err
	}
	distinct := 0
	for _, w := range s.found.Weight {
		if w > 0 {
			distinct++
		}
	}
	u := len(s.found.IDs)
	metrics, err := s.trainer.TrainStep(train.Batch{Inputs: []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(s.found.IDs, u),
		tensors.FromFlatDataAndDimensions(s.found.Weight, u),
		tensors.FromFlatDataAndDimensions(s.targets, u, s.o.dim),
	}})
	if err != nil {
		return 0, fmt.Errorf("measuring N = %d: %w", s.n, err)
	}
	_ = tensors.ToScalar[float32](metrics[0]) // waits
	for _, t := range metrics {
		_ = t.FinalizeAll()
	}
	return distinct, nil
}

// peakMemory returns the most bytes that the process had resident, or 0 where
// the system does not tell.
func peakMemory() int64 {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		if fields := strings.Fields(in.Text()); len(fields) == 3 && fields[0] == "VmHWM:" {
			kB, _ := strconv.ParseInt(fields[1], 10, 64)
			return kB << 10
		}
	}
	return 0
}
