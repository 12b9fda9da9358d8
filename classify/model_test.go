package classify

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/tabletest"
)

// madeUp returns a random classifier of C labels over words w0, w1, ….
func madeUp(tb testing.TB, s tabletest.Shape, C int) (*codefile.Model, *Classifier) {
	tb.Helper()
	s.NoSymbols = false
	m := tabletest.Model(s, 1)
	for i := range m.Symbols {
		m.Symbols[i] = fmt.Sprintf("w%d", i)
	}
	r := rand.New(rand.NewPCG(2, 3))
	c := &Classifier{Weight: make([]float32, C*m.Dim()), Bias: make([]float32, C)}
	for i := range c.Weight {
		c.Weight[i] = float32(r.NormFloat64())
	}
	for i := range C {
		c.Labels = append(c.Labels, fmt.Sprintf("label %d", i))
		c.Bias[i] = float32(r.NormFloat64())
	}
	if err := c.AddTo(m); err != nil {
		tb.Fatal(err)
	}
	return m, c
}

// encode returns a model's file.
func encode(tb testing.TB, m *codefile.Model) []byte {
	tb.Helper()
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func openBytes(tb testing.TB, data []byte) *Model {
	tb.Helper()
	t, err := kdcode.FromBytes(data)
	if err != nil {
		tb.Fatal(err)
	}
	m, err := New(t)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { m.Close() })
	return m
}

