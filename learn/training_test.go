package learn_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/kdcode/kdcode/learn"
)

// slope is a training of one number x towards the numbers it is given.
func slope(t testing.TB, batches func(epoch, from int) iter.Seq2[train.Batch, error]) (*learn.Training, *model.Store) {
	t.Helper()
	store := model.NewStore()
	trainer := train.NewTrainer(backend(t), store, func(scope *model.Scope, to *Node) *Node {
		x := learn.Filled(scope, "x", 0).NodeValue(to.Graph())
		train.AddMainLoss(Square(Sub(x, to)))
		return x
	}, nil, learn.SGD(0.1, 0), nil, nil)
	return &learn.Training{Trainer: trainer, Epochs: 5, Steps: 4, Batches: batches, Checkpoints: t.TempDir(), Settings: "slope"}, store
}

// numbers are batches of one number each.
func numbers(of func(epoch, step int) float32) func(epoch, from int) iter.Seq2[train.Batch, error] {
	return func(epoch, from int) iter.Seq2[train.Batch, error] {
		return func(yield func(train.Batch, error) bool) {
			for step := from; step < 4; step++ {
				if !yield(train.Batch{Inputs: []*tensors.Tensor{tensors.FromScalar(of(epoch, step))}}, nil) {
					return
				}
			}
		}
	}
}

func ones(int, int) float32 { return 1 }

func valueOfX(t testing.TB, store *model.Store) float64 {
	t.Helper()
	return float64(tensors.ToScalar[float32](store.GetVariable("/x").MustValue()))
}

func TestTrainingReports(t *testing.T) {
	training, store := slope(t, numbers(ones))
	training.Rate = func(epoch int) float64 { return 0.1 }
	var epochs []learn.Epoch
	training.OnEpoch = func(e learn.Epoch) { epochs = append(epochs, e) }
	history, err := training.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(history) != 5 || len(epochs) != 5 {
		t.Fatalf("%d epochs in the history and %d reported, want 5", len(history), len(epochs))
	}
	// x goes from 0 to 1 by a fifth of what is left each step.
	if want := 1 - math.Pow(0.8, 20); math.Abs(valueOfX(t, store)-want) > 1e-5 {
		t.Errorf("x = %g, want %g", valueOfX(t, store), want)
	}
	if want := (1 + 0.64 + 0.4096 + 0.262144) / 4; math.Abs(history[0].Loss-want) > 1e-5 {
		t.Errorf("mean loss %g, want %g", history[0].Loss, want)
	}
	if history[4].Step != 20 || *history[4].Rate != 0.1 {
		t.Errorf("last epoch: %+v", history[4])
	}
}

// TestDivergedKeepsCheckpoint: the loss is no number in the third epoch, and
// the checkpoint is of before.
func TestDivergedKeepsCheckpoint(t *testing.T) {
	training, _ := slope(t, numbers(func(epoch, step int) float32 {
		if epoch == 2 && step == 1 {
			return float32(math.NaN())
		}
		return 1
	}))
	training.SaveEvery = 1
	_, err := training.Run(context.Background())
	if !errors.Is(err, learn.ErrDiverged) {
		t.Fatalf("got %v, want ErrDiverged", err)
	}
	for _, part := range []string{"epoch 3", training.Checkpoints, "learning rate"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the message %q lacks %q", err, part)
		}
	}
	again, store := slope(t, numbers(ones))
	again.Checkpoints = training.Checkpoints
	history, err := again.Run(context.Background())
	if err != nil || len(history) != 5 {
		t.Fatalf("going on from the checkpoint: %d epochs, %v", len(history), err)
	}
	if x := valueOfX(t, store); math.IsNaN(x) || x < 0.9 {
		t.Errorf("x = %g after going on", x)
	}
}

// Weights that a step has made infinite are not saved, though its loss was a
// number.
func TestDivergedWeightsAreNotSaved(t *testing.T) {
	store := model.NewStore()
	trainer := train.NewTrainer(backend(t), store, func(scope *model.Scope, to *Node) *Node {
		x := learn.Filled(scope, "x", 0).NodeValue(to.Graph())
		train.AddMainLoss(Sqrt(Mul(x, to))) // infinitely steep at 0
		return x
	}, nil, learn.SGD(0.1, 0), nil, nil)
	one := func(int, int) iter.Seq2[train.Batch, error] {
		return func(yield func(train.Batch, error) bool) {
			yield(train.Batch{Inputs: []*tensors.Tensor{tensors.FromScalar(float32(1))}}, nil)
		}
	}
	training := &learn.Training{Trainer: trainer, Epochs: 5, Steps: 1, Batches: one, Checkpoints: t.TempDir(), Settings: "steep", SaveEvery: 1}
	_, err := training.Run(context.Background())
	if !errors.Is(err, learn.ErrDiverged) || !strings.Contains(err.Error(), "a weight of /x") {
		t.Errorf("got %v, want ErrDiverged", err)
	}
	if all, err := os.ReadDir(training.Checkpoints); err != nil || len(all) > 0 {
		t.Errorf("saved: %v, %v", all, err)
	}
}

