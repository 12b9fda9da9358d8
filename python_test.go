package kdcode_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/tabletest"
)

// python returns a Python that has NumPy, or skips the test.
func python(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3", "python"} {
		if exec.Command(name, "-c", "import numpy").Run() == nil {
			return name
		}
	}
	t.Skip("no Python with NumPy here: python/kdcode.py is not tested")
	return ""
}

// TestPython compares the NumPy reader with Table.Lookup on every shape.
func TestPython(t *testing.T) {
	python := python(t)
	dir := t.TempDir()
	models := map[string]*codefile.Model{}
	for _, s := range tabletest.Shapes() {
		m := tabletest.Model(s, 31)
		path := filepath.Join(dir, strings.ReplaceAll(s.String(), "'", "2")+".kd")
		if err := codefile.WriteFile(path, m); err != nil {
			t.Fatal(err)
		}
		models[path] = m
	}
	script := `
import json, sys, glob, numpy
sys.path.insert(0, "python")
import kdcode
out = {}
for path in glob.glob(sys.argv[1] + "/*.kd"):
    t = kdcode.Table(path, verify=True)
    v = t.lookup(range(len(t)))
    if t.symbols:
        assert len(t.symbols) == len(t), path
        assert numpy.allclose(t[t.symbols[-1]], v[-1], rtol=1e-4, atol=1e-4), path # a BLAS may round one row otherwise than many
    out[path] = dict(vectors=v.tolist(), codes=t.codes.tolist())
json.dump(out, open(sys.argv[1] + "/out.json", "w"))`
	if out, err := exec.Command(python, "-c", script, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "out.json"))
	if err != nil {
		t.Fatal(err)
	}
	var read map[string]struct {
		Vectors [][]float64
		Codes   [][]uint16
	}
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatal(err)
	}
	for path, m := range models {
		got, ok := read[path]
		if !ok || len(got.Vectors) != m.Codes.N() {
			t.Fatalf("%s: %d vectors", path, len(got.Vectors))
		}
		table := open(t, m)
		v := make([]float32, table.Dim())
		for id, want := range got.Vectors {
			if err := table.Lookup(v, id); err != nil {
				t.Fatal(err)
			}
			near(t, v, want)
		}
	}
}

// TestFormatSnippet runs the ten lines of docs/format.md.
func TestFormatSnippet(t *testing.T) {
	python := python(t)
	doc, err := os.ReadFile("docs/format.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(doc), "```python\n")
	snippet, _, ok2 := strings.Cut(rest, "```")
	if !ok || !ok2 {
		t.Fatal("docs/format.md has no Python snippet")
	}
	m := tabletest.Model(tabletest.Shapes()[0], 32)
	path := write(t, m)
	cmd := exec.Command(python, "-c", snippet+"\nprint(json.dumps(vectors.tolist()))")
	cmd.Dir = filepath.Dir(path)
	if err := os.Rename(path, filepath.Join(cmd.Dir, "glove.kd")); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var vectors [][]float64
	if err := json.Unmarshal(out, &vectors); err != nil {
		t.Fatal(err)
	}
	table := open(t, m)
	v := make([]float32, table.Dim())
	for id, want := range vectors {
		if err := table.Lookup(v, id); err != nil {
			t.Fatal(err)
		}
		near(t, v, want)
	}
}
