package engine

import (
	"fmt"
	"maps"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// stepsOf counts the steps of a plan by their kinds.
func stepsOf(t *testing.T, build func(f compute.Function) []value) map[string]int {
	t.Helper()
	e := compileWith(t, newBackend(t), build)
	p, err := e.newPlan(make([]bool, len(e.parameters)))
	if err != nil {
		t.Fatal(err)
	}
	checkArena(t, p)
	kinds := map[string]int{}
	for _, s := range p.steps {
		kinds[fmt.Sprintf("%T", s)[len("*engine."):]]++
	}
	return kinds
}

// checkArena holds that values which are needed at the same time do not overlap.
func checkArena(t *testing.T, p *plan) {
	t.Helper()
	for i, a := range p.storages {
		for _, b := range p.storages[:i] {
			if a.home != inArena || b.home != inArena || a.last < 0 || b.last < 0 || a.first > b.last || b.first > a.last {
				continue
			}
			if a.offset < b.offset+b.bytes && b.offset < a.offset+a.bytes {
				t.Errorf("storages %d and %d overlap in the arena", a.id, b.id)
			}
		}
	}
}

// TestPlans holds that graphs become as few steps as they should.
func TestPlans(t *testing.T) {
	parameter := func(f compute.Function, dims ...int) value {
		return must(f.Parameter(fmt.Sprint("p", len(f.(*function).parameters)), floats(dims...), nil))
	}
	hot := func(f compute.Function, n, depth int) value {
		index := must(f.Parameter("index", shapes.Make(dtypes.Int32, n, 1), nil))
		return must(f.ConvertDType(must(f.Equal(index, must(f.Iota(shapes.Make(dtypes.Int32, 1, depth), 1)))), dtypes.Float32))
	}
	dot := func(f compute.Function, x value, i int, y value, j int) value {
		return must(f.DotGeneral(x, []int{i}, nil, y, []int{j}, nil, compute.DotGeneralConfig{}))
	}
	for name, c := range map[string]struct {
		build func(f compute.Function) []value
		want  map[string]int
	}{
		// The loss and the gradient of its softmax are one loop.
		"softmax": {func(f compute.Function) []value {
			x := parameter(f, 20, 1000)
			soft, h := must(f.FusedSoftmax(x, 1)), hot(f, 20, 1000)
			loss := must(f.ReduceSum(must(f.Mul(h, must(f.Log(soft)))), 1))
			return []value{loss, must(f.Sub(soft, h))}
		}, map[string]int{"loop": 1}},
		"one-hot product": {func(f compute.Function) []value {
			return []value{dot(f, hot(f, 20, 100), 1, parameter(f, 100, 8), 0)}
		}, map[string]int{"take": 1}},
		"one-hot product's gradient": {func(f compute.Function) []value {
			return []value{dot(f, hot(f, 20, 100), 0, parameter(f, 20, 8), 0)}
		}, map[string]int{"add": 1}},
		"transposed product": {func(f compute.Function) []value {
			return []value{must(f.Transpose(dot(f, parameter(f, 30, 40), 0, parameter(f, 30, 50), 0), 1, 0))}
		}, map[string]int{"products": 1}},
		// The parts are written to their places: there is nothing to be copied.
		"concatenation": {func(f compute.Function) []value {
			x := parameter(f, 20, 30)
			return []value{must(f.Concatenate(1, must(f.Tanh(x)), must(f.Exp(x)), dot(f, x, 1, parameter(f, 30, 10), 0)))}
		}, map[string]int{"loop": 2, "products": 1}},
		"transposition": {func(f compute.Function) []value {
			x := parameter(f, 64, 96)
			return []value{must(f.Exp(must(f.Transpose(x, 1, 0))))}
		}, map[string]int{"turn": 1, "loop": 1}},
		"constants": {func(f compute.Function) []value {
			c := must(f.Add(must(f.Constant([]float32{1, 2}, 2)), must(f.Constant([]float32{3}))))
			return []value{must(f.Mul(parameter(f, 2), must(f.Exp(c))))}
		}, map[string]int{"loop": 1}},
		// What has no kernel here runs together.
		"delegated": {func(f compute.Function) []value {
			x := must(f.ConvertDType(must(f.Neg(parameter(f, 3, 4))), dtypes.Float64))
			y := must(f.Cos(must(f.Transpose(must(f.Exp(x)), 1, 0))))
			return []value{must(f.ReduceSum(y, 0)), must(f.Sqrt(x))}
		}, map[string]int{"loop": 1, "delegate": 1}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := stepsOf(t, c.build); !maps.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

// TestPacked holds that a matrix of several products is packed once.
func TestPacked(t *testing.T) {
	e := compileWith(t, newBackend(t), func(f compute.Function) []value {
		w, x := must(f.Parameter("w", floats(40, 40), nil)), must(f.Parameter("x", floats(5, 40), nil))
		for range 4 {
			x = must(f.Tanh(must(f.DotGeneral(x, []int{1}, nil, w, []int{1}, nil, compute.DotGeneralConfig{}))))
		}
		return []value{x}
	})
	p, err := e.newPlan([]bool{false, false})
	if err != nil {
		t.Fatal(err)
	}
	packs := 0
	for _, s := range p.steps {
		if m, ok := s.(*products); ok {
			if m.packed == nil {
				t.Error("a product does not use the packed matrix")
			}
			if m.packs {
				packs++
			}
		}
	}
	if packs != 1 {
		t.Errorf("packed %d times", packs)
	}
}
