package learn_test

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/kdcode/kdcode/internal/ctxtest"
	"github.com/kdcode/kdcode/learn"
)

// averaging is a training of x whose mean is taken over an epoch of 4 steps. It
// notes what is evaluated.
func averaging(t *testing.T) (*learn.Training, *model.Store, *[]float64) {
	t.Helper()
	training, store := slope(t, numbers(ones))
	training.Average = 1
	var evaluated []float64
	training.Evaluate = func() (learn.Evaluation, error) {
		x := valueOfX(t, store)
		evaluated = append(evaluated, x)
		return learn.Evaluation{Loss: 1 - x, Score: x}, nil
	}
	return training, store, &evaluated
}

// meansOfX are those after each epoch of 4 steps, x going from 0 to 1 by a
// fifth of what is left.
func meansOfX(epochs int) []float64 {
	var means []float64
	mean := 0.0
	for n := 1; n <= 4*epochs; n++ {
		mean += (1 - math.Pow(0.8, float64(n)) - mean) / min(float64(n), 4)
		if n%4 == 0 {
			means = append(means, mean)
		}
	}
	return means
}

func TestAverage(t *testing.T) {
	training, store, evaluated := averaging(t)
	if _, err := training.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	want := meansOfX(5)
	for i, x := range *evaluated {
		if math.Abs(x-want[i]) > 1e-5 {
			t.Errorf("epoch %d: x = %g is evaluated, the mean is %g", i+1, x, want[i])
		}
	}
	if x := valueOfX(t, store); len(*evaluated) != 5 || math.Abs(x-want[4]) > 1e-5 {
		t.Errorf("after %d evaluations x = %g, want the mean %g", len(*evaluated), x, want[4])
	}
}

