package graph

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// reference is what testdata/planetoid.py says that the files hold.
type reference struct {
	Features, Normal, Adjacency [][]float64
	Labels, Train, Valid, Test  []int
	Edges                       [][2]int
}

func TestPlanetoid(t *testing.T) {
	for _, name := range []string{"tiny", "real"} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			var want reference
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			d, err := Planetoid("testdata", name)
			if err != nil {
				t.Fatal(err)
			}
			checkDataset(t, d)
			if d.Nodes != len(want.Features) || d.Features != len(want.Features[0]) || d.Classes != slices.Max(want.Labels)+1 {
				t.Errorf("%d nodes, %d features, %d classes", d.Nodes, d.Features, d.Classes)
			}
			for what, pair := range map[string][2]any{
				"labels": {d.Labels, want.Labels}, "edges": {d.Edges, want.Edges},
				"train": {d.Train, want.Train}, "valid": {d.Valid, want.Valid}, "test": {d.Test, want.Test},
			} {
				if !reflect.DeepEqual(pair[0], pair[1]) {
					t.Errorf("%s: %v, want %v", what, pair[0], pair[1])
				}
			}
			checkMatrix(t, "features", want.Features)(d.X.Coordinates())
			checkMatrix(t, "normalised features", want.Normal)(d.X.NormalizeRows().Coordinates())
			checkMatrix(t, "adjacency", want.Adjacency)(d.NormalizedAdjacency())
		})
	}
}

// checkMatrix compares a matrix in coordinates with a dense one.
func checkMatrix(t *testing.T, what string, want [][]float64) func(rows, cols []int32, values []float32) {
	return func(rows, cols []int32, values []float32) {
		t.Helper()
		n := 0
		for _, row := range want {
			for _, v := range row {
				if v != 0 {
					n++
				}
			}
		}
		if len(rows) != n || len(cols) != n || len(values) != n {
			t.Fatalf("%s: %d rows, %d columns, %d values; want %d", what, len(rows), len(cols), len(values), n)
		}
		for i, v := range values {
			if i > 0 && (rows[i] < rows[i-1] || rows[i] == rows[i-1] && cols[i] <= cols[i-1]) {
				t.Fatalf("%s: (%d, %d) after (%d, %d)", what, rows[i], cols[i], rows[i-1], cols[i-1])
			}
			if w := want[rows[i]][cols[i]]; math.Abs(float64(v)-w) > 1e-6 {
				t.Fatalf("%s: %v at (%d, %d), want %v", what, v, rows[i], cols[i], w)
			}
		}
	}
}

// checkDataset checks what is true of every data set.
func checkDataset(t testing.TB, d *Dataset) {
	t.Helper()
	if d.X.Rows != d.Nodes || d.X.Cols != d.Features || len(d.X.Start) != d.Nodes+1 || len(d.Labels) != d.Nodes {
		t.Fatalf("%d nodes and %d features, but %d × %d and %d labels", d.Nodes, d.Features, d.X.Rows, d.X.Cols, len(d.Labels))
	}
	for i := range d.Nodes {
		columns, values := d.X.Row(i)
		for j, c := range columns {
			if c < 0 || int(c) >= d.Features || j > 0 && c <= columns[j-1] || values[j] == 0 || values[j] != values[j] {
				t.Fatalf("node %d has the features %v %v", i, columns, values)
			}
		}
		if d.Labels[i] < Unknown || d.Labels[i] >= d.Classes {
			t.Fatalf("node %d has the label %d", i, d.Labels[i])
		}
	}
	for i, e := range d.Edges {
		if e[0] < 0 || e[0] >= e[1] || e[1] >= d.Nodes || i > 0 && comparePairs(d.Edges[i-1], e) >= 0 {
			t.Fatalf("edge %d is %v", i, e)
		}
	}
	seen := make(map[int]bool)
	for _, node := range slices.Concat(d.Train, d.Valid, d.Test) {
		if seen[node] || d.Labels[node] == Unknown {
			t.Fatalf("node %d is in the split twice, or without label", node)
		}
		seen[node] = true
	}
}

