package lm_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/engine/enginetest"
	"github.com/kdcode/kdcode/internal/ctxtest"
	"github.com/kdcode/kdcode/learn"
	"github.com/kdcode/kdcode/learn/lm"
)

// backend returns the backend that the tests run on.
func backend(t testing.TB) compute.Backend {
	t.Helper()
	return enginetest.Backend(t)
}

// write writes a corpus of counting: each sentence counts on from where it
// begins, so that every word but the first follows from the one before.
func write(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "count [1]*") // which are no pattern
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for part, sentences := range map[string]int{"train": 240, "valid": 30, "test": 30} {
		var b strings.Builder
		for i := range sentences {
			for j := range 6 {
				fmt.Fprintf(&b, " w%d", (i*5+j)%10)
			}
			b.WriteString(" \n")
		}
		if err := os.WriteFile(filepath.Join(dir, "count."+part+".txt"), []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func corpus(t testing.TB) *lm.Corpus {
	t.Helper()
	c, err := lm.Read(write(t))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func options(t testing.TB) lm.Options {
	return lm.Options{
		Backend: backend(t), Batch: 4, Seed: 1, Optimizer: learn.SGD(1, 5),
		Size: lm.Size{Dim: 8, Steps: 5, InitScale: 0.3, Keep: 0.9, Clip: 5, Flat: 3, Decay: 0.8, Epochs: 6},
	}
}

func TestCorpus(t *testing.T) {
	c := corpus(t)
	if len(c.Words) != 11 || len(c.Train) != 240*7 || len(c.Valid) != 30*7 {
		t.Fatalf("%d words, %d and %d tokens", len(c.Words), len(c.Train), len(c.Valid))
	}
	if c.Words[0] != lm.EndOfSentence {
		t.Errorf("the most frequent word is %q", c.Words[0])
	}
}

func TestPennTreebank(t *testing.T) {
	dir := "../../../shared/data/ptb"
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no Penn Treebank beside the repository")
	}
	c, err := lm.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Words) != 10_000 || len(c.Train) != 929_589 || len(c.Valid) != 73_760 || len(c.Test) != 82_430 {
		t.Errorf("%d words, %d, %d and %d tokens", len(c.Words), len(c.Train), len(c.Valid), len(c.Test))
	}
}

// TestTrain trains on several layers, and checks that the code file has the
// perplexity that the graph had.
func TestTrain(t *testing.T) {
	c := corpus(t)
	n := len(c.Words)
	for name, layer := range map[string]learn.Embedding{
		"full": learn.NewFull(n, 8).InitScale(0.3),
		"kd":   learn.NewKD(n, 8).Ways(4).CodeLength(3).CodeDim(6).InitScale(0.3),
		"dpq":  learn.NewDPQ(n, 8).Ways(4).CodeLength(4).InitScale(0.3),
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			if name == "kd" {
				o.Optimizer = learn.Mixed(1, 5)
			}
			r, err := lm.Train(context.Background(), c, layer, o)
			if err != nil {
				t.Fatal(err)
			}
			// All words but a few at the beginning follow from those before.
			if r.Test > 3 {
				t.Errorf("perplexity %.2f on counting", r.Test)
			}
			m, err := lm.New(table(t, r), backend(t))
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.Perplexity(context.Background(), c.Test)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got-r.Test)/r.Test > 1e-4 {
				t.Errorf("perplexity %.4f from the file, %.4f by the graph", got, r.Test)
			}
			if name == "full" { // codes of so few epochs may take one word for another
				checkCounting(t, m)
			}
		})
	}
}

// checkCounting asks the model to count on.
func checkCounting(t *testing.T, m *lm.Model) {
	t.Helper()
	text, err := m.Encode(strings.Fields("<eos> w5 w6 w7"))
	if err != nil {
		t.Fatal(err)
	}
	more, err := m.Continue(context.Background(), text, lm.Sampling{Words: 2})
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Words[more[0]] + " " + m.Words[more[1]]; got != "w8 w9" {
		t.Errorf("w5 w6 w7 goes on with %s", got)
	}
}

