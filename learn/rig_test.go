package learn

import (
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/kdcode/kdcode/engine/enginetest"
)

// rig runs a layer in training on one batch, with a loss of its embeddings, and
// reads all that comes of it.
type rig struct {
	t     testing.TB
	layer Embedding
	dtype dtypes.DType
	store *model.Store
	batch batch

	linear, square []float64 // the loss is Σ linear·v + square·v²/2; [T, d]

	paths     []string // of the trained variables, in the order of the gradients
	rowsPaths []string // of those of them that are read by rows
	losses    *model.Exec
	all       *model.Exec
}

// outcome is what a step of training gives.
type outcome struct {
	v          []float64 // [T, d]
	loss, reg  float64   // the whole loss, and the layer's own part of it
	gradients  map[string][]float64
	rows       map[string][]float64 // the same of tables, taken by rows
	statistics map[string][]float64 // what is not trained, after the step
}

// batch is the symbols of a batch as a layer takes them.
type batch struct {
	ids      []int32
	weight   []float32
	position []int32
}

// plain returns a batch in which each of the occurrences is a symbol of its own.
func plain(occurrences []int32) batch {
	b := batch{ids: occurrences, weight: make([]float32, len(occurrences)), position: make([]int32, len(occurrences))}
	for i := range occurrences {
		b.weight[i], b.position[i] = 1, int32(i)
	}
	return b
}

// distinct returns a batch of distinct symbols, padded to a multiple of round.
func distinct(t testing.TB, occurrences []int32, n, round int) batch {
	t.Helper()
	var o Occurrences
	if err := o.Find(occurrences, n, round); err != nil {
		t.Fatal(err)
	}
	return batch{o.IDs, o.Weight, o.Position}
}

// backend returns the backend that the tests run on.
func backend(t testing.TB) compute.Backend {
	t.Helper()
	return enginetest.Backend(t)
}

// newRig makes the layer's variables in a fresh store, with values that are not
// at their start: offsets of zero would hide mistakes.
func newRig(t testing.TB, layer Embedding, dtype dtypes.DType, b batch) *rig {
	t.Helper()
	size := len(b.position) * layer.Dim()
	r := &rig{t: t, layer: layer, dtype: dtype, store: model.NewStore(), batch: b, linear: fluctuate(size, 1), square: fluctuate(size, 2)}
	r.store.SetParam(dtypeParam, dtype)
	if err := SetSeed(r.store, 7); err != nil {
		t.Fatal(err)
	}
	r.losses = model.MustNewExec(backend(t), r.store, func(scope *model.Scope, inputs []*Node) []*Node {
		_, loss := r.build(scope, inputs)
		return []*Node{loss}
	})
	r.all = model.MustNewExec(backend(t), r.store, r.buildAll)
	r.loss()
	for v := range r.store.IterVariables() {
		if v.Trainable {
			r.set(v.Path(), add(r.get(v.Path()), fluctuate(v.Shape().Size(), float64(len(v.Path()))), 0.5))
		}
	}
	return r
}

// build builds the layer and a loss that no batch norm can undo.
func (r *rig) build(scope *model.Scope, inputs []*Node) (v, loss *Node) {
	g := inputs[0].Graph()
	r.store.SetTraining(g, true)
	v = r.layer.Embed(scope.At("layer"), Symbols{IDs: inputs[0], Weight: inputs[1], Position: inputs[2]})
	train.AddMainLoss(r.lossOf(v))
	return v, train.TotalLoss(g)
}

// lossOf returns the loss of the embeddings.
func (r *rig) lossOf(v *Node) *Node {
	constant := func(x []float64) *Node {
		return Const(v.Graph(), tensorOf(r.dtype, x[:v.Shape().Size()], v.Shape().Dimensions...))
	}
	return ReduceAllSum(Add(Mul(v, constant(r.linear)), MulScalar(Mul(Square(v), constant(r.square)), 0.5)))
}

func (r *rig) buildAll(scope *model.Scope, inputs []*Node) []*Node {
	v, loss := r.build(scope, inputs)
	g := v.Graph()
	r.paths, r.rowsPaths = nil, nil
	var values, rows []*Node
	for variable := range r.store.IterVariables() {
		if variable.Trainable && variable.InUseByGraph(g) {
			r.paths = append(r.paths, variable.Path())
			values = append(values, variable.NodeValue(g))
		}
	}
	for _, u := range rowsOf(g) {
		r.rowsPaths = append(r.rowsPaths, u.table.Path())
		rows = append(rows, u.rows)
	}
	reg := ScalarZero(g, v.DType())
	if own := train.GetRegularizationLoss(g); own != nil {
		reg = own
	}
	return append([]*Node{v, loss, reg}, Gradient(loss, append(values, rows...)...)...)
}

// call runs one of the two executors, with the same noise each time.
func (r *rig) call(e *model.Exec) []*tensors.Tensor {
	r.t.Helper()
	if err := r.store.SetRNGStateFromSeed(11); err != nil {
		r.t.Fatal(err)
	}
	out, err := e.Call(r.batch.ids, r.batch.weight, r.batch.position)
	if err != nil {
		r.t.Fatal(err)
	}
	return out
}

// loss returns the loss alone.
func (r *rig) loss() float64 {
	r.t.Helper()
	return floatsOf(r.call(r.losses)[0])[0]
}