// stored returns the code embeddings as they are stored, for a reference that
// does not count their rounding.
func stored(tb testing.TB, data []byte) *codefile.Model {
	tb.Helper()
	r, err := codefile.NewReader(data)
	if err != nil {
		tb.Fatal(err)
	}
	m, err := r.Model()
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// reference computes the scores by the definition, in float64, and a bound of
// their magnitude.
func reference(m *codefile.Model, c *Classifier, text string) (scores, size []float64) {
	mean, known := make([]float64, m.Dim()), 0
	digits := make([]uint16, m.Codes.D)
	for _, w := range plainTokens(text) {
		id := slices.Index(m.Symbols, w)
		if id < 0 {
			continue
		}
		known++
		m.Codes.Get(digits, id)
		for i, x := range tabletest.Vector(m, digits) {
			mean[i] += x
		}
	}
	for i, b := range c.Bias {
		s, a := float64(b), math.Abs(float64(b))
		for j, x := range mean {
			y := float64(c.Weight[i*len(mean)+j]) * x / float64(max(known, 1))
			s += y
			a += math.Abs(y)
		}
		scores, size = append(scores, s), append(size, a)
	}
	return scores, size
}

var texts = []string{
	"", "nothing known here", "w0", "w1 w1 w2", "W0, w1; unknown w2 w3 w4 w5 w6!", "w8 w7 w6 w5 w4 w3 w2 w1 w0",
	strings.Repeat("w1 w0 w2 ", 50), strings.Repeat("x", 100) + " w1",
}

// Both ways give the scores of the definition, for every composition.
func TestScores(t *testing.T) {
	classes := []int{1, 4, 37}
	if testing.Short() {
		classes = classes[1:2]
	}
	for _, s := range tabletest.Shapes() {
		for _, C := range classes {
			t.Run(fmt.Sprintf("%v,C=%d", s, C), func(t *testing.T) {
				model, c := madeUp(t, s, C)
				data := encode(t, model)
				m, want := openBytes(t, data), stored(t, data)
				ways := map[string]words{"chosen": m.words, "embeddings": &embeddings{m.table, c}}
				if m.table.Info().Composition != codefile.Recur && partialFits(m.table, c) {
					p, err := newPartial(m.table, c)
					if err != nil {
						t.Fatal(err)
					}
					ways["partial"] = p
				}
				for name, way := range ways {
					checkScores(t, name, &Model{m.table, c, way, m.indices}, want)
				}
			})
		}
	}
}

func checkScores(t *testing.T, name string, m *Model, want *codefile.Model) {
	t.Helper()
	p, backwards := m.Predictor(), m.Predictor()
	got, again := make([]float32, len(m.class.Labels)), make([]float32, len(m.class.Labels))
	var all [][]float32
	for _, text := range texts {
		if _, err := p.Scores(got, []byte(text)); err != nil {
			t.Fatal(err)
		}
		scores, size := reference(want, m.class, text)
		for i := range scores {
			// Sums inside the composition may be larger than the terms seen here.
			if diff := math.Abs(float64(got[i]) - scores[i]); diff > 1e-5*(size[i]+math.Sqrt(float64(m.table.CodeLength()*m.table.Dim()))) {
				t.Fatalf("%s: %.20q, label %d: score %g, want %g", name, text, i, got[i], scores[i])
			}
		}
		all = append(all, slices.Clone(got))
	}
	// A predictor that met other texts before answers the same bits.
	for i, text := range slices.Backward(texts) {
		if _, err := backwards.Scores(again, []byte(text)); err != nil || !slices.Equal(all[i], again) {
			t.Fatalf("%s: %.20q: %v, and in another order %v, %v", name, text, all[i], again, err)
		}
	}
}

func TestWay(t *testing.T) {
	for _, c := range []struct {
		shape   tabletest.Shape
		classes int
		partial bool
	}{
		{tabletest.Shape{N: 5, K: 32, D: 32, Dim: 300, CodeDim: 300, Composition: codefile.Sum}, 4, true},
		{tabletest.Shape{N: 5, K: 32, D: 32, Dim: 300, CodeDim: 300, Composition: codefile.Sum}, 300, true},
		{tabletest.Shape{N: 5, K: 32, D: 32, Dim: 300, CodeDim: 300, Composition: codefile.Sum}, 301, false},
		{tabletest.Shape{N: 5, K: 65536, D: 64, Dim: 2, CodeDim: 2, Shared: true, Composition: codefile.Sum}, 2, false}, // too large
		{tabletest.Shape{N: 5, K: 32, D: 10, Dim: 300, CodeDim: 30, Composition: codefile.Concat}, 4, true},
		{tabletest.Shape{N: 5, K: 32, D: 100, Dim: 300, CodeDim: 3, Composition: codefile.Concat}, 100, false},
		{tabletest.Shape{N: 5, K: 8, D: 8, Dim: 300, CodeDim: 10, Composition: codefile.Affine}, 100, true},
		{tabletest.Shape{N: 5, K: 8, D: 8, Dim: 30, CodeDim: 10, Hidden: 10, Composition: codefile.Recur}, 2, false},
	} {
		model, _ := madeUp(t, c.shape, c.classes)
		m := openBytes(t, encode(t, model))
		if _, ok := m.words.(*partial); ok != c.partial {
			t.Errorf("%v of %d labels: %T", c.shape, c.classes, m.words)
		}
	}
}

var smallShape = tabletest.Shape{N: 9, K: 4, D: 3, Dim: 5, CodeDim: 5, Composition: codefile.Sum}

func TestOpen(t *testing.T) {
	model, c := madeUp(t, smallShape, 3)
	path := filepath.Join(t.TempDir(), "model.kd")
	if err := codefile.WriteFile(path, model); err != nil {
		t.Fatal(err)
	}
	m, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if !slices.Equal(m.Labels(), c.Labels) || m.Table().Len() != 9 {
		t.Error(m.Labels())
	}
	m.Labels()[0] = "changed"
	if i, ok := m.Class("label 2"); !ok || i != 2 || m.Labels()[0] != "label 0" {
		t.Error(i, ok)
	}
	if model.Metadata["task"] != "text" || model.Metadata["tokenizer"] != "lower-punct-1" {
		t.Error(model.Metadata)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none.kd")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestOpenErrors(t *testing.T) {
	const again = "; make it again with kd train text"
	for _, c := range []struct {
		name   string
		change func(m *codefile.Model)
		want   string
	}{
		{"a table", func(m *codefile.Model) { m.Tensors = nil; m.Metadata = nil },
			`not a text classifier: the file has a table of embeddings but no tensor "classifier.weight"; make a classifier with kd train text`},
		{"another task", func(m *codefile.Model) { m.Metadata["task"] = "lm" },
			`not a text classifier: the file was trained for the task "lm"; make a classifier with kd train text`},
		{"another tokenizer", func(m *codefile.Model) { m.Metadata["tokenizer"] = "x-9" },
			`not a text classifier: its texts were split by the tokenizer "x-9", but only "lower-punct-1" is known here; use the kdcode that made it, or a newer one`},
		{"no symbols", func(m *codefile.Model) { m.Symbols = nil },
			"not a text classifier: the file has no symbols, so no words are known; make it again with kd train text"},
		{"no labels", func(m *codefile.Model) { delete(m.Tensors, tensorLabels) },
			`not a text classifier: not in the code file: tensor "classifier.labels"; there are ["classifier.bias" "classifier.weight"]` + again},
		{"no bias", func(m *codefile.Model) { delete(m.Tensors, tensorBias) },
			`not a text classifier: not in the code file: tensor "classifier.bias"; there are ["classifier.weight" "classifier.labels"]` + again},
		{"labels that are no JSON", func(m *codefile.Model) { m.Tensors[tensorLabels] = codefile.BytesTensor([]byte("[1")) },
			`not a text classifier: tensor "classifier.labels" is no JSON array of strings: unexpected end of JSON input` + again},
		{"fewer labels", func(m *codefile.Model) { m.Tensors[tensorLabels] = codefile.BytesTensor([]byte(`["a"]`)) },
			`not a text classifier: tensor "classifier.weight" has the shape [3 5], but the labels and the table need [1 5]` + again},
		{"no labels in it", func(m *codefile.Model) {
			m.Tensors[tensorLabels] = codefile.BytesTensor([]byte(`[]`))
			m.Tensors[tensorWeight] = codefile.FloatTensor(nil, 0, 5)
			m.Tensors[tensorBias] = codefile.FloatTensor(nil, 0)
		}, "not a text classifier: a classifier without labels" + again},
		{"equal labels", func(m *codefile.Model) { m.Tensors[tensorLabels] = codefile.BytesTensor([]byte(`["a","b","a"]`)) },
			`not a text classifier: two labels are "a"` + again},
		{"empty label", func(m *codefile.Model) { m.Tensors[tensorLabels] = codefile.BytesTensor([]byte(`["a","b",""]`)) },
			`not a text classifier: label 2 is "": labels are UTF-8 and not empty` + again},
		{"transposed weight", func(m *codefile.Model) {
			m.Tensors[tensorWeight] = codefile.FloatTensor(make([]float32, 15), 5, 3)
		}, `not a text classifier: tensor "classifier.weight" has the shape [5 3], but the labels and the table need [3 5]` + again},
		{"bias of bytes", func(m *codefile.Model) { m.Tensors[tensorBias] = codefile.BytesTensor([]byte("abc")) },
			`not a text classifier: tensor "classifier.bias": a tensor of U8, not F32` + again},
		{"not finite", func(m *codefile.Model) {
			m.Tensors[tensorBias] = codefile.FloatTensor([]float32{0, float32(math.NaN()), 0}, 3)
		}, "not a text classifier: a weight or bias is not finite: the training diverged" + again},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, _ := madeUp(t, smallShape, 3)
			m.Tensors, m.Metadata = maps.Clone(m.Tensors), maps.Clone(m.Metadata)
			c.change(m)
			path := filepath.Join(t.TempDir(), "model.kd")
			if err := codefile.WriteFile(path, m); err != nil {
				t.Fatal(err)
			}
			_, err := Open(path)
			if !errors.Is(err, ErrNoClassifier) || err.Error() != path+": "+c.want {
				t.Errorf("%v\nwant %s", err, c.want)
			}
		})
	}
}

func TestAddToErrors(t *testing.T) {
	m := tabletest.Model(smallShape, 1)
	good := Classifier{[]string{"a", "b"}, make([]float32, 10), make([]float32, 2)}
	for _, c := range []struct {
		name string
		c    Classifier
		want string
	}{
		{"no labels", Classifier{}, "classify: a classifier without labels"},
		{"weights", Classifier{good.Labels, good.Weight[1:], good.Bias}, "classify: 9 weights, but 2 labels and vectors of 5 need 10"},
		{"bias", Classifier{good.Labels, good.Weight, nil}, "classify: 0 biases for 2 labels"},
		{"infinite", Classifier{good.Labels, good.Weight, []float32{0, float32(math.Inf(1))}}, "classify: a weight or bias is not finite: the training diverged"},
		{"not UTF-8", Classifier{[]string{"a", "\xff"}, good.Weight, good.Bias}, `classify: label 1 is "\xff": labels are UTF-8 and not empty`},
	} {
		if err := c.c.AddTo(m); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	m.Symbols = nil
	if err := good.AddTo(m); err == nil || err.Error() != "classify: the model has no symbols: a classifier needs its words" {
		t.Error(err)
	}
}