// Every file cut short, exchanged for another or missing is an error that
// names a file.
func TestPlanetoidDamaged(t *testing.T) {
	kinds := []string{"x", "y", "tx", "ty", "allx", "ally", "graph", "test.index"}
	read := func(kind string) []byte {
		data, err := os.ReadFile(filepath.Join("testdata", "ind.tiny."+kind))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	dir := t.TempDir()
	write := func(kind string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, "ind.tiny."+kind), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	fails := func(what string) {
		t.Helper()
		if d, err := Planetoid(dir, "tiny"); d != nil || !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v, %v", what, d, err)
		}
	}
	for _, kind := range kinds {
		write(kind, read(kind))
	}
	for _, kind := range kinds {
		data := read(kind)
		for _, n := range []int{0, 1, len(data) / 2, len(data) - 5} {
			write(kind, data[:n])
			fails(kind + " cut short")
		}
		for _, other := range kinds {
			if other != kind {
				write(kind, read(other))
				fails(other + " in place of " + kind)
			}
		}
		os.Remove(filepath.Join(dir, "ind.tiny."+kind))
		if _, err := Planetoid(dir, "tiny"); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "check the folder") {
			t.Errorf("%s is missing: %v", kind, err)
		}
		write(kind, data)
	}
	for text, want := range map[string]string{
		"x\n": "tiny.test.index:1: \"x\" is not a node's number", "20\n20\n": ":2: node 20 stands in line 1 too", "-1\n": "not a node's number", "\n": ":1: \"\"",
		"9999999999\n": "not a node's number", "3\n": "node 3 is one of the 20", "20\n21\n": "2 lines, but 8 rows", "": "empty",
		"20\n21\n22\n24\n25\n26\n28\n30\n": "30 nodes, but the other files have 31", "20\n21\n22\n23\n24\n25\n26\n27\n": "it has a node 2",
		"20\n21\n22\n24\n25\n26\n28\n1073741823\n": "the other files have 1073741824",
	} {
		write("test.index", []byte(text))
		if _, err := Planetoid(dir, "tiny"); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Files that are each whole, but do not belong together.
func TestPlanetoidMismatched(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(p *planetoid)
		want   string
	}{
		{"nothing", func(*planetoid) {}, ""},
		{"labels in floats", func(p *planetoid) {
			for _, n := range p.ty.Ints {
				p.ty.Floats = append(p.ty.Floats, float64(n))
			}
			p.ty.Ints = nil
		}, ""},
		{"features", func(p *planetoid) { p.tx.Cols++ }, "tiny.tx: 13 features, but 12 in"},
		{"no features", func(p *planetoid) { p.x.Cols, p.tx.Cols, p.allx.Cols = 0, 0, 0 }, "tiny.x: 0 features"},
		{"label dimensions", func(p *planetoid) { p.ty.Shape = []int{8} }, "tiny.ty: an array of shape [8]"},
		{"label rows", func(p *planetoid) { p.ally.Shape[0]-- }, "tiny.ally: 19 rows, but 20 in"},
		{"classes", func(p *planetoid) { p.ty.Shape[1]++ }, "tiny.ty: 4 classes, but 3 in"},
		{"one class", func(p *planetoid) { p.y.Shape[1], p.ty.Shape[1], p.ally.Shape[1] = 1, 1, 1 }, "tiny.y: a single class"},
		{"more in x than in allx", func(p *planetoid) { p.x, p.allx, p.y, p.ally = p.allx, p.x, p.ally, p.y }, "tiny.allx: 6 rows, fewer than the 20"},
		{"another order", func(p *planetoid) { p.y.Ints[0], p.y.Ints[1] = 0, 1 }, "tiny.y: row 0 differs from that of"},
		{"no label to train with", func(p *planetoid) { p.y.Ints[0], p.ally.Ints[0] = 0, 0 }, "tiny.y: row 0 has no label"},
		{"no label to validate with", func(p *planetoid) { clear(p.ally.Ints[30:33]) }, "tiny.ally: node 10 has no label"},
		{"no label to test with", func(p *planetoid) { clear(p.ty.Ints[:3]) }, "has no label, but the split measures with it"},
		{"two labels", func(p *planetoid) { copy(p.ty.Ints, []int64{1, 1}) }, "tiny.ty: row 0: a label that is not a single 1"},
		{"a fraction of a label", func(p *planetoid) { p.ally.Ints[1] = 2 }, "tiny.ally: row 0: a label that"},
		{"a class untrained", func(p *planetoid) {
			copy(p.y.Ints[6:], []int64{1, 0, 0})
			copy(p.ally.Ints[6:], []int64{1, 0, 0})
			copy(p.y.Ints[15:], []int64{1, 0, 0})
			copy(p.ally.Ints[15:], []int64{1, 0, 0})
		}, "is of class 2, which no node of"},
		{"a value that is no number", func(p *planetoid) { p.tx.Data[0] = math.NaN() }, "tiny.tx: row 0: feature"},
		{"a value beyond float32", func(p *planetoid) { p.allx.Data[0] = 1e300 }, "has the value 1e+300"},
		{"a feature twice", func(p *planetoid) { p.allx.Indices[2] = p.allx.Indices[1] }, "tiny.allx: row 1: feature 0 stands twice"},
		{"no edges", func(p *planetoid) {
			for node := range p.graph {
				p.graph[node] = nil
			}
		}, "no edge joins two nodes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &planetoid{stem: "testdata/ind.tiny"}
			if err := p.read(); err != nil {
				t.Fatal(err)
			}
			c.change(p)
			err := p.checkSizes()
			if err == nil {
				_, err = p.dataset()
			}
			if c.want == "" && err == nil {
				return
			}
			if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want an error with %q", err, c.want)
			}
		})
	}
}

