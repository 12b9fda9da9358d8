package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// sameAsGo runs a graph in both backends, twice on the same inputs, and compares
// the results. Inputs are flat slices; without any, they are random floats.
func sameAsGo(t *testing.T, build func(f compute.Function) []value, inputs ...any) {
	t.Helper()
	got, want := runOn(t, newBackend(t), build, inputs), runOn(t, theirs(t), build, inputs)
	for i := range want {
		if err := differ(got[i], want[i]); err != nil {
			t.Errorf("output %d: %v", i%(len(want)/2), err)
		}
	}
}

// runOn returns the outputs of two runs of a graph, one after the other.
func runOn(t *testing.T, b compute.Backend, build func(f compute.Function) []value, inputs []any) (outputs []any) {
	t.Helper()
	builder := b.Builder("case")
	if err := builder.Main().Return(build(builder.Main()), nil); err != nil {
		t.Fatal(err)
	}
	e := must(builder.Compile())
	_, of := e.Inputs()
	buffers := make([]compute.Buffer, len(of))
	for i, shape := range of {
		var flat any = random(shape.Size(), uint64(i))
		if len(inputs) > 0 {
			flat = inputs[i]
		}
		buffers[i] = must(b.BufferFromFlatData(0, flat, shape))
	}
	for range 2 {
		for _, out := range must(e.Execute(buffers, nil, 0)) {
			outputs = append(outputs, cloneFlat(must(out.Data())))
		}
	}
	return outputs
}

// matMul is the product of two matrices.
func matMul(f compute.Function, x, y value) value {
	return must(f.DotGeneral(x, []int{1}, nil, y, []int{0}, nil, compute.DotGeneralConfig{}))
}

// hotVectors are one-hot vectors of the indices [N, 1].
func hotVectors(f compute.Function, index value, depth int) value {
	count := must(f.Iota(shapes.Make(dtypes.Int32, 1, depth), 1))
	return must(f.ConvertDType(must(f.Equal(index, count)), dtypes.Float32))
}

// TestHotOutside multiplies with one-hot vectors of indices that are outside:
// they are zero.
func TestHotOutside(t *testing.T) {
	index := []int32{-1, 2, 5, 4}
	sameAsGo(t, func(f compute.Function) []value {
		hot := hotVectors(f, must(f.Parameter("index", shapes.Make(dtypes.Int32, 4, 1), nil)), 5)
		return []value{matMul(f, hot, must(f.Parameter("w", floats(5, 3), nil)))}
	}, index, random(15, 1))
	sameAsGo(t, func(f compute.Function) []value {
		hot := hotVectors(f, must(f.Parameter("index", shapes.Make(dtypes.Int32, 4, 1), nil)), 5)
		return []value{matMul(f, must(f.Transpose(hot, 1, 0)), must(f.Parameter("w", floats(4, 3), nil)))}
	}, index, random(12, 1))
}

// TestRightInPlace multiplies often with a matrix, then with one that is
// computed in its place.
func TestRightInPlace(t *testing.T) {
	sameAsGo(t, func(f compute.Function) []value {
		w, x := must(f.Tanh(must(f.Parameter("w", floats(8, 8), nil)))), must(f.Parameter("x", floats(8, 8), nil))
		x = matMul(f, matMul(f, matMul(f, x, w), w), w)
		w = must(f.Mul(w, x))
		return []value{matMul(f, matMul(f, x, w), w)}
	}, random(64, 1), random(64, 2))
}

// TestRandomStateView draws random bits of a state that does not lie in memory
// word by word.
func TestRandomStateView(t *testing.T) {
	bits := func(f compute.Function, state value) []value {
		_, values, err := f.RNGBitGenerator(state, shapes.Make(dtypes.Uint32, 5))
		return []value{must(values, err)}
	}
	sameAsGo(t, func(f compute.Function) []value {
		seed := must(f.Parameter("seed", shapes.Make(dtypes.Uint64), nil))
		return bits(f, must(f.BroadcastInDim(seed, shapes.Make(dtypes.Uint64, 3), nil)))
	}, []uint64{5})
	sameAsGo(t, func(f compute.Function) []value {
		seeds := must(f.Parameter("seeds", shapes.Make(dtypes.Uint64, 3, 2), nil))
		return bits(f, must(f.Reshape(must(f.Slice(seeds, []int{0, 1}, []int{3, 2}, nil)), 3)))
	}, []uint64{5, 6, 7, 8, 9, 10})
}

