package text_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/compute"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/classify"
	"github.com/kdcode/kdcode/engine/enginetest"
	"github.com/kdcode/kdcode/internal/ctxtest"
	"github.com/kdcode/kdcode/learn"
	"github.com/kdcode/kdcode/learn/text"
)

// backend returns the backend that the tests run on.
func backend(t testing.TB) compute.Backend {
	t.Helper()
	return enginetest.Backend(t)
}

// writeTexts writes n texts about two topics, with words of each and of none.
func writeTexts(t testing.TB, n int, seed uint64) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	for i := range n {
		topic := i % 2
		for range 4 + rng.IntN(5) {
			fmt.Fprintf(&b, "topic%dword%d ", topic, rng.IntN(12))
			fmt.Fprintf(&b, "common%d ", rng.IntN(12))
		}
		fmt.Fprintf(&b, "\tlabel%d\n", topic)
	}
	path := filepath.Join(t.TempDir(), "texts.tsv")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func corpus(t testing.TB) *text.Corpus {
	t.Helper()
	c, err := text.Read(text.Source{Train: writeTexts(t, 200, 1), Test: writeTexts(t, 60, 2), HoldOut: 0.1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// small are options for a training of seconds.
func small(t testing.TB) text.Options {
	return text.Options{Backend: backend(t), Batch: 16, Epochs: 4, Rate: 1e-2, CodeRate: 3, Round: 16, DropWords: 0.1, Seed: 3}
}

func TestCorpus(t *testing.T) {
	c := corpus(t)
	if len(c.Train) != 180 || len(c.Valid) != 20 || len(c.Test) != 60 {
		t.Errorf("%d training, %d validation and %d test texts, want 180, 20, 60", len(c.Train), len(c.Valid), len(c.Test))
	}
	if fmt.Sprint(c.Labels) != "[label0 label1]" {
		t.Errorf("labels %q", c.Labels)
	}
	if len(c.Words) != 36 {
		t.Errorf("%d words, want 36", len(c.Words))
	}
}

// Texts to validate and to test with may be the same.
func TestSameValidAndTest(t *testing.T) {
	texts := writeTexts(t, 20, 1)
	c, err := text.Read(text.Source{Train: texts, Valid: texts, Test: texts})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Valid) != 20 || len(c.Test) != 20 {
		t.Errorf("%d validation and %d test texts, want 20 of each", len(c.Valid), len(c.Test))
	}
}

// Whatever is held out, a label that one text has stays in training.
func TestHoldOutKeepsLabels(t *testing.T) {
	path := filepath.Join(t.TempDir(), "texts.tsv")
	if err := os.WriteFile(path, []byte("one\ta\ntwo\ta\nthree\ta\nfour\ta\nfive\tb\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(20) {
		c, err := text.Read(text.Source{Train: path, HoldOut: 0.4, Seed: seed})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(c.Labels) != 2 || len(c.Train)+len(c.Valid) != 5 || len(c.Valid) < 1 {
			t.Errorf("seed %d: labels %q, %d texts to train and %d to validate", seed, c.Labels, len(c.Train), len(c.Valid))
		}
	}
}

// TestTrain trains on every kind of layer, and checks that the code file
// predicts as the graph does.
func TestTrain(t *testing.T) {
	c := corpus(t)
	n := len(c.Words)
	layers := map[string]learn.Embedding{
		"kd":      learn.NewKD(n, 8).Ways(8).CodeLength(4),
		"lstm":    learn.NewKD(n, 6).Ways(4).CodeLength(3).Compose(learn.LSTM).Hidden(5),
		"dpq":     learn.NewDPQ(n, 8).Ways(8).CodeLength(4),
		"full":    learn.NewFull(n, 8),
		"lowrank": learn.NewLowRank(n, 8, 3),
	}
	for name, layer := range layers {
		t.Run(name, func(t *testing.T) {
			o := small(t)
			if name == "lstm" {
				o.Epochs = 8
			}
			r, err := text.Train(context.Background(), c, layer, o)
			if err != nil {
				t.Fatal(err)
			}
			if r.Test.Score < 0.95 {
				t.Errorf("accuracy %.3f on two topics with words of their own", r.Test.Score)
			}
			m, err := r.Model()
			if err != nil {
				t.Fatal(err)
			}
			var file bytes.Buffer
			if _, err := m.WriteTo(&file); err != nil {
				t.Fatal(err)
			}
			checkFile(t, file.Bytes(), c, r)
		})
	}
}

// checkFile fails unless the classifier in a file is as good on the test texts
// as the graph said, in accuracy and in likelihood.
func checkFile(t *testing.T, file []byte, c *text.Corpus, r *text.Result) {
	t.Helper()
	table, err := kdcode.FromBytes(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := classify.New(table)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	p := m.Predictor()
	var right, loss float64
	for _, d := range c.Test {
		words := make([]string, len(d.Words))
		for i, id := range d.Words {
			words[i] = c.Words[id]
		}
		all, err := p.Predict(strings.Join(words, " "), len(c.Labels))
		if err != nil {
			t.Fatal(err)
		}
		for i, prediction := range all {
			if prediction.Label == c.Labels[d.Label] {
				loss -= math.Log(prediction.Probability)
				if i == 0 {
					right++
				}
			}
		}
	}
	n := float64(len(c.Test))
	if right/n != r.Test.Score || math.Abs(loss/n-r.Test.Loss) > 1e-4 {
		t.Errorf("the file has accuracy %.4f and loss %.5f, the graph %.4f and %.5f", right/n, loss/n, r.Test.Score, r.Test.Loss)
	}
}

// TestResume interrupts a training at every tenth step and goes on from its
// checkpoint: the file must be that of the uninterrupted one, byte for byte.
func TestResume(t *testing.T) {
	c := corpus(t)
	layer := func() learn.Embedding {
		return learn.NewKD(len(c.Words), 8).Ways(8).CodeLength(4).Relax(learn.Gumbel).DropDigits(0.2)
	}
	o := small(t)
	o.Dropout = 0.2
	o.Checkpoints = t.TempDir()
	want := fileOf(t, c, layer(), o)

	o.Checkpoints = t.TempDir()
	var history []learn.Epoch
	for interruptions := 0; ; interruptions++ {
		ctx := ctxtest.Countdown(t, 10)
		r, err := text.Train(ctx, c, layer(), o)
		if errors.Is(err, context.Canceled) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if interruptions < 3 {
			t.Errorf("only %d interruptions", interruptions)
		}
		history = r.History
		got := bytesOf(t, r)
		if !bytes.Equal(got, want) {
			t.Error("the resumed training wrote another file")
		}
		break
	}
	if len(history) != o.Epochs {
		t.Errorf("a history of %d epochs, want %d", len(history), o.Epochs)
	}
}

func fileOf(t *testing.T, c *text.Corpus, layer learn.Embedding, o text.Options) []byte {
	t.Helper()
	r, err := text.Train(context.Background(), c, layer, o)
	if err != nil {
		t.Fatal(err)
	}
	return bytesOf(t, r)
}

func bytesOf(t *testing.T, r *text.Result) []byte {
	t.Helper()
	m, err := r.Model()
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestSameSeedSameFile(t *testing.T) {
	c := corpus(t)
	o := small(t)
	o.Epochs = 1
	layer := func() learn.Embedding { return learn.NewKD(len(c.Words), 4).Ways(4).CodeLength(2) }
	a, b := fileOf(t, c, layer(), o), fileOf(t, c, layer(), o)
	if !bytes.Equal(a, b) {
		t.Error("the same seed gives two files")
	}
	o.Seed++
	if bytes.Equal(a, fileOf(t, c, layer(), o)) {
		t.Error("another seed gives the same file")
	}
}

// TestDiverges trains at a rate that no model stands.
func TestDiverges(t *testing.T) {
	c := corpus(t)
	o := small(t)
	o.Rate, o.Constant = 1e38, true
	o.Checkpoints = t.TempDir()
	_, err := text.Train(context.Background(), c, learn.NewFull(len(c.Words), 4), o)
	if !errors.Is(err, learn.ErrDiverged) {
		t.Fatalf("got %v, want ErrDiverged", err)
	}
}

func TestPatience(t *testing.T) {
	c := corpus(t)
	o := small(t)
	o.Epochs, o.Patience, o.Checkpoints = 40, 2, t.TempDir()
	r, err := text.Train(context.Background(), c, learn.NewFull(len(c.Words), 8), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.History) >= 40 {
		t.Error("it did not stop early")
	}
}

// Evaluating ends when it is asked to, be it after an epoch or at the end.
func TestInterruptedInEvaluation(t *testing.T) {
	c := corpus(t)
	for name, corpus := range map[string]*text.Corpus{
		"valid": {Labels: c.Labels, Words: c.Words, Train: c.Train, Valid: c.Test},
		"test":  {Labels: c.Labels, Words: c.Words, Train: c.Train, Test: c.Test},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		o := small(t)
		o.Epochs = 1
		o.OnStep = func(p learn.Progress) { // the last before the evaluation
			if p.Step == p.Steps {
				cancel()
			}
		}
		r, err := text.Train(ctx, corpus, learn.NewFull(len(c.Words), 8), o)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		cancel()
	}
}

// A corpus made by hand may have nothing to train on.
func TestNothingToTrainOn(t *testing.T) {
	c := *corpus(t)
	c.Train = nil
	if _, err := text.Train(context.Background(), &c, learn.NewFull(len(c.Words), 8), text.Options{Backend: backend(t)}); err == nil || !strings.Contains(err.Error(), "no texts to train on") {
		t.Errorf("got %v", err)
	}
}

// Batches may have any number of distinct words: for each that is new, graphs are
// built to train and to evaluate with.
func TestManyShapes(t *testing.T) {
	c := &text.Corpus{Labels: []string{"a", "b"}}
	for i := range 40 { // texts of 1, 2, 3, … words
		c.Words = append(c.Words, fmt.Sprint("w", i))
		var d text.Document
		for w := range i + 1 {
			d.Words = append(d.Words, int32(w))
		}
		d.Label = int32(i % 2)
		c.Train = append(c.Train, d)
	}
	c.Test = c.Train
	o := small(t)
	o.Batch, o.Round, o.Epochs, o.DropWords = 1, 1, 1, 0
	if _, err := text.Train(context.Background(), c, learn.NewFull(len(c.Words), 2), o); err != nil {
		t.Error(err)
	}
}

func TestReadErrors(t *testing.T) {
	write := func(content string) string {
		path := filepath.Join(t.TempDir(), "f.tsv")
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write("one two\ta\nthree four\tb\n")
	for _, c := range []struct {
		name   string
		source text.Source
		want   string
	}{
		{"one label", text.Source{Train: write("one\ta\ntwo\ta\n")}, `all 2 texts have the label "a"`},
		{"unseen label", text.Source{Train: good, Test: write("one\ta\ntwo\tc\n")}, `f.tsv:2: classify: bad data: unknown label "c"`},
		{"no words left", text.Source{Train: good, MinCount: 5}, "5 times"},
		{"share", text.Source{Train: good, HoldOut: 1}, "0 up to 1"},
		{"missing", text.Source{Train: good + ".not"}, "no such file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := text.Read(c.source)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q in it", err, c.want)
			}
		})
	}
}
