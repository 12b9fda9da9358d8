package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/kdcode/kdcode/classify"
	"github.com/kdcode/kdcode/codefile"
)

// textModel returns a classifier of the test's words with the labels a, b and c.
func textModel(t *testing.T) *codefile.Model {
	t.Helper()
	m := model()
	m.Tensors = nil
	c := classify.Classifier{
		Labels: []string{"a", "b", "c"},
		Weight: []float32{2, 0, 0, 1, -2, 1, 0, 0, 0, 0, 3, -1},
		Bias:   []float32{0.5, 0.1, -0.2},
	}
	if err := c.AddTo(m); err != nil {
		t.Fatal(err)
	}
	return m
}

// inModel changes to an empty folder with m.kd in it, made from textModel.
func inModel(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, "m.kd", textModel(t))
}

func TestPredict(t *testing.T) {
	inModel(t)
	r := kd(t, "cat cats\nup\n\nnone of these\r\nby week", "predict", "m.kd")
	r.quiet(t)
	golden(t, "predict", r.stdout)
	lines := strings.Split(r.stdout, "\n")
	if len(lines) != 6 || lines[2] != lines[3] {
		t.Errorf("an empty text and one of unknown words differ: %q", r.stdout)
	}
	// The rest is told otherwise, not something else.
	r = kd(t, "cat cats\nup\n", "predict", "m.kd", "-k", "2")
	r.quiet(t)
	if first := strings.Split(strings.Split(r.stdout, "\n")[0], "\t"); len(first) != 4 || strings.Join(first[:2], "\t") != lines[0] {
		t.Errorf("%q, %q", r.stdout, lines[0])
	}
	r = kd(t, "cat cats\nup\n", "predict", "m.kd", "--labels-only", "-k", "0")
	r.quiet(t)
	if fields := strings.Fields(r.stdout); len(fields) != 6 || fields[0] != lines[0][:1] {
		t.Errorf("%q", r.stdout)
	}
}

func TestPredictJSON(t *testing.T) {
	inModel(t)
	r := kd(t, "cat\n\n", "predict", "m.kd", "--json", "-k", "3")
	r.quiet(t)
	n := 0
	for line := range strings.Lines(r.stdout) {
		n++
		var got predictedText
		if err := json.Unmarshal([]byte(line), &got); err != nil || len(got.Predictions) != 3 {
			t.Fatalf("%q: %v", line, err)
		}
		sum := 0.0
		for _, p := range got.Predictions {
			sum += p.Probability
		}
		if sum < 0.999 || sum > 1.001 {
			t.Errorf("%q: %g", line, sum)
		}
	}
	if n != 2 {
		t.Errorf("%d lines", n)
	}
}

// Several threads answer in the order of the questions, from files and from
// standard input, however long the lines are.
func TestPredictManyLines(t *testing.T) {
	inModel(t)
	var b, want strings.Builder
	one := func(text string) string {
		r := kd(t, text+"\n", "predict", "m.kd")
		r.quiet(t)
		return r.stdout
	}
	texts := []string{"cat", "up by", "week when when", strings.Repeat("tuesday over ", 150_000)}
	answers := make([]string, len(texts))
	for i, text := range texts {
		answers[i] = one(text)
	}
	for i := range 60_000 {
		which := i % 7 % 3
		if i == 30_000 {
			which = 3 // two megabytes
		}
		fmt.Fprintln(&b, texts[which])
		want.WriteString(answers[which])
	}
	check := func(got result) {
		t.Helper()
		got.quiet(t)
		if got.stdout != want.String() {
			t.Errorf("%d bytes instead of %d, or other ones", len(got.stdout), want.Len())
		}
	}
	check(kd(t, b.String(), "predict", "m.kd", "--threads", "3"))
	writeText(t, "texts.txt", b.String())
	check(kd(t, "", "predict", "m.kd", "texts.txt"))
	packed := gzipped(t, b.String())
	writeText(t, "texts.gz", packed)
	check(kd(t, "", "predict", "m.kd", "texts.gz", "--threads", "1"))
	writeText(t, "one.txt", texts[0]) // without a line end
	r := kd(t, "", "predict", "m.kd", "one.txt", "one.txt")
	r.quiet(t)
	if r.stdout != answers[0]+answers[0] {
		t.Errorf("%q", r.stdout)
	}
	writeText(t, "cut.gz", packed[:len(packed)/2])
	r = kd(t, "", "predict", "m.kd", "cut.gz")
	r.stdout = ""
	r.want(t, exitData, "kd: cut.gz: the gzip stream ends early")
	writeText(t, "head.gz", packed[:3])
	kd(t, "", "predict", "m.kd", "head.gz").want(t, exitData, "kd: head.gz: the gzip stream ends early")
}

// silent is a keyboard at which nobody writes any more.
type silent struct{ text *strings.Reader }

func (e silent) Read(p []byte) (int, error) {
	if n, err := e.text.Read(p); err == nil {
		return n, nil
	}
	select {}
}

// Whoever reads the answers may go before the questions end.
func TestPredictUnread(t *testing.T) {
	inModel(t)
	var stderr bytes.Buffer
	if code := run(t.Context(), []string{"predict", "m.kd"}, silent{strings.NewReader("cat\n")}, &brokenPipe{}, &stderr); code != exitDone || stderr.Len() > 0 {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
}

func TestPredictErrors(t *testing.T) {
	inModel(t)
	table := model()
	table.Tensors = nil
	write(t, "t.kd", table)
	kd(t, "", "predict", "t.kd").want(t, exitData, "t.kd: not a text classifier", "kd train text")
	kd(t, "", "predict", "m.kd", "missing.txt").want(t, exitFailed, "missing.txt: no such file")
	kd(t, "", "predict", "m.kd", ".").want(t, exitFailed, ".: ", "directory")
}