// TestDynamic runs a graph with shapes that are known only later: what goes
// wrong in it is an error, and a buffer given twice is not donated.
func TestDynamic(t *testing.T) {
	b := newBackend(t)
	builder := b.Builder("dynamic")
	f, shape := builder.Main(), shapes.MakeDynamic(dtypes.Int32, []int{-1}, []string{"n"})
	x, y := must(f.Parameter("x", shape, nil)), must(f.Parameter("y", shape, nil))
	if err := f.Return([]value{must(f.Div(x, y)), must(f.Add(y, y))}, nil); err != nil {
		t.Fatal(err)
	}
	e := must(builder.Compile())
	if _, err := e.Execute([]compute.Buffer{buffer(t, b, []int32{1, 2}, 2), buffer(t, b, []int32{1, 0}, 2)}, nil, 0); err == nil {
		t.Error("divided by zero")
	}
	both, once := buffer(t, b, []int32{1, 2, 3}, 3), buffer(t, b, []int32{2, 2, 2}, 3)
	for _, inputs := range [][]compute.Buffer{{both, both}, {once, both}} {
		out, err := e.Execute(inputs, []bool{true, true}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := must(out[1].Data()).([]int32); !slices.Equal(got, []int32{2, 4, 6}) {
			t.Errorf("%v", got)
		}
	}
	if _, err := once.Data(); err == nil {
		t.Error("a donated buffer still has data")
	}
}

// TestFailingConstants holds that constants which cannot be computed are an error
// of the run, not of compiling.
func TestFailingConstants(t *testing.T) {
	e := compileWith(t, newBackend(t), func(f compute.Function) []value {
		return []value{must(f.Div(must(f.Constant([]int32{1})), must(f.Constant([]int32{0}))))}
	})
	if _, err := e.Execute(nil, nil, 0); err == nil || !strings.Contains(err.Error(), "divide by zero") {
		t.Errorf("%v", err)
	}
}

// TestBroadcastTurned holds that an operand is not transposed by repeating it:
// GoMLX asks for axes that increase, and its Go backend takes others for those.
func TestBroadcastTurned(t *testing.T) {
	f := newBackend(t).Builder("turned").Main()
	x := must(f.Parameter("x", floats(2, 3), nil))
	if _, err := f.BroadcastInDim(x, floats(3, 4, 2), []int{2, 0}); err == nil {
		t.Error("no error")
	}
}

// TestManyAxes reads and writes values of more axes than a walk has.
func TestManyAxes(t *testing.T) {
	const n = maxAxes + 2
	dims, order := make([]int, n), make([]int, n)
	for i := range dims {
		dims[i], order[i] = 2, n-1-i
	}
	x := make([]int64, 1<<n)
	for i := range x {
		x[i] = int64(i)
	}
	sameAsGo(t, func(f compute.Function) []value {
		v := must(f.Reshape(must(f.Parameter("x", shapes.Make(dtypes.Int64, 1<<n), nil)), dims...))
		sum := must(f.Add(must(f.Transpose(v, order...)), v))
		return []value{sum, must(f.Concatenate(n-1, sum, v))}
	}, x)
}

// TestKept holds that a caller may change the sizes that it gave.
func TestKept(t *testing.T) {
	b := newBackend(t)
	e := compileWith(t, b, func(f compute.Function) []value {
		shape, dims := floats(2, 3), []int{2, 3}
		x, c := must(f.Parameter("x", shape, nil)), must(f.Constant([]float32{1, 2, 3, 4, 5, 6}, dims...))
		shape.Dimensions[0], shape.Dimensions[1], dims[0], dims[1] = 3, 1, 3, 1
		return []value{must(f.Add(x, c)), must(f.Reverse(c, 0)), must(f.Reverse(x, 1))}
	})
	out, err := e.Execute([]compute.Buffer{buffer(t, b, []float32{10, 20, 30, 40, 50, 60}, 2, 3)}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]float32{{11, 22, 33, 44, 55, 66}, {4, 5, 6, 1, 2, 3}, {30, 20, 10, 60, 50, 40}} {
		if got := must(out[i].Data()).([]float32); !slices.Equal(got, want) {
			t.Errorf("output %d: %v, want %v", i, got, want)
		}
	}
}
