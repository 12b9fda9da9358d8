package lm

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/kdcode/kdcode/engine/enginetest"
	"github.com/kdcode/kdcode/learn"
)

// bench is a small language model in float64, and a batch to train it on.
type bench struct {
	t       *testing.T
	network *network
	store   *model.Store
	inputs  []any
}

func newBench(t *testing.T) *bench {
	const n, rows = 7, 2
	b := &bench{t: t, store: model.NewStore()}
	b.network = &network{learn.NewFull(n, 5).InitScale(0.7), Size{Dim: 5, Steps: 3, InitScale: 0.7, Keep: 1}}
	b.store.SetParam("learn_dtype", dtypes.Float64)
	text, err := newStream([]int32{3, 1, 4, 1, 5, 2, 6, 5, 3, 5}, n, rows, 3)
	if err != nil {
		t.Fatal(err)
	}
	batch, err := text.batch(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, input := range batch.Inputs {
		b.inputs = append(b.inputs, input)
	}
	return b
}

// paths returns what is trained.
func (b *bench) paths() []string {
	paths := []string{"/" + wordsScope + "/table"}
	for _, p := range b.network.parts() {
		paths = append(paths, model.JoinPath(p.scope, p.variable))
	}
	return paths
}

// exec returns what runs a step of training, whose loss is followed by its
// gradients.
func (b *bench) exec(gradients bool) *model.Exec {
	exec, err := model.NewExec(enginetest.Backend(b.t), b.store, func(scope *model.Scope, inputs []*Node) []*Node {
		g := inputs[0].Graph()
		b.store.SetTraining(g, true)
		loss := b.network.train(scope, inputs)
		if !gradients {
			return []*Node{loss}
		}
		var weights []*Node
		for _, path := range b.paths() {
			weights = append(weights, b.store.GetVariable(path).NodeValue(g))
		}
		return append([]*Node{loss}, Gradient(loss, weights...)...)
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return exec
}

// run runs a step that goes on from a state which is not zero.
func (b *bench) run(exec *model.Exec) []*tensors.Tensor {
	b.t.Helper()
	for i, v := range b.network.state(b.store, 2) {
		state := make([]float64, 2*b.network.size.Dim)
		for j := range state {
			state[j] = math.Sin(float64(10*i + j))
		}
		if err := v.SetValue(tensors.FromFlatDataAndDimensions(state, 2, b.network.size.Dim)); err != nil {
			b.t.Fatal(err)
		}
	}
	out, err := exec.Call(b.inputs...)
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

// TestGradient compares the gradients of a training step, through widths that
// are rounded up, with finite differences.
func TestGradient(t *testing.T) {
	b := newBench(t)
	out := b.run(b.exec(true))
	loss := b.exec(false)
	for i, path := range b.paths() {
		gradient := tensors.MustCopyFlatData[float64](out[i+1])
		v := b.store.GetVariable(path)
		dims := v.Shape().Dimensions
		at := tensors.MustCopyFlatData[float64](v.MustValue())
		lossAt := func(j int, step float64) float64 {
			moved := append([]float64(nil), at...)
			moved[j] += step
			if err := v.SetValue(tensors.FromFlatDataAndDimensions(moved, dims...)); err != nil {
				t.Fatal(err)
			}
			return tensors.ToScalar[float64](b.run(loss)[0])
		}
		for j := 0; j < len(at); j += 3 { // some of them will do
			const step = 1e-5
			want := (lossAt(j, step) - lossAt(j, -step)) / (2 * step)
			if math.Abs(gradient[j]-want) > 1e-8 {
				t.Errorf("%s at %d: %g, want %g", path, j, gradient[j], want)
			}
		}
		lossAt(0, 0)
	}
}

// Of a short text few words are not predicted: the first of each row, and those
// that fill no row.
func TestFit(t *testing.T) {
	for _, test := range []struct{ n, rows, steps, wantRows, wantSteps, predicted int }{
		{2, 20, 35, 1, 1, 1},
		{30, 20, 35, 1, 29, 29},
		{79, 20, 35, 2, 35, 76},
		{1000, 20, 35, 20, 35, 980},
		{1000, 1, 35, 1, 35, 999},
	} {
		rows, steps := fit(test.n, test.rows, test.steps)
		s, err := newWholeStream(make([]int32, test.n), 1, rows, steps)
		if err != nil || rows != test.wantRows || steps != test.wantSteps || s.predicted() != test.predicted {
			t.Errorf("%+v: %d rows of %d steps, %d predicted, %v", test, rows, steps, s.predicted(), err)
		}
	}
}
