package graph

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kdcode/kdcode/internal/graphtest"
)

// pets is a graph in text, with all that the format allows.
var pets = map[string]string{
	"features": "\xef\xbb\xbf# who has what\nrex fur tail:2 barks\r\n\ntom fur:1 tail:0.5 purrs\n  koi\tfins a:b:3 gills:0\nego\nmia purrs  fur\n",
	"edges":    "rex tom\ntom rex\nmia tom\n# a loop\nkoi koi\nego mia",
	"labels":   "rex dog\ntom cat\nkoi fish\nmia cat\n",
	"split":    "tom train\nrex train\nkoi train\nmia test\n",
}

func petsDataset() *Dataset {
	return &Dataset{
		Nodes: 5, Features: 7, Classes: 3,
		X: &Sparse{
			Rows: 5, Cols: 7, Start: []int{0, 3, 6, 8, 8, 10},
			Columns: []int32{0, 1, 2, 0, 1, 3, 4, 5, 0, 3}, Values: []float32{1, 2, 1, 1, 0.5, 1, 1, 3, 1, 1},
		},
		Edges: [][2]int{{0, 1}, {1, 4}, {3, 4}}, Labels: []int{0, 1, 2, Unknown, 1},
		Train: []int{0, 1, 2}, Test: []int{4},
		NodeNames:    []string{"rex", "tom", "koi", "ego", "mia"},
		FeatureNames: []string{"fur", "tail", "barks", "purrs", "fins", "a:b", "gills"},
		ClassNames:   []string{"dog", "cat", "fish"},
	}
}

// writeFiles writes files whose names begin with stem.
func writeFiles(t testing.TB, stem string, files map[string]string) {
	t.Helper()
	for kind, text := range files {
		if err := os.WriteFile(stem+kind, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func gzipped(t testing.TB, text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReadText(t *testing.T) {
	zipped := make(map[string]string)
	for kind, text := range pets {
		zipped[kind+".gz"] = gzipped(t, text)
	}
	for name, c := range map[string]struct {
		add   string
		files map[string]string
	}{
		"folder": {"", pets}, "prefix": {"pets", pets}, "gzip": {"", zipped}, "gzip with a prefix": {"my.pets", zipped},
	} {
		t.Run(name, func(t *testing.T) {
			path := t.TempDir()
			stem := path + string(filepath.Separator)
			if c.add != "" {
				path = filepath.Join(path, c.add)
				stem = path + "."
			}
			writeFiles(t, stem, c.files)
			got, err := ReadText(path)
			if err != nil {
				t.Fatal(err)
			}
			checkDataset(t, got)
			if want := petsDataset(); !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
}

func TestReadTextErrors(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"empty features", "features", "", "features: the file is empty"},
		{"only comments", "edges", "# none\n\n", "edges: the file is empty"},
		{"empty labels", "labels", "\n", "labels: the file is empty"},
		{"empty split", "split", "", "split: the file is empty"},
		{"no feature", "features", "rex\ntom\nkoi\nego\nmia\n", "features: no node has a feature"},
		{"a node twice", "features", "rex fur\nrex tail\n", `features:2: node "rex" has a line already`},
		{"a feature twice", "features", "rex fur fur:2\n", `features:1: feature "fur" stands twice`},
		{"no value", "features", "rex fur:\n", `features:1: "fur:" has no number after its last colon`},
		{"a word for a value", "features", "\n\nrex a:b\n", `features:3: "a:b" has no number after its last colon; a feature whose name has a colon needs one, as in a:b:1`},
		{"nan", "features", "rex fur:nan\n", "has no number"},
		{"a huge value", "features", "rex fur:1e99\n", "has no number"},
		{"no name", "features", "rex :1\n", `":1" is a value without a feature`},
		{"an unknown node in edges", "edges", "rex tom\nrex bob\n", `edges:2: node "bob" is not in features`},
		{"an edge from an unknown node", "edges", "bob rex\n", `edges:1: node "bob" is not in features`},
		{"an edge of one node", "edges", "rex\n", `edges:1: 1 fields: a line is "node node"`},
		{"a weighted edge", "edges", "rex tom 0.5\n", `edges:1: 3 fields`},
		{"edges that join nothing", "edges", "rex rex\n", "edges: no edge joins two nodes"},
		{"an unknown node in labels", "labels", "bob dog\n", `labels:1: node "bob" is not in features`},
		{"a label of two words", "labels", "rex big dog\n", `labels:1: 3 fields`},
		{"two labels", "labels", "rex dog\ntom cat\nrex dog\n", `labels:3: node "rex" has the label "dog" already`},
		{"an unknown part", "split", "rex training\n", `split:1: "training" is none of train, valid and test`},
		{"two parts", "split", "rex train\nrex test\n", `split:2: node "rex" is in train already`},
		{"an unknown node in split", "split", "bob train\n", `split:1: node "bob" is not in features`},
		{"training without label", "split", "rex train\nego train\n", `split:2: node "ego" has no label to train with`},
		{"testing without label", "split", "ego test\n", `split:1: node "ego" has no label to test with`},
		{"a split of one word", "split", "rex\n", `split:1: 1 fields`},
		{"nothing to train on", "split", "rex test\n", "split: no node to train on"},
		{"a label unseen in training", "split", "rex train\ntom train\n", `labels:3: no node to train on has the label "fish"`},
		{"one label", "labels", "rex dog\ntom dog\nkoi dog\nmia dog\n", `labels: "dog" is the only label`},
		{"a damaged gzip stream", "edges", "\x1f\x8b\x08", "edges: the gzip stream ends early: the file is truncated"},
		{"a truncated gzip stream", "edges", gzipped(t, "rex tom\ntom rex\n")[:25], "edges: the gzip stream ends early: the file is truncated"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			writeFiles(t, dir+string(filepath.Separator), pets)
			writeFiles(t, dir+string(filepath.Separator), map[string]string{c.file: c.text})
			d, err := ReadText(dir)
			if d != nil || !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %v; want an error with %q", d, err, c.want)
			}
		})
	}
}

func TestReadTextMissing(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "none")} {
		if _, err := ReadText(path); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "four files") {
			t.Errorf("%v", err)
		}
	}
	writeFiles(t, dir+string(filepath.Separator), map[string]string{"features": "a b\n", "features.gz": gzipped(t, "a b\n")})
	if _, err := ReadText(dir); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "remove one of them") {
		t.Errorf("two files: %v", err)
	}
}

