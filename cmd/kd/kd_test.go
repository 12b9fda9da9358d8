package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/vectors"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// here is the folder of the tests, which change to others.
var here = func() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return dir
}()

// result is what a run of kd did.
type result struct {
	code           int
	stdout, stderr string
}

// kd runs kd with those arguments and that standard input.
func kd(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), args, strings.NewReader(stdin), &stdout, &stderr)
	return result{code, stdout.String(), stderr.String()}
}

// want fails the test unless kd ended with that code, and with an error that
// is one line and has those parts.
func (r result) want(t *testing.T, code int, parts ...string) {
	t.Helper()
	if r.code != code {
		t.Fatalf("exit code %d, want %d; stdout %q, stderr %q", r.code, code, r.stdout, r.stderr)
	}
	if code != exitDone && !strings.HasPrefix(r.stderr, "kd: ") {
		t.Errorf("the error %q does not begin with the program's name", r.stderr)
	}
	if n := strings.Count(r.stderr, "\n"); code != exitDone && n != 1 {
		t.Errorf("the error has %d lines: %q", n, r.stderr)
	}
	for _, part := range parts {
		if !strings.Contains(r.stderr, part) {
			t.Errorf("the error %q does not say %q", r.stderr, part)
		}
	}
}

// quiet fails the test unless kd ended well and said nothing on stderr.
func (r result) quiet(t *testing.T) {
	t.Helper()
	r.want(t, exitDone)
	if r.stderr != "" {
		t.Fatalf("stderr: %q", r.stderr)
	}
}

// object decodes the one JSON object on stdout into v.
func (r result) object(t *testing.T, v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(r.stdout))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		t.Fatalf("%v in %q", err, r.stdout)
	}
	if d.More() {
		t.Fatalf("more than one JSON value in %q", r.stdout)
	}
}

// golden compares text with the golden file of that name.
func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(here, "testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("%s.golden differs; run with -update if it should.\ngot:\n%s\nwant:\n%s", name, text, want)
	}
}

// words are the symbols of the test's table, with their codes.
var words = []struct {
	symbol string
	code   []uint16
}{
	{"up", []uint16{3, 1, 0}},
	{"week", []uint16{3, 1, 1}},
	{"by", []uint16{3, 1, 2}},
	{"when", []uint16{3, 1, 0}},
	{"tuesday", []uint16{3, 1, 1}},
	{"cat", []uint16{0, 2, 2}},
	{"cats", []uint16{0, 2, 1}},
	{"new york", []uint16{1, 0, 3}},
	{"over", []uint16{3, 1, 0}},
}

// model returns a model with those words: K = 4, D = 3, d = 4.
func model() *codefile.Model {
	const k, d, dim = 4, 3, 4
	m := &codefile.Model{
		Codes:       codefile.NewCodes(len(words), k, d),
		Composition: codefile.Sum,
		Embeddings:  codefile.Embeddings{Dim: dim},
		Metadata:    map[string]string{"made_by": "a test", "source": "words.txt"},
		Tensors:     map[string]codefile.Tensor{"classifier.weight": codefile.FloatTensor(make([]float32, 8), 2, 4)},
	}
	for i, w := range words {
		m.Codes.Set(i, w.code)
		m.Symbols = append(m.Symbols, w.symbol)
	}
	for j := range d {
		for c := range k {
			for i := range dim {
				m.Embeddings.Values = append(m.Embeddings.Values, float32((7*j+3*c+5*i+c*i)%11)*0.25-1)
			}
		}
	}
	return m
}

// affineModel is model with narrow code embeddings and a projection.
func affineModel() *codefile.Model {
	m := model()
	m.Composition = codefile.Affine
	m.Projection = make([]float32, 40*4)
	for i := range m.Projection {
		m.Projection[i] = float32(i%7) / 4
	}
	m.Bias = make([]float32, 40)
	return m
}

// inFolder changes to an empty folder with t.kd in it, made from model.
func inFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, "t.kd", model())
}

func write(t *testing.T, path string, m *codefile.Model) {
	t.Helper()
	if err := codefile.WriteFile(path, m); err != nil {
		t.Fatal(err)
	}
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// files returns the names in the current folder.
func files(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// interrupted returns a context as it is after Ctrl-C.
func interrupted(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// needLocks skips a test where two kd cannot keep out of each other's way.
func needLocks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no locks here")
	}
}

// writeBlobs writes a table of n vectors of width dim around a few centres,
// with symbols w0, w1, …, in the format of the path's name.
func writeBlobs(t *testing.T, path string, n, dim int) *vectors.Table {
	t.Helper()
	random := rand.New(rand.NewPCG(5, 6))
	table := &vectors.Table{Dim: dim}
	centres := make([][]float32, 7)
	for i := range centres {
		for range dim {
			centres[i] = append(centres[i], float32(random.NormFloat64()))
		}
	}
	for i := range n {
		table.Symbols = append(table.Symbols, fmt.Sprintf("w%d", i))
		for _, x := range centres[i%len(centres)] {
			table.Data = append(table.Data, x+0.3*float32(random.NormFloat64()))
		}
	}
	writeTable(t, path, table)
	return table
}

// writeTable writes a table in the format of the path's name.
func writeTable(t *testing.T, path string, table *vectors.Table) {
	t.Helper()
	format, gzip, ok := vectors.FormatOf(path)
	if !ok {
		t.Fatalf("no format for %s", path)
	}
	w, err := vectors.Create(path, format, table.Dim, vectors.WriterOptions{Rows: table.Len(), Gzip: gzip})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for i := range table.Len() {
		symbol := ""
		if table.Symbols != nil {
			symbol = table.Symbols[i]
		}
		if err := w.Write(symbol, table.Row(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
}