func table(t *testing.T, r *lm.Result) *kdcode.Table {
	t.Helper()
	table, err := kdcode.FromBytes(bytesOf(t, r))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func bytesOf(t *testing.T, r *lm.Result) []byte {
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

// TestResume: the state that is carried from batch to batch survives, too.
// A training that is interrupted again and again, also while it evaluates and
// before it does a step, comes to the same end.
func TestResume(t *testing.T) {
	c := corpus(t)
	for name, average := range map[string]int{"last": 0, "mean": 1} {
		t.Run(name, func(t *testing.T) { testResume(t, c, average) })
	}
}

func testResume(t *testing.T, c *lm.Corpus, average int) {
	layer := func() learn.Embedding { return learn.NewKD(len(c.Words), 8).Ways(4).CodeLength(3).InitScale(0.3) }
	o := options(t)
	o.Optimizer, o.Size.Epochs, o.Average = learn.Mixed(1, 5), 2, average
	whole, err := lm.Train(context.Background(), c, layer(), o)
	if err != nil {
		t.Fatal(err)
	}
	o.Checkpoints = t.TempDir()
	for interrupted := 0; ; interrupted++ {
		r, err := lm.Train(ctxtest.Countdown(t, 1+interrupted%2*49), c, layer(), o)
		if errors.Is(err, context.Canceled) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if interrupted < 4 {
			t.Errorf("interrupted %d times", interrupted)
		}
		if !bytes.Equal(bytesOf(t, r), bytesOf(t, whole)) {
			t.Error("the resumed training gives another file")
		}
		return
	}
}

// The mean of the weights is another model than the last ones, and no worse at
// counting; of its epochs the best is kept.
func TestAverage(t *testing.T) {
	c := corpus(t)
	o := options(t)
	layer := func() learn.Embedding { return learn.NewFull(len(c.Words), 8).InitScale(0.3) }
	last, err := lm.Train(context.Background(), c, layer(), o)
	if err != nil {
		t.Fatal(err)
	}
	o.Average, o.KeepBest, o.Checkpoints = 1, true, t.TempDir()
	mean, err := lm.Train(context.Background(), c, layer(), o)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(bytesOf(t, mean), bytesOf(t, last)) {
		t.Error("averaging changes nothing")
	}
	if mean.Test > 3 {
		t.Errorf("perplexity %.2f on counting", mean.Test)
	}
	for _, e := range mean.History {
		if *e.Perplexity < mean.Valid {
			t.Errorf("epoch %d has a perplexity of %.4f, %.4f was kept", e.Epoch, *e.Perplexity, mean.Valid)
		}
	}
	o.Checkpoints = ""
	if _, err := lm.Train(context.Background(), c, layer(), o); err == nil {
		t.Error("the best epoch is kept nowhere")
	}
}

func TestSizes(t *testing.T) {
	s, err := lm.SizeOf("medium", lm.Coded)
	if err != nil {
		t.Fatal(err)
	}
	if s.Dim != 650 || s.Flat != 12 || s.Epochs != 35 || s.Keep != 0.5 {
		t.Errorf("%+v", s)
	}
	for epoch, want := range map[int]float64{0: 1, 11: 1, 12: 0.6, 13: 0.36} {
		if got := s.Rate(epoch); math.Abs(got-want) > 1e-12 {
			t.Errorf("epoch %d: rate %g, want %g", epoch, got, want)
		}
	}
	if _, err := lm.SizeOf("huge", lm.Ordinary); err == nil {
		t.Error("a size huge is accepted")
	}
}

func TestReadErrors(t *testing.T) {
	for name, c := range map[string]struct {
		change func(dir string)
		want   string
	}{
		"missing": {func(dir string) { os.Remove(filepath.Join(dir, "count.valid.txt")) }, "there is no *valid.txt"},
		"two":     {func(dir string) { os.WriteFile(filepath.Join(dir, "other.test.txt"), []byte("a\n"), 0o666) }, "count.test.txt, other.test.txt all end in test.txt"},
		"empty":   {func(dir string) { os.WriteFile(filepath.Join(dir, "count.test.txt"), nil, 0o666) }, "the file is empty"},
		"unknown": {func(dir string) { os.WriteFile(filepath.Join(dir, "count.test.txt"), []byte("w1 zz\n"), 0o666) }, `count.test.txt:1: bad corpus: word 2, "zz"`},
		"a file":  {func(dir string) { os.RemoveAll(dir); os.WriteFile(dir, []byte("w1\n"), 0o666) }, "a corpus is a folder, of *train.txt"},
		"gzip": {func(dir string) {
			os.Remove(filepath.Join(dir, "count.test.txt"))
			os.WriteFile(filepath.Join(dir, "count.test.txt.gz"), []byte("no gzip"), 0o666)
		}, "gzip"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := write(t)
			c.change(dir)
			if _, err := lm.Read(dir); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q in it", err, c.want)
			}
		})
	}
}

