package graph

import (
	"math"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/kdcode/kdcode/engine/enginetest"
	"github.com/kdcode/kdcode/learn"
)

// backend returns the backend that the tests run on.
func backend(t testing.TB) compute.Backend {
	t.Helper()
	return enginetest.Backend(t)
}

// dense is the network in plain matrices of float64.
type dense struct {
	d         *Dataset
	width     int
	x, a      [][]float64
	w0, w1    []float64 // [N, d], [d, C]
	decay     float64
	lossNodes []int
}

func newDense(d *Dataset, width int, nodes []int) *dense {
	m := &dense{d: d, width: width, lossNodes: nodes}
	m.x, m.a = square(d.Nodes, d.Features), square(d.Nodes, d.Nodes)
	for i := range d.Nodes {
		sum := 0.0
		columns, values := d.X.Row(i)
		for _, v := range values {
			sum += float64(v)
		}
		for j, c := range columns {
			m.x[i][c] = float64(values[j]) / sum
		}
		m.a[i][i] = 1
	}
	for _, e := range d.Edges {
		m.a[e[0]][e[1]], m.a[e[1]][e[0]] = 1, 1
	}
	degree := make([]float64, d.Nodes)
	for i, row := range m.a {
		for _, v := range row {
			degree[i] += v
		}
	}
	for i, row := range m.a {
		for j := range row {
			row[j] /= math.Sqrt(degree[i] * degree[j])
		}
	}
	return m
}

func square(rows, cols int) [][]float64 {
	m := make([][]float64, rows)
	for i := range m {
		m[i] = make([]float64, cols)
	}
	return m
}

func product(a [][]float64, b []float64, width int) []float64 {
	out := make([]float64, len(a)*width)
	for i, row := range a {
		for j, v := range row {
			for k := range width {
				out[i*width+k] += v * b[j*width+k]
			}
		}
	}
	return out
}

// scores returns the scores of all nodes.
func (m *dense) scores() []float64 {
	hidden := product(m.a, product(m.x, m.w0, m.width), m.width)
	out := make([]float64, m.d.Nodes*m.d.Classes)
	for i, h := range hidden {
		for c := range m.d.Classes {
			out[i/m.width*m.d.Classes+c] += max(h, 0) * m.w1[i%m.width*m.d.Classes+c]
		}
	}
	return product(m.a, out, m.d.Classes)
}

func (m *dense) loss() float64 {
	scores, loss := m.scores(), 0.0
	for _, node := range m.lossNodes {
		row, z := scores[node*m.d.Classes:][:m.d.Classes], 0.0
		for _, s := range row {
			z += math.Exp(s)
		}
		loss += (math.Log(z) - row[m.d.Labels[node]]) / float64(len(m.lossNodes))
	}
	for _, w := range m.w0 {
		loss += m.decay / 2 * w * w
	}
	return loss
}

// gradient returns the loss's by w, from finite differences.
func (m *dense) gradient(w []float64) []float64 {
	const h = 1e-6
	g := make([]float64, len(w))
	for i, x := range w {
		w[i] = x + h
		above := m.loss()
		w[i] = x - h
		g[i] = (above - m.loss()) / (2 * h)
		w[i] = x
	}
	return g
}

func floats64(t *testing.T, store *model.Store, scope, name string) []float64 {
	t.Helper()
	v, err := store.Scope("/" + scope).GetVariable(name).Value()
	if err != nil {
		t.Fatal(err)
	}
	return wide(tensors.MustCopyFlatData[float32](v))
}

func wide(x []float32) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

// checkClose compares relative to the largest value.
func checkClose(t *testing.T, what string, got []float32, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	largest := 0.0
	for _, w := range want {
		largest = max(largest, math.Abs(w))
	}
	for i, g := range got {
		if !(math.Abs(float64(g)-want[i]) <= tolerance*largest) {
			t.Fatalf("%s: value %d is %g, want %g", what, i, g, want[i])
		}
	}
}

// Sparse propagation within a field is the dense product over the whole graph,
// forward and backward.
func TestNetworkAgainstDense(t *testing.T) {
	for _, name := range []string{"tiny", "real"} {
		t.Run(name, func(t *testing.T) {
			d, err := Planetoid("testdata", name)
			if err != nil {
				t.Fatal(err)
			}
			const width, decay = 4, 0.01
			n := &network{learn.NewFull(d.Features, width).InitScale(2), d.weights(), d.Classes, 0.5, decay}
			store := model.NewStore()
			if err := learn.SetSeed(store, 1); err != nil {
				t.Fatal(err)
			}
			f := newFields(d).of(d.Train)
			exec, err := model.NewExec(backend(t), store, func(scope *model.Scope, g *Graph) []*Node {
				loss, logits := n.evaluate(f)(scope, g)
				variable := func(at, name string) *Node { return store.Scope("/" + at).GetVariable(name).NodeValue(g) }
				gradients := Gradient(loss, variable(featuresScope, "table"), variable(outputScope, "weight"))
				return append([]*Node{loss, logits}, gradients...)
			})
			if err != nil {
				t.Fatal(err)
			}
			out, err := exec.Call()
			if err != nil {
				t.Fatal(err)
			}
			m := newDense(d, width, d.Train)
			m.decay, m.w0, m.w1 = decay, floats64(t, store, featuresScope, "table"), floats64(t, store, outputScope, "weight")
			var scores []float64
			all := m.scores()
			for _, node := range d.Train {
				scores = append(scores, all[node*d.Classes:][:d.Classes]...)
			}
			checkClose(t, "scores", tensors.MustCopyFlatData[float32](out[1]), scores, 1e-5)
			checkClose(t, "loss", []float32{tensors.ToScalar[float32](out[0])}, []float64{m.loss()}, 1e-5)
			checkClose(t, "gradient of W0", tensors.MustCopyFlatData[float32](out[2]), m.gradient(m.w0), 1e-4)
			checkClose(t, "gradient of W1", tensors.MustCopyFlatData[float32](out[3]), m.gradient(m.w1), 1e-4)
		})
	}
}

// A field leaves out what is too far away.
func TestField(t *testing.T) {
	const n = 8 // a path; features are the nodes themselves
	d := &Dataset{Nodes: n, Features: n, Classes: 2, Labels: make([]int, n)}
	var rows [][]entry
	for i := range n {
		rows = append(rows, []entry{{int32(i), 1}})
		if i > 0 {
			d.Edges = append(d.Edges, [2]int{i - 1, i})
		}
	}
	d.X = newSparse(n, rows)
	f := newFields(d).of([]int{5, 0})
	for what, got := range map[string][2]int{
		"second": {f.second.height, f.second.width}, "first": {f.first.height, f.first.width}, "x": {f.x.height, f.x.width},
	} {
		want := map[string][2]int{"second": {2, 5}, "first": {5, 8}, "x": {8, 8}}[what]
		if got != want {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	if f = newFields(d).of([]int{7}); f.x.height != 3 || f.first.height != 2 {
		t.Errorf("the end of a path depends on %d and %d nodes, want 3 and 2", f.x.height, f.first.height)
	}
}
