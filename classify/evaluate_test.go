package classify

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
)

func newExamples(t *testing.T, data string) *Reader {
	t.Helper()
	r, err := NewReader(strings.NewReader(data), "data", Tab)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReport(t *testing.T) {
	r := NewReport([]string{"a", "b", "c"}, [][]int{{3, 1, 0}, {2, 4, 0}, {0, 0, 0}})
	want := &Report{
		Examples: 10, Accuracy: 0.7,
		Classes: []ClassReport{
			{Label: "a", Examples: 4, Precision: 0.6, Recall: 0.75, F1: 6. / 9},
			{Label: "b", Examples: 6, Precision: 0.8, Recall: 4. / 6, F1: 8. / 11},
			{Label: "c"},
		},
		Confusion: [][]int{{3, 1, 0}, {2, 4, 0}, {0, 0, 0}},
	}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("%+v, want %+v", r, want)
	}
	if got := r.String(); got != "accuracy 0.7000, macro F1 0.4646 over 10 examples" {
		t.Error(got)
	}
	if empty := NewReport(nil, nil); empty.Accuracy != 0 || empty.MacroF1() != 0 {
		t.Error(empty)
	}
}

func TestEvaluate(t *testing.T) {
	model, _ := madeUp(t, smallShape, 3)
	m := openBytes(t, encode(t, model))
	var b strings.Builder
	rng := rand.New(rand.NewPCG(1, 2))
	confusion := newConfusion(3)
	p := m.Predictor()
	for range 2000 {
		text := fmt.Sprintf("w%d w%d w%d", rng.IntN(9), rng.IntN(9), rng.IntN(20))
		class := rng.IntN(3)
		fmt.Fprintf(&b, "%s\tlabel %d\n", text, class)
		best, err := p.Predict(text, 1)
		if err != nil {
			t.Fatal(err)
		}
		predicted, _ := m.Class(best[0].Label)
		confusion[class][predicted]++
	}
	want := NewReport(m.Labels(), confusion)
	for _, threads := range []int{0, 1, 2, 7} {
		got, err := m.Evaluate(newExamples(t, b.String()), threads)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d threads: %+v, want %+v", threads, got, want)
		}
	}
}

func TestEvaluateErrors(t *testing.T) {
	few, _ := madeUp(t, smallShape, 2)
	many, _ := madeUp(t, smallShape, 11)
	fill := strings.Repeat("w1\tlabel 1\n", 600)
	for _, c := range []struct {
		name  string
		model *codefile.Model
		data  string
		want  string
	}{
		{"unknown label", few, fill + "w1\tsport\nw1\tnews\n",
			`data:601: the label "sport" is none of those the classifier was trained on ("label 0", "label 1"): correct it, or train with it`},
		{"of many", many, "w1\tlabel 1\n\nw1\tx\n",
			`data:3: the label "x" is none of those the classifier was trained on ("label 0", "label 1", "label 2", "label 3", "label 4", "label 5", "label 6", "label 7", and 3 more): correct it, or train with it`},
		{"bad line", few, fill + "w1\n", `data:601: no tab between a text and its label, but "w1"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := openBytes(t, encode(t, c.model))
			for _, threads := range []int{1, 4} {
				_, err := m.Evaluate(newExamples(t, c.data), threads)
				if err == nil || err.Error() != c.want {
					t.Errorf("%v\nwant %s", err, c.want)
				}
				if label := c.name != "bad line"; errors.Is(err, ErrLabel) != label || !errors.Is(err, ErrFormat) {
					t.Errorf("the kind of %v", err)
				}
			}
		})
	}
}

// What goes wrong in predicting has the earliest line, and wins over what the
// reader meets after it.
func TestEvaluateFails(t *testing.T) {
	model, _ := madeUp(t, smallShape, 2)
	m := openBytes(t, encode(t, model))
	m.Close()
	for _, threads := range []int{1, 4} {
		_, err := m.Evaluate(newExamples(t, strings.Repeat("w1\tlabel 1\n", 2000)+"w1\tx\n"), threads)
		if !errors.Is(err, kdcode.ErrClosed) || err.Error() != "data:1: kdcode: table is closed" {
			t.Error(err)
		}
	}
}