// run returns everything.
func (r *rig) run() outcome {
	r.t.Helper()
	out := r.call(r.all)
	o := outcome{
		v: floatsOf(out[0]), loss: floatsOf(out[1])[0], reg: floatsOf(out[2])[0],
		gradients: map[string][]float64{}, rows: map[string][]float64{}, statistics: map[string][]float64{},
	}
	for i, path := range r.paths {
		o.gradients[path] = floatsOf(out[3+i])
	}
	for i, path := range r.rowsPaths {
		o.rows[path] = r.scattered(path, floatsOf(out[3+len(r.paths)+i]))
	}
	for v := range r.store.IterVariables() {
		if !v.Trainable && v.Shape().DType == r.dtype {
			o.statistics[v.Path()] = r.get(v.Path())
		}
	}
	return o
}

// scattered returns the gradient of a table from that of the batch's rows.
func (r *rig) scattered(path string, rows []float64) []float64 {
	table := make([]float64, r.store.GetVariable(path).Shape().Size())
	width := len(table) / r.layer.Symbols()
	for i, id := range r.batch.ids {
		for k, x := range rows[i*width:][:width] {
			table[int(id)*width+k] += x
		}
	}
	return table
}

// get returns a variable's values.
func (r *rig) get(path string) []float64 {
	r.t.Helper()
	return valuesAt(r.t, r.store, path)
}

// set changes a variable's values.
func (r *rig) set(path string, values []float64) {
	r.t.Helper()
	v := r.store.GetVariable(path)
	if v == nil {
		r.t.Fatalf("there is no variable %s", path)
	}
	if len(values) != v.Shape().Size() {
		r.t.Fatalf("%s: %d values for the shape %s", path, len(values), v.Shape())
	}
	setValue(r.t, r.store, path, tensorOf(r.dtype, values, v.Shape().Dimensions...))
}

func tensorOf(dtype dtypes.DType, values []float64, dims ...int) *tensors.Tensor {
	if dtype == dtypes.Float64 {
		return tensors.FromFlatDataAndDimensions(append([]float64(nil), values...), dims...)
	}
	narrow := make([]float32, len(values))
	for i, x := range values {
		narrow[i] = float32(x)
	}
	return tensors.FromFlatDataAndDimensions(narrow, dims...)
}

func floatsOf(t *tensors.Tensor) []float64 {
	if t.DType() == dtypes.Float64 {
		return tensors.MustCopyFlatData[float64](t)
	}
	narrow := tensors.MustCopyFlatData[float32](t)
	wide := make([]float64, len(narrow))
	for i, x := range narrow {
		wide[i] = float64(x)
	}
	return wide
}

// fluctuate returns n values in [−1, 1] that look random.
func fluctuate(n int, seed float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = math.Sin(float64(i)*12.9898 + seed*78.233)
	}
	return v
}

// add returns x + by·y.
func add(x, y []float64, by float64) []float64 {
	z := make([]float64, len(x))
	for i := range x {
		z[i] = x[i] + by*y[i]
	}
	return z
}

func dot(x, y []float64) float64 {
	s := 0.0
	for i := range x {
		s += x[i] * y[i]
	}
	return s
}

// sameValues fails where got and want differ by more than tolerance, relative to
// the largest of want where that is above 1.
func sameValues(t testing.TB, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, not %d", what, len(got), len(want))
	}
	size := max(1, largestOf(want))
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tolerance*size) {
			t.Fatalf("%s: element %d is %g, not %g", what, i, got[i], want[i])
		}
	}
}

func largestOf(x []float64) float64 {
	largest := 0.0
	for _, x := range x {
		largest = max(largest, math.Abs(x))
	}
	return largest
}

// form is a composition with the widths that make a difference to it.
type form struct {
	kind    Composition
	codeDim int // 0 is d' = d
	shared  bool
}

// forms are all compositions for d = 6, D = 3; short tests have none that share.
func forms() []form {
	var all []form
	for _, shared := range []bool{false, true} {
		if shared && testing.Short() {
			break
		}
		all = append(all,
			form{Mean, 0, shared}, form{Mean, 4, shared},
			form{Sum, 0, shared}, form{Sum, 4, shared},
			form{Concat, 0, shared},
			form{LSTM, 4, shared}, form{LSTM, 0, shared},
			form{PaperLSTM, 0, shared}, form{PaperLSTM, 4, shared})
	}
	return all
}

func (f form) String() string {
	width := "d'=d"
	if f.codeDim != 0 {
		width = fmt.Sprintf("d'=%d", f.codeDim)
	}
	if f.shared {
		return fmt.Sprintf("%s/%s/shared", f.kind, width)
	}
	return fmt.Sprintf("%s/%s/each", f.kind, width)
}

// small returns a layer of 7 symbols with d = 6, D = 3, K = 4 (2 for
// Threshold), h = 5.
func (f form) small(r Relaxation) *KD {
	ways := 4
	if r == Threshold {
		ways = 2
	}
	return NewKD(7, 6).Ways(ways).CodeLength(3).Hidden(5).Compose(f.kind).CodeDim(f.codeDim).Shared(f.shared).Relax(r).InitScale(0.7)
}

// occurrences are a batch with symbols that repeat; 1 and 3 do not occur.
var occurrences = []int32{2, 5, 2, 0, 6, 4, 2, 5, 0, 2}