// The real data sets, where they are at hand.
func TestPlanetoidReal(t *testing.T) {
	const dir = "../../../shared/data/planetoid"
	for _, c := range []struct {
		name                                    string
		nodes, features, classes, edges, values int
		labels, valid, test                     []int // by class
		unknown                                 int
	}{
		{"cora", 2708, 1433, 7, 5278, 49216, []int{351, 217, 418, 818, 426, 298, 180}, []int{61, 36, 78, 158, 81, 57, 29}, []int{130, 91, 144, 319, 149, 103, 64}, 0},
		{"citeseer", 3327, 3703, 6, 4552, 105165, []int{249, 590, 668, 701, 596, 508}, []int{29, 86, 116, 106, 94, 69}, []int{77, 182, 181, 231, 169, 160}, 15},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := os.Stat(filepath.Join(dir, "ind."+c.name+".x")); err != nil {
				t.Skip("the data set is not at hand:", err)
			}
			d, err := Planetoid(dir, c.name)
			if err != nil {
				t.Fatal(err)
			}
			checkDataset(t, d)
			got := []int{d.Nodes, d.Features, d.Classes, len(d.Edges), len(d.X.Values), len(d.Train), len(d.Valid), len(d.Test)}
			want := []int{c.nodes, c.features, c.classes, c.edges, c.values, 20 * c.classes, 500, 1000}
			if !slices.Equal(got, want) {
				t.Errorf("sizes %v, want %v", got, want)
			}
			all := span(0, d.Nodes)
			for what, pair := range map[string][2][]int{
				"all": {all, c.labels}, "train": {d.Train, slices.Repeat([]int{20}, c.classes)}, "valid": {d.Valid, c.valid}, "test": {d.Test, c.test},
			} {
				if got, _ := perClass(d, pair[0]); !slices.Equal(got, pair[1]) {
					t.Errorf("%s: %v by class, want %v", what, got, pair[1])
				}
			}
			if _, unknown := perClass(d, all); unknown != c.unknown {
				t.Errorf("%d nodes without label, want %d", unknown, c.unknown)
			}
			again := throughText(t, d)
			if !reflect.DeepEqual(again, d) {
				t.Error("the text reads back as something else")
			}
		})
	}
}

// perClass counts the labels of nodes.
func perClass(d *Dataset, nodes []int) (counts []int, unknown int) {
	counts = make([]int, d.Classes)
	for _, node := range nodes {
		if class := d.Labels[node]; class == Unknown {
			unknown++
		} else {
			counts[class]++
		}
	}
	return counts, unknown
}