func TestOtherSettingsAreRefused(t *testing.T) {
	training, _ := slope(t, numbers(ones))
	if _, err := training.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	other, _ := slope(t, numbers(ones))
	other.Checkpoints, other.Settings = training.Checkpoints, "another"
	_, err := other.Run(context.Background())
	if err == nil || !strings.Contains(err.Error(), "other settings") {
		t.Errorf("got %v", err)
	}
}

func TestFinishedTrainingIsNotRepeated(t *testing.T) {
	training, store := slope(t, numbers(ones))
	if _, err := training.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	again, store2 := slope(t, func(int, int) iter.Seq2[train.Batch, error] {
		t.Error("it trained again")
		return numbers(ones)(0, 4)
	})
	again.Checkpoints = training.Checkpoints
	if _, err := again.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got, want := valueOfX(t, store2), valueOfX(t, store); got != want {
		t.Errorf("x = %g from the checkpoint, %g was trained", got, want)
	}
}

// TestKeepBest: the second epoch scores best, and is what remains.
func TestKeepBest(t *testing.T) {
	training, store := slope(t, numbers(ones))
	training.KeepBest = true
	var atBest float64
	epoch := 0
	training.Evaluate = func() (learn.Evaluation, error) {
		epoch++
		if epoch == 2 {
			atBest = valueOfX(t, store)
			return learn.Evaluation{Score: 1}, nil
		}
		return learn.Evaluation{Score: 0.5}, nil
	}
	training.Stop = learn.Patience(2)
	history, err := training.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(history) != 4 {
		t.Errorf("stopped after %d epochs, want 4: two without a better score", len(history))
	}
	if got := valueOfX(t, store); got != atBest {
		t.Errorf("x = %g, that of the best epoch was %g", got, atBest)
	}
}

// TestKilledAfterBest: the second epoch is kept as the best, but the last
// checkpoint is of the first. Were the second trained again and not the best any
// more, as on a GPU it may be, the model would not be that of the epoch it is
// said to be of.
func TestKilledAfterBest(t *testing.T) {
	killed, _ := slope(t, numbers(ones))
	killed.KeepBest, killed.SaveEvery = true, 1
	epoch := 0
	killed.OnEpoch = func(e learn.Epoch) {
		if epoch = e.Epoch; epoch == 2 {
			killed.SaveEvery = time.Hour
		}
	}
	killed.Evaluate = func() (learn.Evaluation, error) {
		if epoch == 2 {
			return learn.Evaluation{}, errors.New("killed")
		}
		return learn.Evaluation{Score: 1 + float64(epoch)}, nil
	}
	if _, err := killed.Run(context.Background()); err == nil {
		t.Fatal("it was not killed")
	}
	again, store := slope(t, numbers(ones))
	again.Checkpoints, again.KeepBest = killed.Checkpoints, true
	again.Evaluate = func() (learn.Evaluation, error) { return learn.Evaluation{Score: 0.5}, nil }
	history, err := again.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	best := slices.MaxFunc(history, func(a, b learn.Epoch) int { return cmp.Compare(*a.Score, *b.Score) }).Epoch
	if got, want := valueOfX(t, store), 1-math.Pow(0.8, 4*float64(best)); math.Abs(got-want) > 1e-5 {
		t.Errorf("x = %g, but after the best epoch, %d, it was %g", got, best, want)
	}
}

// A model whose loss on data held out is no number has diverged, too.
func TestDivergedOnDataHeldOut(t *testing.T) {
	for _, e := range []learn.Evaluation{{Loss: math.NaN()}, {Loss: math.Inf(1)}, {Score: math.NaN()}, {Perplexity: math.Inf(1)}} {
		training, _ := slope(t, numbers(ones))
		training.Evaluate = func() (learn.Evaluation, error) { return e, nil }
		if _, err := training.Run(context.Background()); !errors.Is(err, learn.ErrDiverged) || !strings.Contains(err.Error(), "epoch 1") {
			t.Errorf("%+v: %v", e, err)
		}
	}
}