// throughText writes d and reads it back. Names that are but numbers are
// removed.
func throughText(t testing.TB, d *Dataset) *Dataset {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "new")
	if err := d.WriteText(dir); err != nil {
		t.Fatal(err)
	}
	again, err := ReadText(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, names := range []*[]string{&again.NodeNames, &again.FeatureNames, &again.ClassNames} {
		numbers := make([]string, len(*names))
		for i := range numbers {
			numbers[i] = nameOf(nil, i)
		}
		if slices.Equal(*names, numbers) {
			*names = nil
		}
	}
	return again
}

// What WriteText writes, ReadText gives back, whichever reader it came from.
func TestWriteText(t *testing.T) {
	sets := map[string]*Dataset{"pets": petsDataset()}
	var err error
	for _, name := range []string{"tiny", "real"} {
		if sets[name], err = Planetoid("testdata", name); err != nil {
			t.Fatal(err)
		}
	}
	for name, d := range sets {
		if again := throughText(t, d); !reflect.DeepEqual(again, d) {
			t.Errorf("%s: %+v reads back as %+v", name, d, again)
		}
	}
}

func TestWriteTextErrors(t *testing.T) {
	for name, change := range map[string]func(*Dataset){
		"a space in a node":             func(d *Dataset) { d.NodeNames[1] = "a b" },
		"a tab in a feature":            func(d *Dataset) { d.FeatureNames[1] = "a\tb" },
		"a line end in a class":         func(d *Dataset) { d.ClassNames[1] = "a\n" },
		"an empty class":                func(d *Dataset) { d.ClassNames[1] = "" },
		"a node like a comment":         func(d *Dataset) { d.NodeNames[1] = "#1" },
		"a node like a byte order mark": func(d *Dataset) { d.NodeNames[0] = "\ufeffa" },
	} {
		d := petsDataset()
		change(d)
		dir := filepath.Join(t.TempDir(), "new")
		if err := d.WriteText(dir); !errors.Is(err, ErrUnwritable) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: the folder was made", name)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	writeFiles(t, file, map[string]string{"": ""})
	if err := petsDataset().WriteText(file); err == nil {
		t.Error("wrote into a file as if it were a folder")
	}
}

// The made-up graphs are what graphtest says.
func TestPlanted(t *testing.T) {
	dir := t.TempDir()
	shape := graphtest.Shape{Nodes: 200, Features: 60, Classes: 4, Seed: 1}
	if err := graphtest.Write(dir, shape); err != nil {
		t.Fatal(err)
	}
	d, err := ReadText(dir)
	if err != nil {
		t.Fatal(err)
	}
	checkDataset(t, d)
	if got := []int{d.Nodes, d.Features, d.Classes, len(d.Train), len(d.Valid), len(d.Test)}; !slices.Equal(got, []int{200, 60, 4, 20, 40, 140}) {
		t.Errorf("sizes %v", got)
	}
	within := 0
	for _, e := range d.Edges {
		if d.Labels[e[0]] == d.Labels[e[1]] {
			within++
		}
	}
	if share := float64(within) / float64(len(d.Edges)); share < 0.8 || len(d.Edges) < 400 {
		t.Errorf("%d edges, %.2f of them within a class", len(d.Edges), share)
	}
	if d.FeatureNames[0] != "f0" || d.FeatureNames[59] != "f59" {
		t.Errorf("features %v", d.FeatureNames)
	}
	again := t.TempDir()
	if err := graphtest.Write(again, shape); err != nil {
		t.Fatal(err)
	}
	if same, err := ReadText(again); err != nil || !reflect.DeepEqual(same, d) {
		t.Errorf("the same shape makes another graph: %v", err)
	}
	if err := graphtest.Write(again, graphtest.Shape{Nodes: 5, Features: 5, Classes: 2}); err == nil {
		t.Error("a graph too small for its classes")
	}
}
