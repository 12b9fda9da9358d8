package engine

import (
	"slices"
	"testing"

	"github.com/gomlx/compute"
)

// TestInPlace computes values of operands that are read no more, in ways that
// must not happen in their memory. The operand is a product, or a donated input.
func TestInPlace(t *testing.T) {
	b := newBackend(t)
	for _, c := range []struct {
		name  string
		dims  []int
		build func(f compute.Function, x value) value
	}{
		{"the first row is read with all others", []int{70, 300}, func(f compute.Function, x value) value {
			return must(f.Sub(x, must(f.Slice(x, []int{0, 0}, []int{1, 300}, nil))))
		}},
		{"another part is read at the same time", []int{4000}, func(f compute.Function, x value) value {
			half := func(from, to int) value { return must(f.Slice(x, []int{from}, []int{to}, nil)) }
			return must(f.Add(x, must(f.Concatenate(0, half(2000, 4000), half(0, 2000)))))
		}},
		{"read along the other axis", []int{30, 30}, func(f compute.Function, x value) value {
			return must(f.Exp(must(f.Transpose(x, 1, 0))))
		}},
		{"read both ways", []int{30, 30}, func(f compute.Function, x value) value {
			return must(f.Sub(x, must(f.Transpose(x, 1, 0))))
		}},
		{"read again for its rows", []int{40, 500}, func(f compute.Function, x value) value {
			e := must(f.Exp(x))
			sum := must(f.Reshape(must(f.ReduceSum(e, 1)), 40, 1))
			return must(f.Mul(must(f.Div(e, sum)), x))
		}},
		{"written before it is read last", []int{40, 500}, func(f compute.Function, x value) value {
			e := must(f.Exp(x))
			return must(f.Concatenate(0, e, must(f.Mul(e, must(f.Sub(x, e))))))
		}},
		{"rows of itself are added", []int{50, 8}, func(f compute.Function, x value) value {
			index := must(f.Constant([]int32{3, 7, 3, 49, 0}, 5, 1))
			rows := must(f.Slice(x, []int{1, 0}, []int{6, 8}, nil))
			return must(f.ScatterSum(x, index, rows, 1, []int{1}, []int{0}, []int{0}, false, false))
		}},
		{"rows are added to a part", []int{50, 8}, func(f compute.Function, x value) value {
			index := must(f.Constant([]int32{3, 7, 3, 19, 0}, 5, 1))
			part := must(f.Slice(x, []int{20, 0}, []int{40, 8}, nil))
			return must(f.ScatterSum(part, index, must(f.Constant(random(40, 1), 5, 8)), 1, []int{1}, []int{0}, []int{0}, false, false))
		}},
		{"rows are added to it turned", []int{20, 20}, func(f compute.Function, x value) value {
			index := must(f.Constant([]int32{3, 7, 3, 19, 0}, 5, 1))
			return must(f.ScatterSum(must(f.Transpose(x, 1, 0)), index, must(f.Constant(random(100, 1), 5, 20)), 1, []int{1}, []int{0}, []int{0}, false, false))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sameAsGo(t, func(f compute.Function) []value {
				// A product of one column and one row.
				flat := must(f.Reshape(must(f.Parameter("x", floats(c.dims...), nil)), product(c.dims), 1))
				return []value{c.build(f, must(f.Reshape(matMul(f, flat, must(f.Constant([]float32{1}, 1, 1))), c.dims...)))}
			})
			e := compileWith(t, b, func(f compute.Function) []value {
				return []value{c.build(f, must(f.Parameter("x", floats(c.dims...), nil)))}
			})
			var results [2][]float32
			for i := range results {
				x := buffer(t, b, random(product(c.dims), 1), c.dims...)
				results[i] = must(must(e.Execute([]compute.Buffer{x}, []bool{i == 1}, 0))[0].Data()).([]float32)
			}
			if !slices.Equal(results[0], results[1]) {
				t.Error("another result when the input is donated")
			}
		})
	}
}

// TestOrder has loops that may be one but for what runs between them.
func TestOrder(t *testing.T) {
	for name, between := range map[string]func(f compute.Function, made, other value) value{
		"two loops become one":       func(f compute.Function, made, other value) value { return must(f.Add(must(f.Tanh(made)), other)) },
		"a loop reads more later on": func(f compute.Function, made, other value) value { return must(f.Add(other, made)) },
	} {
		t.Run(name, func(t *testing.T) {
			sameAsGo(t, func(f compute.Function) []value {
				x, y := must(f.Parameter("x", floats(8, 8), nil)), must(f.Parameter("y", floats(8, 8), nil))
				v := must(f.Neg(y))
				after := matMul(f, v, y)
				first := must(f.Exp(x))
				m := between(f, matMul(f, first, x), v)
				// It reads the first loop, and what now comes after that.
				return []value{after, m, must(f.Add(first, after))}
			})
		})
	}
}
