package classify

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/tabletest"
)

func TestPredict(t *testing.T) {
	model, _ := madeUp(t, smallShape, 4)
	m := openBytes(t, encode(t, model))
	p := m.Predictor()
	all, err := p.Predict("W1 w2, unknown", 4)
	if err != nil {
		t.Fatal(err)
	}
	scores := make([]float32, 4)
	if known, err := p.Scores(scores, []byte("W1 w2, unknown")); err != nil || known != 2 {
		t.Fatal(known, err)
	}
	var sum, norm float64
	for _, s := range scores {
		norm += math.Exp(float64(s))
	}
	for i, a := range all {
		class, _ := m.Class(a.Label)
		if want := math.Exp(float64(scores[class])) / norm; math.Abs(a.Probability-want) > 1e-9 {
			t.Errorf("%v, want probability %g", a, want)
		}
		if i > 0 && a.Probability > all[i-1].Probability {
			t.Errorf("not in order: %v", all)
		}
		sum += a.Probability
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("probabilities add up to %g", sum)
	}
	if all[0].Label != m.Labels()[Best(scores)] {
		t.Error("Best is another")
	}
	for k, want := range map[int]int{-1: 0, 0: 0, 1: 1, 3: 3, 9: 4} {
		got, err := p.PredictBytes([]byte("W1 w2, unknown"), k)
		if err != nil || !slices.Equal(got, all[:want]) {
			t.Errorf("k = %d: %v, %v", k, got, err)
		}
	}
	if _, err := p.Scores(scores[:3], nil); err == nil || err.Error() != "classify: 3 floats for the scores of 4 labels" {
		t.Error(err)
	}
}

// Without a known word the bias decides, and equals stay in order.
func TestPredictNothingKnown(t *testing.T) {
	model := tabletest.Model(smallShape, 1)
	c := &Classifier{[]string{"z", "a", "m"}, make([]float32, 15), []float32{0, 1000, 0}}
	if err := c.AddTo(model); err != nil {
		t.Fatal(err)
	}
	p := openBytes(t, encode(t, model)).Predictor()
	got, err := p.Predict("…", 3)
	want := []Prediction{{"a", 1}, {"z", 0}, {"m", 0}}
	if err != nil || !slices.Equal(got, want) {
		t.Error(got, err)
	}
}

func TestPredictAllocations(t *testing.T) {
	model, _ := madeUp(t, smallShape, 4)
	p := openBytes(t, encode(t, model)).Predictor()
	scores := make([]float32, 4)
	fresh := 0
	text := []byte("w0 w1 unknown w2 " + strings.Repeat("w", 30) + " 00000000")
	n := testing.AllocsPerRun(100, func() {
		fresh++
		copy(text[len(text)-8:], fmt.Appendf(text[:len(text)-8], "%08d", fresh)[len(text)-8:]) // a word not cached
		if _, err := p.Scores(scores, text); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations a text", n)
	}
}

func TestPredictClosed(t *testing.T) {
	model, _ := madeUp(t, smallShape, 4)
	m := openBytes(t, encode(t, model))
	p := m.Predictor()
	if _, err := p.Predict("w1", 1); err != nil {
		t.Fatal(err)
	}
	m.Close()
	for _, text := range []string{"w1", "unknown", ""} {
		if _, err := p.Predict(text, 1); !errors.Is(err, kdcode.ErrClosed) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A digit that is K or more is an error, in either way.
func TestPredictDamaged(t *testing.T) {
	shape := smallShape
	shape.K = 3
	model, c := madeUp(t, shape, 2)
	data := encode(t, model)
	m := openBytes(t, data)
	r, err := codefile.NewReader(data)
	if err != nil {
		t.Fatal(err)
	}
	r.Codes().Packed[1] = 3 // aliases data; the only byte of word 1
	for _, way := range []words{m.words, &embeddings{m.table, c}} {
		p := (&Model{m.table, c, way, m.indices}).Predictor()
		for range 2 { // the failed word does not stay in the cache
			if _, err := p.Predict("w0 w1", 1); !errors.Is(err, kdcode.ErrDamaged) {
				t.Errorf("%T: %v", way, err)
			}
		}
		if _, err := p.Predict("w0", 1); err != nil {
			t.Error(err)
		}
	}
}

// Words that differ have keys that differ, whatever follows them in memory.
func TestKey(t *testing.T) {
	seen := map[key]string{}
	buffer := []byte(strings.Repeat("\xff", 64))
	for n := 1; n <= 20; n++ {
		for _, c := range []byte{'a', 'b', 0} {
			word := strings.Repeat(string(rune(c)), n)
			copy(buffer, word)
			k, ok := newKey(buffer[:n])
			if ok != (n <= keyBytes) {
				t.Fatalf("%d bytes: %t", n, ok)
			}
			if short, _ := newKey(slices.Clip([]byte(word))); short != k {
				t.Fatalf("%q: %x and %x", word, k, short)
			}
			if !ok {
				continue
			}
			if other, found := seen[k]; found || k == (key{}) {
				t.Fatalf("%q has the key of %q, or of an empty slot", word, other)
			}
			seen[k] = word
		}
	}
}

// One Model serves any number of goroutines, and may be closed under them.
func TestConcurrentPredict(t *testing.T) {
	for _, C := range []int{2, 40} { // partial scores, embeddings
		model, _ := madeUp(t, smallShape, C)
		m := openBytes(t, encode(t, model))
		want, err := m.Predictor().Predict("w1 w2 w3", 1)
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for g := range 4 {
			all.Go(func() {
				p := m.Predictor()
				for i := range 500 {
					got, err := p.Predict(fmt.Sprintf("w1 w2 w3 unknown%d", i), 1)
					if errors.Is(err, kdcode.ErrClosed) {
						return
					}
					if err != nil || !slices.Equal(got, want) {
						t.Error(got, err)
						return
					}
					if g == 0 && i == 250 {
						m.Close()
					}
				}
			})
		}
		all.Wait()
	}
}