// A folder of checkpoints may have any name, and they are all removed.
func TestCheckpointFolder(t *testing.T) {
	training, _ := slope(t, numbers(ones))
	training.Checkpoints = filepath.Join(t.TempDir(), "x [1] *?")
	if learn.HasCheckpoint(training.Checkpoints) {
		t.Error("there is a checkpoint before the training")
	}
	training.KeepBest = true
	training.Evaluate = func() (learn.Evaluation, error) { return learn.Evaluation{Score: 1}, nil }
	if _, err := training.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"last", "best"} { // the best is one to go on from, too
		if !learn.HasCheckpoint(training.Checkpoints) {
			t.Fatalf("there is no checkpoint, not even %s", name)
		}
		if err := os.RemoveAll(filepath.Join(training.Checkpoints, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"last.tmp", "last.old", "best"} {
		if err := os.Mkdir(filepath.Join(training.Checkpoints, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := learn.RemoveCheckpoints(training.Checkpoints); err != nil {
		t.Fatal(err)
	}
	if all, err := os.ReadDir(training.Checkpoints); err != nil || len(all) > 0 {
		t.Errorf("left: %v, %v", all, err)
	}
}

// TestCrashBetweenRenamings: a checkpoint left aside is found.
func TestCrashBetweenRenamings(t *testing.T) {
	training, _ := slope(t, numbers(ones))
	if _, err := training.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	last := filepath.Join(training.Checkpoints, "last")
	if err := os.Rename(last, last+".old"); err != nil {
		t.Fatal(err)
	}
	again, store := slope(t, numbers(func(int, int) float32 { return 100 }))
	again.Checkpoints = training.Checkpoints
	if _, err := again.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if x := valueOfX(t, store); x > 1 {
		t.Errorf("x = %g: it trained afresh", x)
	}
}

// Whatever happens to the files of a checkpoint, it is an error with a remedy.
func TestDamagedCheckpoint(t *testing.T) {
	training, _ := slope(t, numbers(ones))
	if _, err := training.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	cut := func(content []byte) []byte { return content[:3] }
	for name, damage := range map[string]map[string]func([]byte) []byte{
		"both cut":        {".json": cut, ".bin": cut},
		"values cut":      {".bin": cut},
		"no values":       {".bin": func([]byte) []byte { return nil }},
		"no such type":    {".json": func(c []byte) []byte { return bytes.ReplaceAll(c, []byte("Float32"), []byte("Gloat32")) }},
		"no state":        {".json": func(c []byte) []byte { return bytes.ReplaceAll(c, []byte("learn_training"), []byte("learn_drinking")) }},
		"state no object": {".json": func(c []byte) []byte { return bytes.ReplaceAll(c, []byte(`{\"Settings`), []byte(`[\"Settings`)) }},
	} {
		t.Run(name, func(t *testing.T) {
			again, _ := slope(t, numbers(ones))
			if err := os.CopyFS(again.Checkpoints, os.DirFS(training.Checkpoints)); err != nil {
				t.Fatal(err)
			}
			for suffix, change := range damage {
				damageFile(t, filepath.Join(again.Checkpoints, "last"), suffix, change)
			}
			if _, err := again.Run(context.Background()); !errors.Is(err, learn.ErrCheckpoint) || !strings.Contains(err.Error(), "remove it to begin anew") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// damageFile changes the file of a folder that ends in suffix.
func damageFile(t *testing.T, dir, suffix string, change func([]byte) []byte) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	content, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files[0], change(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkResumeLarge goes on from a checkpoint with a table of more than 1 GiB,
// which is what one read of a file gives at most. As a test it would take
// gigabytes.
func BenchmarkResumeLarge(b *testing.B) {
	large := shapes.Make(dtypes.Float32, 1<<28+1)
	training, store := slope(b, numbers(ones))
	if _, err := store.CreateVariable("/large", tensors.FromShape(large)); err != nil {
		b.Fatal(err)
	}
	if _, err := training.Run(context.Background()); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(large.ByteSize()))
	for b.Loop() {
		again, _ := slope(b, numbers(ones))
		again.Checkpoints = training.Checkpoints
		if _, err := again.Run(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}

func TestWindow(t *testing.T) {
	loss := func(x float64) learn.Epoch { return learn.Epoch{EvalLoss: &x} }
	stop := learn.Window(2)
	for _, c := range []struct {
		losses []float64
		want   bool
	}{
		{[]float64{3}, false},
		{[]float64{1, 2, 3}, false}, // as Kipf's: not before the window is passed
		{[]float64{1, 1, 1, 2}, true},
		{[]float64{1, 3, 1, 1.5}, false},
		{[]float64{5, 4, 3, 2}, false},
	} {
		var history []learn.Epoch
		for _, x := range c.losses {
			history = append(history, loss(x))
		}
		if got := stop(history); got != c.want {
			t.Errorf("%v: %t, want %t", c.losses, got, c.want)
		}
	}
}