// meansOf trains a layer for a step, and returns what has means.
func meansOf(t *testing.T, layer learn.Embedding) string {
	t.Helper()
	store := model.NewStore()
	if err := learn.SetSeed(store, 5); err != nil {
		t.Fatal(err)
	}
	training := &learn.Training{Epochs: 1, Steps: 1, Average: 1, Batches: func(int, int) iter.Seq2[train.Batch, error] {
		return func(yield func(train.Batch, error) bool) {
			yield(train.Batch{Inputs: []*tensors.Tensor{tensors.FromValue([]int32{0, 2}), tensors.FromValue([]float32{1, 2})}}, nil)
		}
	}}
	training.Trainer = train.NewTrainer(backend(t), store, func(scope *model.Scope, inputs []*Node) []*Node {
		v := layer.Embed(scope.At("layer"), learn.Symbols{IDs: inputs[0], Weight: inputs[1]})
		train.AddMainLoss(ReduceAllMean(Square(v)))
		return []*Node{v}
	}, nil, learn.Mixed(0.5, 0.1), nil, nil)
	if _, err := training.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	var all []string
	for v := range store.IterVariables() {
		if path, ok := strings.CutPrefix(v.Path(), "/means/"); ok {
			all = append(all, strings.TrimPrefix(path, "layer/"))
		}
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// Averaged are the weights and what follows from them: no moments, counters,
// metrics, nor what is frozen.
func TestAveraged(t *testing.T) {
	const codes = "code_embeddings codes/logits codes/norm/mean codes/norm/offset codes/norm/scale codes/norm/variance embedding_norm/mean embedding_norm/offset embedding_norm/scale embedding_norm/variance"
	kd := func() *learn.KD { return learn.NewKD(6, 6).Ways(4).CodeLength(3) }
	dpq := func() *learn.DPQ { return learn.NewDPQ(6, 6).Ways(4).CodeLength(3) }
	for name, c := range map[string]struct {
		layer learn.Embedding
		want  string
	}{
		"full":         {learn.NewFull(6, 6), "table"},
		"scalar":       {learn.NewScalar(6, 6, 4), "high low table"},
		"low rank":     {learn.NewLowRank(6, 6, 2), "projection table"},
		"sx":           {dpq(), "code_embeddings keys queries score_norm/mean score_norm/variance"},
		"vq":           {dpq().Match(learn.VQ), "code_embeddings queries score_norm/mean score_norm/variance"},
		"kd":           {kd(), codes},
		"online":       {kd().Guide(learn.OnlineGuidance(0.5, 1)), codes + " guide"},
		"auto-encoder": {kd().Guide(learn.PretrainedGuidance(make([]float32, 36), true)), codes + " encoder/bias encoder/norm/mean encoder/norm/offset encoder/norm/scale encoder/norm/variance encoder/weight"},
	} {
		if got := meansOf(t, c.layer); got != c.want {
			t.Errorf("%s: averaged are %s, want %s", name, got, c.want)
		}
	}
}

// More epochs than there are, are all of them.
func TestAverageOfAll(t *testing.T) {
	training, store, _ := averaging(t)
	training.Average = math.MaxInt
	if _, err := training.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	want := 0.0
	for n := 1; n <= 20; n++ {
		want += (1 - math.Pow(0.8, float64(n))) / 20
	}
	if x := valueOfX(t, store); math.Abs(x-want) > 1e-5 {
		t.Errorf("x = %g, want the mean of all steps, %g", x, want)
	}
}

// Of a long epoch's steps some enter the mean: of 35 every other.
func TestAverageOfLongEpochs(t *testing.T) {
	training, store, _ := averaging(t)
	training.Epochs, training.Steps = 2, 35
	training.Batches = func(epoch, from int) iter.Seq2[train.Batch, error] {
		return func(yield func(train.Batch, error) bool) {
			for range training.Steps - from {
				if !yield(train.Batch{Inputs: []*tensors.Tensor{tensors.FromScalar(float32(1))}}, nil) {
					return
				}
			}
		}
	}
	if _, err := training.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	want, n := 0.0, 0
	for epoch := range 2 {
		for step := 2; step <= 34; step += 2 {
			n++
			want += (1 - math.Pow(0.8, float64(35*epoch+step)) - want) / min(float64(n), 17)
		}
	}
	if x := valueOfX(t, store); math.Abs(x-want) > 1e-5 {
		t.Errorf("x = %g, want %g", x, want)
	}
}

// Where evaluating is stopped, what is kept are the weights, not their means.
func TestAverageStoppedInEvaluation(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	stopped, store, _ := averaging(t)
	stopped.Evaluate = func() (learn.Evaluation, error) {
		cancel()
		return learn.Evaluation{}, ctx.Err()
	}
	if _, err := stopped.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if x, want := valueOfX(t, store), 1-math.Pow(0.8, 4); math.Abs(x-want) > 1e-5 {
		t.Errorf("x = %g is left, want %g", x, want)
	}
	again, store, evaluated := averaging(t)
	again.Checkpoints = stopped.Checkpoints
	if _, err := again.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	want := meansOfX(5)
	if x := valueOfX(t, store); math.Abs(x-want[4]) > 1e-5 || len(*evaluated) != 5 || math.Abs((*evaluated)[0]-want[0]) > 1e-5 {
		t.Errorf("%v are evaluated and x = %g, want %v", *evaluated, x, want)
	}
}

// A training goes on from a checkpoint with the means of then, wherever it was
// stopped; one that is done gives them again.
func TestAverageResumes(t *testing.T) {
	want := meansOfX(5)[4]
	for asked := 1; asked <= 22; asked++ { // there are 20 steps
		stopped, _, _ := averaging(t)
		_, err := stopped.Run(ctxtest.Countdown(t, asked))
		if (err == nil) != (asked > 20) {
			t.Fatalf("asked %d times whether to stop: %v", asked, err)
		}
		again, store, _ := averaging(t)
		again.Checkpoints = stopped.Checkpoints
		if _, err := again.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if x := valueOfX(t, store); math.Abs(x-want) > 1e-5 {
			t.Errorf("stopped before step %d: x = %g, want %g", asked, x, want)
		}
	}
}

// A training that is stopped, and again before it does a step, keeps what it had
// learned, averaged or not.
func TestStoppedAgain(t *testing.T) {
	for average, want := range []float64{1 - math.Pow(0.8, 20), meansOfX(5)[4]} {
		dir := t.TempDir()
		for _, asked := range []int{7, 1, 1, 100} {
			training, store, _ := averaging(t)
			training.Checkpoints, training.Average = dir, average
			_, err := training.Run(ctxtest.Countdown(t, asked))
			if (err == nil) != (asked == 100) {
				t.Fatalf("asked %d times whether to stop: %v", asked, err)
			}
			if err != nil {
				continue
			}
			if x := valueOfX(t, store); math.Abs(x-want) > 1e-5 {
				t.Errorf("average %d: x = %g, want %g", average, x, want)
			}
			// x, its mean, the rate, the step and two of a metric
			if n := store.NumVariables(); n != 5+average {
				t.Errorf("average %d: %d variables: some are of the runs before", average, n)
			}
		}
	}
}

// The state of a generator is read from a checkpoint as what it is, also where
// no seed was set before.
func TestResumesRandom(t *testing.T) {
	dir := t.TempDir()
	for _, asked := range []int{7, 100} {
		store := model.NewStore()
		training, _ := slope(t, numbers(ones))
		training.Checkpoints, training.Average = dir, 1
		training.Trainer = train.NewTrainer(backend(t), store, func(scope *model.Scope, to *Node) *Node {
			x := learn.Filled(scope, "x", 0).NodeValue(to.Graph())
			train.AddMainLoss(Square(Sub(x, Mul(to, scope.RandomUniform(to.Graph(), to.Shape())))))
			return x
		}, nil, learn.SGD(0.1, 0), nil, nil)
		if _, err := training.Run(ctxtest.Countdown(t, asked)); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if store.GetVariable("/means/"+model.RNGStateVariableName) != nil {
			t.Error("the state of the generator is averaged")
		}
	}
}

// The best epoch is that of the best mean, also when the training was stopped,
// or was done.
func TestAverageKeepsBest(t *testing.T) {
	want := meansOfX(3)[2]
	for asked := 1; asked <= 21; asked++ {
		dir, epoch := t.TempDir(), 0
		for _, ctx := range []context.Context{ctxtest.Countdown(t, asked), context.Background(), context.Background()} {
			training, store, _ := averaging(t)
			training.Checkpoints, training.KeepBest = dir, true
			training.Evaluate = func() (learn.Evaluation, error) {
				epoch++
				return learn.Evaluation{Score: -math.Abs(float64(epoch - 3))}, nil
			}
			_, err := training.Run(ctx)
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if err != nil {
				continue
			}
			if x := valueOfX(t, store); math.Abs(x-want) > 1e-5 {
				t.Errorf("stopped before step %d: x = %g, want the mean after the third epoch, %g", asked, x, want)
			}
		}
	}
}
