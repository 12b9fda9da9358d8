package engine

import (
	"slices"
	"testing"

	"github.com/gomlx/compute"
)

// prolong adds an operation to the last value, on either side of it.
func (g *grower) prolong() {
	x := g.values[len(g.values)-1]
	y := g.like(g.shape(x))
	if g.rng.IntN(2) == 0 {
		x, y = y, x
	}
	g.keep(binaries[g.rng.IntN(len(binaries))](g.f, x, y))
}

// TestChains compares operations one after the other with those of the Go backend.
func TestChains(t *testing.T) {
	ours, theirs := newBackend(t), theirs(t)
	for name, s := range sizes {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(100) {
				compare(t, ours, theirs, (*grower).prolong, seed, 1+int(seed)%30, s)
			}
		})
	}
}

// TestJoin holds which operations become one instruction.
func TestJoin(t *testing.T) {
	long := func(f compute.Function, x, y value) []value {
		for range 20 {
			x = must(f.Sub(y, x))
		}
		return []value{x}
	}
	for _, c := range []struct {
		name  string
		build func(f compute.Function, x, y value) []value
		want  []int // the links of each instruction, 0 of one that is no chain
	}{
		{"one operation", func(f compute.Function, x, y value) []value { return []value{must(f.Add(x, y))} }, []int{0}},
		{"four, one with a scalar", func(f compute.Function, x, y value) []value {
			quarter := must(f.Constant([]float32{0.25}))
			return []value{must(f.Mul(must(f.Max(must(f.Sub(quarter, must(f.Sub(x, y)))), y)), x))}
		}, []int{4}},
		{"longer than a chain may be", long, []int{16, 4}},
		{"a function between", func(f compute.Function, x, y value) []value {
			return []value{must(f.Add(must(f.Exp(must(f.Mul(must(f.Add(x, y)), y)))), y))}
		}, []int{2, 0, 0}},
		{"read twice", func(f compute.Function, x, y value) []value {
			sum := must(f.Add(x, y))
			return []value{must(f.Mul(sum, sum))}
		}, []int{0, 0}},
		{"read by others", func(f compute.Function, x, y value) []value {
			sum := must(f.Add(x, y))
			return []value{sum, must(f.Mul(sum, y))}
		}, []int{0, 0}},
		{"one of rows, and two of all elements", func(f compute.Function, x, y value) []value {
			sum := must(f.Reshape(must(f.ReduceSum(x, 1)), 4, 1))
			return []value{must(f.Mul(must(f.Sub(x, must(f.Mul(sum, sum)))), y))}
		}, []int{0, 0, 2}},
	} {
		e := compileWith(t, newBackend(t), func(f compute.Function) []value {
			return c.build(f, must(f.Parameter("x", floats(4, 3000), nil)), must(f.Parameter("y", floats(4, 3000), nil)))
		})
		p := must(e.newPlan(make([]bool, 2)))
		var got []int
		for _, s := range p.steps {
			for _, i := range s.(*loop).code {
				got = append(got, len(i.links))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: chains of %v, want %v", c.name, got, c.want)
		}
	}
}
