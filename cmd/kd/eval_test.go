package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/kdcode/kdcode/classify"
)

func TestEval(t *testing.T) {
	inModel(t)
	writeText(t, "test.tsv", "cat cats\tb\nup\ta\nby\tc\nweek\ta\nnew york\tb\n")
	r := kd(t, "", "eval", "m.kd", "--test", "test.tsv")
	r.quiet(t)
	golden(t, "eval", r.stdout)
	var got evalResult
	r = kd(t, "", "eval", "m.kd", "--test", "test.tsv", "--json")
	r.quiet(t)
	r.object(t, &got)
	right := 0
	for i := range got.Confusion {
		right += got.Confusion[i][i]
	}
	if got.Task != "text" || got.Examples != 5 || got.Accuracy != float64(right)/5 || len(got.Classes) != 3 || got.MacroF1 != got.Report.MacroF1() {
		t.Errorf("%+v", got)
	}
}

// Of many labels, the confusions are listed.
func TestEvalManyLabels(t *testing.T) {
	const n = 30
	labels, confusion := make([]string, n), make([][]int, n)
	for i := range n {
		labels[i] = fmt.Sprintf("label %d", i)
		confusion[i] = make([]int, n)
		confusion[i][i] = 5
		confusion[i][(i+1)%n] = i
	}
	r := newEvalResult("m.kd", "text", "test.tsv", "text", classify.NewReport(labels, confusion), tableSize{})
	var b bytes.Buffer
	r.print(&b)
	if text := b.String(); !strings.Contains(text, `"label 29" "label 0"`) || !strings.Contains(text, "and 9 pairs more") {
		t.Errorf("%s", text)
	}
}

func TestEvalErrors(t *testing.T) {
	inModel(t)
	write(t, "t.kd", model())
	other := textModel(t)
	other.Metadata["task"] = "weather"
	write(t, "other.kd", other)
	writeText(t, "test.tsv", "cat\ta\nup\tz\n")
	writeText(t, "torn.tsv", "cat\ta\nup\n")
	for args, want := range map[string]string{
		"t.kd --test test.tsv":              "t.kd: a table of embeddings, not a trained model",
		"other.kd --test test.tsv":          `other.kd: a model for the task "weather"`,
		"m.kd --test test.tsv":              `test.tsv:2: `,
		"m.kd --test torn.tsv":              "torn.tsv:2: ",
		"m.kd --test test.tsv --format csv": "test.tsv:1: ",
	} {
		kd(t, "", append([]string{"eval"}, strings.Fields(args)...)...).want(t, exitData, want)
	}
	kd(t, "", "eval", "m.kd", "--test", "missing.tsv").want(t, exitFailed, "missing.tsv: no such file")
}
