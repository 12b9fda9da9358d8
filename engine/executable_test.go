package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// must returns the value of an operation that cannot fail.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func floats(dims ...int) shapes.Shape { return shapes.Make(dtypes.Float32, dims...) }

// compileWith compiles what build builds.
func compileWith(t testing.TB, b *Backend, build func(f compute.Function) []value) *executable {
	t.Helper()
	builder := b.Builder("test")
	if err := builder.Main().Return(build(builder.Main()), nil); err != nil {
		t.Fatal(err)
	}
	e, err := builder.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return e.(*executable)
}

func buffer(t testing.TB, b *Backend, flat any, dims ...int) compute.Buffer {
	t.Helper()
	shape := shapes.Make(dtypes.FromGoType(reflect.TypeOf(flat).Elem()), dims...)
	x, err := b.BufferFromFlatData(0, flat, shape)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func random(n int, seed uint64) []float32 {
	r := rand.New(rand.NewPCG(seed, 0))
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

// updated is a table with rows added, and a weight with a step of a gradient.
func updated(f compute.Function) []value {
	table := must(f.Parameter("table", floats(50, 8), nil))
	index := must(f.Parameter("index", shapes.Make(dtypes.Int32, 6, 1), nil))
	rows := must(f.Gather(table, index, 1, []int{1}, []int{0}, []int{0}, []int{1, 8}, false))
	rows = must(f.Tanh(rows))
	w := must(f.Parameter("w", floats(8, 8), nil))
	step := must(f.DotGeneral(rows, []int{0}, nil, rows, []int{0}, nil, compute.DotGeneralConfig{}))
	return []value{
		must(f.ScatterSum(table, index, rows, 1, []int{1}, []int{0}, []int{0}, false, false)),
		must(f.Sub(w, step)),
	}
}

// TestDonated holds that what is donated is changed in place, and that nothing
// else is changed.
func TestDonated(t *testing.T) {
	b := newBackend(t)
	e := compileWith(t, b, updated)
	table, index, w := random(400, 1), []int32{3, 7, 3, 49, 0, 8}, random(64, 2)
	var results [2][]compute.Buffer
	for i, donate := range [][]bool{nil, {true, false, true}} {
		inputs := []compute.Buffer{buffer(t, b, table, 50, 8), buffer(t, b, index, 6, 1), buffer(t, b, w, 8, 8)}
		at := []any{must(inputs[0].Data()), must(inputs[2].Data())}
		results[i] = must(e.Execute(inputs, donate, 0))
		for j, out := range results[i] {
			if same := pointer(must(out.Data())) == pointer(at[j]); same != (donate != nil) {
				t.Errorf("donated %v: output %d is in the input's memory: %v", donate, j, same)
			}
		}
		if donate == nil {
			if !slices.Equal(must(inputs[0].Data()).([]float32), table) || !slices.Equal(must(inputs[2].Data()).([]float32), w) {
				t.Error("an input was changed that was not donated")
			}
		} else if _, err := inputs[0].Data(); err == nil {
			t.Error("a donated buffer still has data")
		}
	}
	for i := range results[0] {
		if !slices.Equal(must(results[0][i].Data()).([]float32), must(results[1][i].Data()).([]float32)) {
			t.Errorf("output %d is another one when inputs are donated", i)
		}
	}
}

// TestGivenTwice donates a buffer that is another input, too.
func TestGivenTwice(t *testing.T) {
	b := newBackend(t)
	e := compileWith(t, b, func(f compute.Function) []value {
		x, y := must(f.Parameter("x", floats(4), nil)), must(f.Parameter("y", floats(4), nil))
		neg := must(f.Neg(x))
		return []value{neg, must(f.Mul(must(f.Exp(neg)), y))}
	})
	x := buffer(t, b, []float32{1, 2, 3, 4}, 4)
	out, err := e.Execute([]compute.Buffer{x, x}, []bool{true, false}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := must(out[1].Data()).([]float32); got[0] < 0.36 || got[0] > 0.37 {
		t.Errorf("%v", got)
	}
}

// TestPanic holds that what goes wrong in a kernel, of ours or delegated, is an
// error of the call alone.
func TestPanic(t *testing.T) {
	b := newBackend(t)
	e := compileWith(t, b, updated)
	index := []int32{3, 7, 3, 4711, 0, 8}
	run := func(index []int32) error {
		_, err := e.Execute([]compute.Buffer{buffer(t, b, random(400, 1), 50, 8), buffer(t, b, index, 6, 1), buffer(t, b, random(64, 2), 8, 8)}, []bool{true, true, true}, 0)
		return err
	}
	if err := run(index); err == nil || !strings.Contains(err.Error(), "row 4711 of a table of 50") {
		t.Errorf("%v", err)
	}
	index[3] = 1
	if err := run(index); err != nil {
		t.Error(err)
	}
	delegated := compileWith(t, b, func(f compute.Function) []value {
		table := must(f.Parameter("table", shapes.Make(dtypes.Float64, 4, 2), nil))
		index := must(f.Parameter("index", shapes.Make(dtypes.Int32, 1, 1), nil))
		rows := must(f.Parameter("rows", shapes.Make(dtypes.Float64, 1, 2), nil))
		return []value{must(f.ScatterSum(table, index, rows, 1, []int{1}, []int{0}, []int{0}, false, false))}
	})
	short := compileWith(t, b, func(f compute.Function) []value { // fewer rows than indices: GoMLX's backend panics
		index, rows := must(f.Constant([]int32{0, 1, 2, 3}, 4, 1)), must(f.Parameter("rows", floats(2, 3), nil))
		return []value{must(f.ScatterSum(must(f.Parameter("table", floats(5, 3), nil)), index, rows, 1, []int{1}, []int{0}, []int{0}, false, false))}
	})
	if _, err := short.Execute([]compute.Buffer{buffer(t, b, make([]float32, 6), 2, 3), buffer(t, b, make([]float32, 15), 5, 3)}, nil, 0); err == nil {
		t.Error("rows were added that there are not")
	}
	_, err := delegated.Execute([]compute.Buffer{buffer(t, b, make([]float64, 8), 4, 2), buffer(t, b, []int32{9}, 1, 1), buffer(t, b, make([]float64, 2), 1, 2)}, nil, 0)
	if err == nil {
		t.Error("a row outside a table was added to")
	}
}

// TestErrors holds that inputs that do not fit are refused.
func TestErrors(t *testing.T) {
	b, other := newBackend(t), newBackend(t)
	e := compileWith(t, b, func(f compute.Function) []value { return []value{must(f.Neg(must(f.Parameter("x", floats(3), nil))))} })
	good := buffer(t, b, []float32{1, 2, 3}, 3)
	gone := buffer(t, b, []float32{1, 2, 3}, 3)
	if err := gone.Finalize(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		inputs []compute.Buffer
		donate []bool
		want   string
	}{
		{nil, nil, "1 parameters, not 0"},
		{[]compute.Buffer{good}, []bool{true, false}, "2 flags"},
		{[]compute.Buffer{nil}, nil, "not a buffer of this backend"},
		{[]compute.Buffer{buffer(t, other, []float32{1, 2, 3}, 3)}, nil, "another backend"},
		{[]compute.Buffer{buffer(t, b, []float32{1, 2}, 2)}, nil, "has the shape"},
		{[]compute.Buffer{buffer(t, b, []int32{1, 2, 3}, 3)}, nil, "has the shape"},
		{[]compute.Buffer{gone}, nil, "finalized or donated"},
	} {
		if _, err := e.Execute(c.inputs, c.donate, 0); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if _, err := e.Execute([]compute.Buffer{good}, nil, 1); err == nil {
		t.Error("it ran on device 1")
	}
	e.Finalize()
	if _, err := e.Execute([]compute.Buffer{good}, nil, 0); err == nil {
		t.Error("it ran after Finalize")
	}
	b.Finalize()
	if _, err := b.BufferFromFlatData(0, []float32{1}, floats(1)); err == nil || !b.IsFinalized() {
		t.Error("a finalized backend made a buffer")
	}
}

// TestRefused holds that operands that do not fit are errors where the graph is
// built, also those that GoMLX panics at or does not check.
func TestRefused(t *testing.T) {
	f := newBackend(t).Builder("refused").Main()
	scalar, x, cube := must(f.Parameter("scalar", floats(), nil)), must(f.Parameter("x", floats(5, 3), nil)), must(f.Parameter("cube", floats(2, 3, 4), nil))
	index := must(f.Constant([]int32{0, 1}, 2))
	for name, call := range map[string]func() (value, error){
		"indices without their axis": func() (value, error) { return f.Gather(x, index, 1, []int{1}, []int{0}, []int{0}, []int{1, 3}, false) },
		"negative sizes":             func() (value, error) { return f.Reshape(x, -3, -5) },
		"half of a float64":          func() (value, error) { return f.Bitcast(scalar, dtypes.Float64) },
		"a sum over no axis of it":   func() (value, error) { return f.ReduceSum(cube, 3, 4, 5) },
		"a sum over axis -1":         func() (value, error) { return f.ReduceSum(must(f.Reshape(x, 15)), -1) },
		"a sum over an axis twice":   func() (value, error) { return f.ReduceSum(x, 0, 0) },
		"more elements than int has": func() (value, error) { return f.BroadcastInDim(scalar, floats(1<<40, 1<<40), nil) },
		"more bytes than int has":    func() (value, error) { return f.BroadcastInDim(scalar, floats(1<<62), nil) },
		"another type":               func() (value, error) { return f.Add(x, index) },
		"another size":               func() (value, error) { return f.Add(x, must(f.Reshape(x, 3, 5))) },
		"no value":                   func() (value, error) { return f.Add(x, nil) },
		"an axis it does not have":   func() (value, error) { return f.ArgMinMax(x, 2, dtypes.Int32, true) },
	} {
		t.Run(name, func(t *testing.T) {
			if v, err := call(); err == nil {
				t.Errorf("no error, but %v", v)
			}
		})
	}
}

// TestTooMuch holds that a computation that needs more memory than there can be is
// an error of the call.
func TestTooMuch(t *testing.T) {
	b := newBackend(t)
	e := compileWith(t, b, func(f compute.Function) []value {
		x := must(f.BroadcastInDim(must(f.Parameter("x", floats(), nil)), floats(1<<45), nil))
		var sum value
		for _, op := range []func(compute.Function, value) (value, error){compute.Function.Exp, compute.Function.Tanh, compute.Function.Log1p} {
			y := must(op(f, x))
			y = must(f.Sub(y, must(f.ReduceMax(y)))) // all of it is needed again
			if sum != nil {
				y = must(f.Mul(sum, y))
			}
			sum = y
		}
		return []value{must(f.ReduceSum(sum))}
	})
	if _, err := e.Execute([]compute.Buffer{buffer(t, b, []float32{1})}, nil, 0); err == nil {
		t.Error("it ran")
	}
}

// TestCompiled holds that a builder refuses everything once it has compiled.
func TestCompiled(t *testing.T) {
	builder := newBackend(t).Builder("compiled")
	f := builder.Main()
	x := must(f.Parameter("x", floats(3), nil))
	returning(f, x)
	must(builder.Compile())
	refused := map[string]func() error{
		"Add":                     func() error { _, err := f.Add(x, x); return err },
		"Closure":                 func() error { _, err := f.Closure(); return err },
		"Return":                  func() error { return f.Return([]value{x}, nil) },
		"NewFunction":             func() error { _, err := builder.NewFunction("g"); return err },
		"Compile":                 func() error { _, err := builder.Compile(); return err },
		"DistributedSPMD":         func() error { return builder.DistributedSPMD(1) },
		"DistributedAutoSharding": func() error { return builder.DistributedAutoSharding() },
		"DeviceAssignment":        func() error { return builder.DeviceAssignment(0) },
	}
	for name, call := range refused {
		if err := call(); !errors.Is(err, errCompiled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s, err := f.Shape(x); f.Name() == "" || err != nil || !s.Equal(floats(3)) {
		t.Errorf("%q, %s, %v", f.Name(), s, err)
	}
}

// perceptron is two layers, their loss, and a step of their gradients by hand:
// products in all transpositions, fused loops, sums of both kinds.
func perceptron(f compute.Function) []value {
	const n, in, hidden, out = 64, 48, 96, 300
	x := must(f.Parameter("x", floats(n, in), nil))
	labels := must(f.Parameter("labels", shapes.Make(dtypes.Int32, n, 1), nil))
	w1, w2 := must(f.Parameter("w1", floats(in, hidden), nil)), must(f.Parameter("w2", floats(hidden, out), nil))
	dot := func(a value, i int, b value, j int) value {
		return must(f.DotGeneral(a, []int{i}, nil, b, []int{j}, nil, compute.DotGeneralConfig{}))
	}
	column := func(v value) value { return must(f.Reshape(v, n, 1)) }
	h := must(f.Tanh(dot(x, 1, w1, 0)))
	logits := dot(h, 1, w2, 0)
	e := must(f.Exp(must(f.Sub(logits, column(must(f.ReduceMax(logits, 1)))))))
	soft := must(f.Div(e, column(must(f.ReduceSum(e, 1)))))
	hot := must(f.ConvertDType(must(f.Equal(labels, must(f.Iota(shapes.Make(dtypes.Int32, 1, out), 1)))), dtypes.Float32))
	loss := must(f.Neg(must(f.ReduceSum(must(f.Mul(hot, must(f.Log(soft))))))))
	d := must(f.Sub(soft, hot))
	rate := must(f.Constant([]float32{0.01}))
	one := must(f.Constant([]float32{1}))
	dh := must(f.Mul(dot(d, 1, w2, 1), must(f.Sub(one, must(f.Mul(h, h))))))
	step := func(w, g value) value { return must(f.Sub(w, must(f.Mul(rate, g)))) }
	return []value{step(w1, dot(x, 0, dh, 0)), step(w2, dot(h, 0, d, 0)), loss}
}

// TestSteadyState trains the perceptron: the loss falls, and a step allocates
// next to nothing.
func TestSteadyState(t *testing.T) {
	b := newBackend(t)
	e := compileWith(t, b, perceptron)
	labels := make([]int32, 64)
	for i := range labels {
		labels[i] = int32(i * 4)
	}
	x, y := buffer(t, b, random(64*48, 1), 64, 48), buffer(t, b, labels, 64, 1)
	w1, w2 := buffer(t, b, random(48*96, 2), 48, 96), buffer(t, b, random(96*300, 3), 96, 300)
	var loss float32
	step := func() {
		out := must(e.Execute([]compute.Buffer{x, y, w1, w2}, []bool{false, false, true, true}, 0))
		w1, w2, loss = out[0], out[1], must(out[2].Data()).([]float32)[0]
		if err := out[2].Finalize(); err != nil {
			t.Fatal(err)
		}
	}
	step()
	before := loss
	if allocs := testing.AllocsPerRun(50, step); allocs > 20 && !raceEnabled {
		t.Errorf("%v allocations a step", allocs)
	}
	if !(loss < before/2) {
		t.Errorf("the loss went from %g to %g", before, loss)
	}
}

// TestConcurrent runs an executable in several goroutines: all get the bits
// that one alone gets.
func TestConcurrent(t *testing.T) {
	b := newBackend(t)
	e := compileWith(t, b, perceptron)
	run := func() ([]float32, error) {
		labels := make([]int32, 64)
		inputs := []compute.Buffer{buffer(t, b, random(64*48, 1), 64, 48), buffer(t, b, labels, 64, 1), buffer(t, b, random(48*96, 2), 48, 96), buffer(t, b, random(96*300, 3), 96, 300)}
		out, err := e.Execute(inputs, nil, 0)
		if err != nil {
			return nil, err
		}
		return must(out[1].Data()).([]float32), nil
	}
	want := must(run())
	errs := make([]error, 4)
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() {
			for range 20 {
				got, err := run()
				if err == nil && !slices.Equal(got, want) {
					err = fmt.Errorf("goroutine %d got other bits", i)
				}
				errs[i] = err
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
}

// TestClamp computes in the memory of each of its operands.
func TestClamp(t *testing.T) {
	b := newBackend(t)
	for donated := range 3 {
		e := compileWith(t, b, func(f compute.Function) []value {
			var p [3]value
			for i, name := range []string{"low", "x", "high"} {
				p[i] = must(f.Parameter(name, floats(5), nil))
			}
			return []value{must(f.Clamp(p[0], p[1], p[2]))}
		})
		donate := make([]bool, 3)
		donate[donated] = true
		out, err := e.Execute([]compute.Buffer{
			buffer(t, b, []float32{0, 0, 0, 0, 5}, 5), buffer(t, b, []float32{-1, 2, 9, 3, 1}, 5), buffer(t, b, []float32{4, 4, 4, 2, 3}, 5),
		}, donate, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := must(out[0].Data()).([]float32); !slices.Equal(got, []float32{0, 2, 4, 2, 3}) {
			t.Errorf("input %d donated: %v", donated, got)
		}
	}
}