// TestOtherEditors reads what editors of other systems write: a byte order mark
// and other line ends.
func TestOtherEditors(t *testing.T) {
	dir := write(t)
	want, err := lm.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range lm.Parts {
		path := filepath.Join(dir, "count."+part+".txt")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text = append([]byte("\ufeff"), bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))...)
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := lm.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Words, want.Words) || !slices.Equal(got.Train, want.Train) || !slices.Equal(got.Test, want.Test) {
		t.Errorf("%d words instead of %d, or other ones", len(got.Train), len(want.Train))
	}
}

func TestGzip(t *testing.T) {
	dir := write(t)
	path := filepath.Join(dir, "count.test.txt")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write(content)
	w.Close()
	if err := errors.Join(os.Remove(path), os.WriteFile(path+".gz", packed.Bytes(), 0o666)); err != nil {
		t.Fatal(err)
	}
	if c, err := lm.Read(dir); err != nil || len(c.Test) != 210 {
		t.Errorf("%v", err)
	}
}

// briefly trains a small model for an epoch.
func briefly(t *testing.T, c *lm.Corpus) *lm.Result {
	t.Helper()
	o := options(t)
	o.Size.Epochs = 1
	r, err := lm.Train(context.Background(), c, learn.NewFull(len(c.Words), 8), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A model that gives no numbers says so, rather than passing them on.
func TestUnusable(t *testing.T) {
	c := corpus(t)
	r := briefly(t, c)
	for _, bias := range []float32{float32(math.NaN()), float32(math.Inf(1)), 1e30} {
		m, err := r.Model()
		if err != nil {
			t.Fatal(err)
		}
		values := make([]float32, len(c.Words))
		values[3] = bias
		m.Tensors["lm.softmax.bias"] = codefile.FloatTensor(values, 1, len(values))
		broken, err := lm.New(written(t, m), backend(t))
		if err != nil {
			t.Fatal(err)
		}
		if p, err := broken.Perplexity(context.Background(), c.Test); !errors.Is(err, lm.ErrNoModel) {
			t.Errorf("a bias of %g: perplexity %g, %v", bias, p, err)
		}
		if _, err := broken.Continue(context.Background(), nil, lm.Sampling{Words: 1}); bias != 1e30 && !errors.Is(err, lm.ErrNoModel) {
			t.Errorf("a bias of %g: sampling gives %v", bias, err)
		}
	}
}

// written returns a model as its file has it.
func written(t *testing.T, m *codefile.Model) *kdcode.Table {
	t.Helper()
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	table, err := kdcode.FromBytes(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestNoModel(t *testing.T) {
	c := corpus(t)
	r := briefly(t, c)
	m, err := r.Model()
	if err != nil {
		t.Fatal(err)
	}
	delete(m.Tensors, "lm.lstm2.bias")
	if _, err := lm.New(written(t, m), backend(t)); !errors.Is(err, lm.ErrNoModel) {
		t.Errorf("got %v", err)
	}
}

// A small file that asks for a large table, without the softmax that would be as
// large, is refused before there is memory for it.
func TestNoModelTakesNoMemory(t *testing.T) {
	const n, dim = 20_000, 4_000
	m := &codefile.Model{
		Codes:       codefile.NewCodes(n, 2, 1),
		Embeddings:  codefile.Embeddings{Values: make([]float32, 2*dim), Dim: dim},
		Composition: codefile.Sum,
		Metadata:    map[string]string{"task": "lm", "steps": "5"},
	}
	for i := range n {
		m.Symbols = append(m.Symbols, fmt.Sprint(i))
	}
	broken := written(t, m)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := lm.New(broken, backend(t)); !errors.Is(err, lm.ErrNoModel) {
		t.Errorf("got %v", err)
	}
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 4*n*dim/10 {
		t.Errorf("%d bytes were taken, of a table of %d", taken, 4*n*dim)
	}
}

// A checkpoint of other settings that were not named is an error, whether the
// training was stopped within an epoch or after one.
func TestOtherBatch(t *testing.T) {
	c := corpus(t)
	for _, after := range []bool{false, true} {
		ctx, cancel := context.WithCancel(context.Background())
		o := options(t)
		o.Size.Epochs, o.Checkpoints = 2, t.TempDir()
		o.OnStep = func(learn.Progress) {
			if !after {
				cancel()
			}
		}
		o.OnEpoch = func(learn.Epoch) { cancel() }
		if _, err := lm.Train(ctx, c, learn.NewFull(len(c.Words), 8), o); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		o.Batch, o.OnStep, o.OnEpoch = 2, nil, nil
		if _, err := lm.Train(context.Background(), c, learn.NewFull(len(c.Words), 8), o); err == nil || !strings.Contains(err.Error(), "other settings") {
			t.Errorf("stopped after an epoch %t: %v", after, err)
		}
		cancel()
	}
}

// Texts may have any length: for each that is shorter than T, a graph is built.
func TestManyLengths(t *testing.T) {
	c := corpus(t)
	o := options(t)
	o.Size.Epochs, o.Size.Steps = 1, 40
	r, err := lm.Train(context.Background(), c, learn.NewFull(len(c.Words), 8), o)
	if err != nil {
		t.Fatal(err)
	}
	m, err := lm.New(table(t, r), backend(t))
	if err != nil {
		t.Fatal(err)
	}
	for n := 2; n <= 41; n++ {
		if _, err := m.Perplexity(context.Background(), c.Test[:n]); err != nil {
			t.Fatalf("%d words: %v", n, err)
		}
	}
}

// Ids of another vocabulary are an error wherever they stand: a graph would take
// them for others, and count what follows as certain.
func TestUnknownIDs(t *testing.T) {
	c := corpus(t)
	m, err := lm.New(table(t, briefly(t, c)), backend(t))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, text := range [][]int32{{-1, 1, 2}, {1, 2, -1}, {1, 2, 11}} {
		if p, err := m.Perplexity(ctx, text); !errors.Is(err, lm.ErrFormat) {
			t.Errorf("%v has a perplexity of %g, %v", text, p, err)
		}
		if more, err := m.Continue(ctx, text, lm.Sampling{Words: 1}); !errors.Is(err, lm.ErrFormat) {
			t.Errorf("%v is continued by %v, %v", text, more, err)
		}
		for name, other := range map[string]*lm.Corpus{
			"train": {Words: c.Words, Train: slices.Concat(c.Train, text), Valid: c.Valid, Test: c.Test},
			"valid": {Words: c.Words, Train: c.Train, Valid: text, Test: c.Test},
			"test":  {Words: c.Words, Train: c.Train, Valid: c.Valid, Test: text},
		} {
			o := options(t)
			o.OnStep = func(learn.Progress) { t.Errorf("%s: it trains on %v", name, text) }
			if _, err := lm.Train(ctx, other, learn.NewFull(len(c.Words), 8), o); !errors.Is(err, lm.ErrFormat) {
				t.Errorf("%s, %v: %v", name, text, err)
			}
		}
	}
}
