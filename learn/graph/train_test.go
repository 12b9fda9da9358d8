package graph

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/graphtest"
	"github.com/kdcode/kdcode/learn"
)

// planted returns a made-up graph.
func planted(t testing.TB) *Dataset {
	t.Helper()
	dir := t.TempDir()
	if err := graphtest.Write(dir, graphtest.Shape{Nodes: 300, Features: 60, Classes: 3, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	d, err := ReadText(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func smallKD(d *Dataset) *learn.KD { return learn.NewKD(d.Features, 8).Ways(8).CodeLength(4) }

// fileOf writes a result as a code file, and returns its path and bytes.
func fileOf(t *testing.T, r *Result) (path string, content []byte) {
	t.Helper()
	m, err := r.Model()
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "graph.kd")
	if err := codefile.WriteFile(path, m); err != nil {
		t.Fatal(err)
	}
	content, err = os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, content
}

// Full and coded embeddings learn a planted partition, and the written file
// gives the scores that the graph gives.
func TestTrain(t *testing.T) {
	d := planted(t)
	for name, layer := range map[string]learn.Embedding{
		"full":     learn.NewFull(d.Features, 8).InitScale(0.3),
		"low rank": learn.NewLowRank(d.Features, 8, 4).InitScale(0.3),
		"kd":       NewKD(d.Features, 8).Ways(8).CodeLength(4),
		"kd hard":  smallKD(d),
		"dpq":      learn.NewDPQ(d.Features, 8).Ways(8).CodeLength(4),
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Train(context.Background(), d, layer, Options{Backend: backend(t), Epochs: 120, Window: -1, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			kept := r.History[r.Epoch-1]
			if len(r.History) != 120 || r.Test.Score < 0.9 || *kept.Score < 0.9 {
				t.Errorf("%d epochs, validation %.3f, test %.3f; want 120 and above 0.9", len(r.History), *kept.Score, r.Test.Score)
			}
			for _, e := range r.History {
				if *e.Score > *kept.Score {
					t.Fatalf("epoch %d was kept with %g, but epoch %d has %g", r.Epoch, *kept.Score, e.Epoch, *e.Score)
				}
			}
			path, _ := fileOf(t, r)
			checkFile(t, r, path)
		})
	}
}

// checkFile compares a file's evaluation with the graph's.
func checkFile(t *testing.T, r *Result, path string) {
	t.Helper()
	m, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	d := r.data
	got, err := m.Scores(d, d.Test)
	if err != nil {
		t.Fatal(err)
	}
	e, err := newEvaluator(backend(t), r.store, r.network, newFields(d).of(d.Test))
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	_, want, err := e.run()
	if err != nil {
		t.Fatal(err)
	}
	checkClose(t, "scores", got, wide(want), 1e-5)
	accuracy, err := m.Evaluate(d, d.Test)
	if err != nil || accuracy != r.Test.Score {
		t.Errorf("accuracy %g (%v) from the file, %g from the graph", accuracy, err, r.Test.Score)
	}
	if task := m.Table().Info().Metadata["task"]; task != "graph" {
		t.Errorf("the task is %q", task)
	}
	if !slices.Equal(m.Labels(), d.ClassNames) {
		t.Errorf("labels %q", m.Labels())
	}
}

// Planetoid's data sets have no names: numbers are the symbols.
func TestTrainWithoutNames(t *testing.T) {
	d, err := Planetoid("testdata", "tiny")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Train(context.Background(), d, learn.NewFull(d.Features, 8), Options{Backend: backend(t), Epochs: 60, Window: -1})
	if err != nil {
		t.Fatal(err)
	}
	path, _ := fileOf(t, r)
	m, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if accuracy, err := m.Evaluate(d, d.Test); err != nil || accuracy != r.Test.Score {
		t.Errorf("accuracy %g (%v) from the file, %g from the graph", accuracy, err, r.Test.Score)
	}
	if id, ok := m.Table().ID("11"); !ok || id != 11 {
		t.Errorf("feature 11 is %d, %v", id, ok)
	}
}

// Kipf & Welling's rule: stop when the loss is above the mean of the ten before.
func TestEarlyStopping(t *testing.T) {
	d := planted(t)
	r, err := Train(context.Background(), d, learn.NewFull(d.Features, 8), Options{Backend: backend(t), Epochs: 400, Rate: 0.1, Decay: -1, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	var costs []float64
	want := 0
	for epoch, e := range r.History {
		costs = append(costs, *e.EvalLoss)
		if epoch > 10 && want == 0 {
			mean := 0.0
			for _, c := range costs[epoch-10 : epoch] {
				mean += c / 10
			}
			if costs[epoch] > mean {
				want = epoch + 1
			}
		}
	}
	if len(r.History) == 400 || len(r.History) != want {
		t.Errorf("stopped after %d epochs, the rule after %d", len(r.History), want)
	}
}

// A training that is interrupted and goes on gives the same file.
func TestResume(t *testing.T) {
	d := planted(t)
	options := func() Options {
		return Options{Backend: backend(t), Epochs: 40, Window: -1, Seed: 3, Settings: "a"}
	}
	r, err := Train(context.Background(), d, smallKD(d), options())
	if err != nil {
		t.Fatal(err)
	}
	_, whole := fileOf(t, r)

	o := options()
	o.Checkpoints = t.TempDir()
	for _, until := range []int{7, 8, 31} {
		ctx, cancel := context.WithCancel(context.Background())
		o.OnEpoch = func(e learn.Epoch) {
			if e.Epoch == until {
				cancel()
			}
		}
		if _, err := Train(ctx, d, smallKD(d), o); !errors.Is(err, context.Canceled) {
			t.Fatalf("interrupted in epoch %d: %v", until, err)
		}
		cancel()
	}
	o.OnEpoch = nil
	if r, err = Train(context.Background(), d, smallKD(d), o); err != nil {
		t.Fatal(err)
	}
	if _, resumed := fileOf(t, r); !bytes.Equal(whole, resumed) {
		t.Error("the file differs from that of a training in one piece")
	}
	o.Settings = "b"
	if _, err := Train(context.Background(), d, smallKD(d), o); err == nil || !strings.Contains(err.Error(), "other settings") {
		t.Errorf("resumed with other settings: %v", err)
	}
}

// An error does not name a folder that was made for the best epoch alone, and is
// gone.
func TestTemporaryFolder(t *testing.T) {
	d := planted(t)
	for _, c := range []struct {
		rate float64
		stop bool
		want error
	}{{0.01, true, context.Canceled}, {1e38, false, learn.ErrDiverged}} {
		ctx, cancel := context.WithCancel(context.Background())
		o := Options{Backend: backend(t), Window: -1, Seed: 1, Rate: c.rate, OnEpoch: func(learn.Epoch) {
			if c.stop {
				cancel()
			}
		}}
		_, err := Train(ctx, d, learn.NewFull(d.Features, 8), o)
		if !errors.Is(err, c.want) || strings.Contains(err.Error(), os.TempDir()) {
			t.Errorf("got %v, want %v without a folder", err, c.want)
		}
		cancel()
	}
}

// Nodes without a feature as far as the network sees are classified, too, and
// learned from.
func TestTrainWithoutFeatures(t *testing.T) {
	stem := filepath.Join(t.TempDir(), "bare")
	writeFiles(t, stem, map[string]string{
		".features": "a\nb\nc\nd f\ne f\ng\n", ".edges": "a b\nd e\n", ".labels": "a x\nb y\nd x\ne y\ng y\n", ".split": "a train\nb train\nd test\ng valid\n",
	})
	d, err := ReadText(stem)
	if err != nil {
		t.Fatal(err)
	}
	other := *d
	other.Train, other.Test = []int{3, 4}, []int{0}
	for _, d := range []*Dataset{d, &other} {
		r, err := Train(context.Background(), d, learn.NewFull(d.Features, 4), Options{Backend: backend(t), Epochs: 3})
		if err != nil {
			t.Fatal(err)
		}
		path, _ := fileOf(t, r)
		checkFile(t, r, path)
	}
}

func TestTrainErrors(t *testing.T) {
	d := planted(t)
	noTrain, unlabelled, short := *d, *d, *d
	noTrain.Train = nil
	unlabelled.Labels = slices.Clone(d.Labels)
	unlabelled.Labels[d.Test[0]] = Unknown
	short.Labels = d.Labels[1:]
	for _, c := range []struct {
		d    *Dataset
		n    int
		o    Options
		want string
	}{
		{d, 59, Options{Backend: backend(t)}, "59 symbols for 60 features"},
		{&noTrain, 60, Options{Backend: backend(t)}, "no nodes to train on"},
		{&unlabelled, 60, Options{Backend: backend(t)}, "of the split"},
		{&short, 60, Options{Backend: backend(t)}, "299 labels"},
		{d, 60, Options{}, "no backend"},
		{d, 60, Options{Backend: backend(t), Dropout: 1}, "leaves nothing"},
		{d, 60, Options{Backend: backend(t), Rate: -1}, "above zero"},
		{d, 60, Options{Backend: backend(t), Epochs: -1, Window: -1}, "-1 epochs"},
	} {
		if _, err := Train(context.Background(), c.d, learn.NewFull(c.n, 8), c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want an error with %q", err, c.want)
		}
	}
}

// The paper's sizes on Cora.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		layer            learn.Embedding
		parameters, bits int64
	}{
		{NewKD(1433, 16), 8224, 331952},
		{learn.NewFull(1433, 16), 22928, 733696},
		{learn.NewLowRank(1433, 16, 7), 10143, 324576},
		{learn.NewLowRank(1433, 16, 4), 5796, 185472},
	} {
		if s := c.layer.Size(); s.Parameters != c.parameters || s.Bits() != c.bits {
			t.Errorf("%T: %d parameters and %d bits, want %d and %d", c.layer, s.Parameters, s.Bits(), c.parameters, c.bits)
		}
	}
}

// Embeddings start as wide as the norm's scale says.
func TestNormScale(t *testing.T) {
	d := planted(t)
	r, err := Train(context.Background(), d, smallKD(d).NormScale(0.1), Options{Backend: backend(t), Epochs: 1, Rate: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	path, _ := fileOf(t, r)
	m, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	w0, err := m.embeddings(d)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, w := range w0 {
		sum += float64(w) * float64(w)
	}
	if deviation := math.Sqrt(sum / float64(len(w0))); deviation < 0.05 || deviation > 0.1 {
		t.Errorf("the embeddings start with a deviation of %g, want a little less than 0.1", deviation)
	}
}
