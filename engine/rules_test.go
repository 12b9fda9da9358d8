package engine

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// TestRules compares graphs that rules make simpler with those of the Go backend.
func TestRules(t *testing.T) {
	x := func(f compute.Function, dims ...int) value { return must(f.Parameter("x", floats(dims...), nil)) }
	constant := func(f compute.Function, v float32) value { return must(f.Constant([]float32{v})) }
	repeat := func(f compute.Function, v float32, dims ...int) value {
		return must(f.BroadcastInDim(constant(f, v), floats(dims...), nil))
	}
	widened := func(f compute.Function, v value, axis, before, after, other int) value {
		parts := []value{v}
		dims := func(n int) []int {
			d := []int{other, other}
			d[axis] = n
			return d
		}
		if before > 0 {
			parts = append([]value{repeat(f, 0, dims(before)...)}, parts...)
		}
		if after > 0 {
			parts = append(parts, repeat(f, 0, dims(after)...))
		}
		return must(f.Concatenate(axis, parts...))
	}
	for name, build := range map[string]func(f compute.Function) []value{
		"sums in the middle": func(f compute.Function) []value {
			v := must(f.Reshape(x(f, 840), 5, 12, 14))
			return []value{must(f.ReduceSum(v, 1)), must(f.ReduceMax(v, 1)), must(f.ReduceMin(v, 1)), must(f.ReduceSum(must(f.Transpose(v, 2, 0, 1)), 1))}
		},
		"sums of outer axes": func(f compute.Function) []value {
			v := must(f.Reshape(x(f, 840), 5, 12, 14))
			return []value{must(f.ReduceSum(v, 0, 2)), must(f.ReduceMax(v, 2, 0)), must(f.ReduceSum(must(f.Reshape(v, 5, 1, 12, 14)), 0, 1, 3))}
		},
		"sums of everything": func(f compute.Function) []value {
			v := x(f, 300, 400)
			e := must(f.Exp(v))
			return []value{must(f.ReduceSum(e)), must(f.ReduceMax(e)), must(f.ReduceMin(e)), must(f.Sub(e, must(f.ReduceMax(e))))}
		},
		"a slice of a transposition": func(f compute.Function) []value {
			v := must(f.Transpose(x(f, 4, 6, 10), 2, 0, 1))
			return []value{must(f.Slice(v, []int{1, 0, 2}, []int{9, 3, 6}, []int{3, 1, 2})), must(f.Slice(v, []int{1, 0, 2}, []int{9, 3, 6}, nil))}
		},
		"a slice of a concatenation": func(f compute.Function) []value {
			v := x(f, 4, 6)
			c := must(f.Concatenate(1, v, must(f.Exp(v)), must(f.Neg(v))))
			return []value{must(f.Slice(c, []int{0, 7}, []int{4, 11}, nil)), must(f.Slice(c, []int{1, 5}, []int{3, 8}, nil)),
				must(f.Slice(c, []int{0, 6}, []int{4, 12}, []int{1, 3}))}
		},
		"a transposition of something repeated": func(f compute.Function) []value {
			v := x(f, 30, 1)
			row := must(f.Transpose(must(f.Exp(v)), 1, 0))
			sum := must(f.Add(v, row)) // [30, 30] of two smaller ones
			return []value{must(f.Transpose(sum, 1, 0)), must(f.Transpose(must(f.Sub(v, row)), 1, 0))}
		},
		"a transposition of a product": func(f compute.Function) []value {
			v := x(f, 6, 6)
			p := matMul(f, v, must(f.Exp(v)))
			return []value{must(f.Transpose(p, 1, 0)), must(f.Transpose(matMul(f, p, v), 1, 0)), p}
		},
		"operations that change nothing": func(f compute.Function) []value {
			v := x(f, 3, 4)
			return []value{must(f.Add(v, constant(f, 0))), must(f.Add(constant(f, 0), v)), must(f.Mul(repeat(f, 1, 3, 4), v)),
				must(f.Div(v, constant(f, 1))), must(f.Sub(v, repeat(f, 0, 3, 4)))}
		},
		"operations that change something": func(f compute.Function) []value {
			v := x(f, 3, 1)
			return []value{must(f.Sub(constant(f, 0), v)), must(f.Div(constant(f, 1), v)), must(f.Add(v, repeat(f, 0, 3, 4))),
				must(f.Mul(repeat(f, 1, 3, 4), v)), must(f.Add(v, constant(f, 1))), must(f.Mul(v, constant(f, 0)))}
		},
		"a product with a matrix widened by zeros": func(f compute.Function) []value {
			v := x(f, 8, 8)
			e := must(f.Exp(v))
			return []value{
				matMul(f, v, widened(f, must(f.Slice(e, []int{0, 0}, []int{3, 8}, nil)), 0, 2, 3, 8)),
				matMul(f, widened(f, must(f.Slice(e, []int{0, 0}, []int{8, 5}, nil)), 1, 0, 3, 8), v),
				matMul(f, widened(f, must(f.Slice(e, []int{0, 0}, []int{8, 5}, nil)), 1, 3, 0, 8), widened(f, must(f.Slice(v, []int{0, 0}, []int{5, 8}, nil)), 0, 0, 3, 8)),
				matMul(f, v, must(f.Transpose(widened(f, must(f.Slice(e, []int{0, 0}, []int{8, 5}, nil)), 1, 1, 2, 8), 1, 0))),
				matMul(f, v, must(f.Transpose(widened(f, must(f.Slice(e, []int{0, 0}, []int{5, 8}, nil)), 0, 1, 2, 8), 1, 0))),
				matMul(f, v, widened(f, must(f.Slice(e, []int{0, 0}, []int{8, 6}, nil)), 1, 1, 1, 8)),
				matMul(f, widened(f, must(f.Slice(e, []int{0, 0}, []int{8, 3}, nil)), 1, 0, 5, 8), widened(f, must(f.Slice(v, []int{0, 0}, []int{3, 8}, nil)), 0, 5, 0, 8)),
			}
		},
		"one condition for all": func(f compute.Function) []value {
			v := x(f, 3, 400)
			first := func(v value) value { return must(f.Reshape(must(f.Slice(v, []int{0, 0}, []int{1, 1}, nil)))) }
			yes := must(f.GreaterThan(first(v), constant(f, -100)))
			no := must(f.LogicalNot(yes))
			e := must(f.Exp(v))
			return []value{must(f.Where(yes, v, e)), must(f.Where(no, v, e)), must(f.Where(no, v, first(e))), must(f.Where(yes, first(e), v)),
				must(f.Where(must(f.LessThan(v, e)), first(v), first(e)))}
		},
		"a softmax along another axis": func(f compute.Function) []value {
			v := x(f, 3, 4, 5)
			return []value{must(f.FusedSoftmax(v, 0)), must(f.FusedSoftmax(v, 1)), must(f.FusedSoftmax(v, 2))}
		},
		"concatenations in one another": func(f compute.Function) []value {
			v := x(f, 4, 6)
			e := must(f.Exp(v))
			tall := must(f.Concatenate(0, e, must(f.Neg(v)))) // [8, 6]
			side := must(f.Tanh(must(f.Concatenate(0, v, v))))
			wide := must(f.Concatenate(1, tall, side, matMul(f, tall, must(f.Transpose(v, 1, 0)))))
			other := must(f.Concatenate(0, side, must(f.Abs(v)))) // read as one row of numbers, too
			return []value{must(f.Abs(must(f.Reshape(e, 24)))), wide, must(f.Sub(must(f.Reshape(other, 72)), must(f.ReduceSum(e)))), must(f.Concatenate(1, other, other))}
		},
		// A column is one element of a block here, and read in the middle of a chain.
		"columns of long rows": func(f compute.Function) []value {
			v := x(f, 4, 3000)
			most := must(f.Reshape(must(f.ReduceMax(v, 1)), 4, 1))
			chain := must(f.Mul(must(f.Sub(v, most)), must(f.Neg(most))))
			power := must(f.Pow(must(f.Abs(v)), must(f.Exp(must(f.Neg(must(f.Abs(most))))))))
			return []value{must(f.Tanh(chain)), must(f.Tanh(power))}
		},
		"gathers": func(f compute.Function) []value {
			v := must(f.Reshape(x(f, 9*5*4), 9, 5, 4))
			index := func(dims ...int) value {
				return must(f.Constant([]int32{3, 8, 0, 3, -2, 11}[:product(dims)], dims...))
			}
			gather := func(index value, vectorAxis int, offsets, collapsed, starts, sizes []int) value {
				return must(f.Gather(v, index, vectorAxis, offsets, collapsed, starts, sizes, false))
			}
			return []value{
				gather(index(6, 1), 1, []int{1, 2}, []int{0}, []int{0}, []int{1, 5, 4}), // rows
				gather(index(2, 3, 1), 2, []int{2, 3}, []int{0}, []int{0}, []int{1, 5, 4}),
				gather(index(1, 6), 0, []int{1, 2}, []int{0}, []int{0}, []int{1, 5, 4}),
				gather(index(6, 1), 1, []int{1, 2}, []int{0}, []int{0}, []int{1, 3, 4}), // parts of rows
				gather(index(6, 1), 1, []int{0, 1}, []int{0}, []int{0}, []int{1, 5, 4}), // side by side
				gather(index(6, 1), 1, []int{0, 2}, []int{0}, []int{0}, []int{1, 5, 4}),
				gather(index(6, 1), 1, []int{1, 2}, []int{1}, []int{1}, []int{9, 1, 4}), // along other axes
				gather(index(6, 1), 1, []int{1, 2}, []int{1}, []int{0}, []int{2, 1, 4}),
				gather(index(6, 1), 1, []int{1, 2}, []int{0}, []int{1}, []int{1, 5, 4}),
				gather(index(3, 2), 1, []int{1}, []int{0, 1}, []int{0, 1}, []int{1, 1, 4}), // of two numbers
				gather(index(6, 1), 1, []int{1, 2, 3}, nil, []int{0}, []int{1, 5, 4}),
			}
		},
		"sums of rows": func(f compute.Function) []value {
			v := must(f.Reshape(x(f, 9*6*6), 9, 6, 6))
			index := func(dims ...int) value {
				return must(f.Constant([]int32{3, 1, 0, 3, 2, 4}[:product(dims)], dims...))
			}
			add := func(index value, vectorAxis int, window, inserted, toOperand []int, dims ...int) value {
				updates := must(f.Constant(random(product(dims), 3), dims...))
				return must(f.ScatterSum(v, index, updates, vectorAxis, window, inserted, toOperand, false, false))
			}
			return []value{
				add(index(6, 1), 1, []int{1, 2}, []int{0}, []int{0}, 6, 6, 6), // rows
				add(index(2, 3, 1), 2, []int{2, 3}, []int{0}, []int{0}, 2, 3, 6, 6),
				add(index(1, 6), 0, []int{1, 2}, []int{0}, []int{0}, 6, 6, 6),
				add(index(6, 1), 1, []int{0, 1}, []int{0}, []int{0}, 6, 6, 6), // side by side
				add(index(6, 1), 1, []int{1, 2}, []int{0}, []int{0}, 6, 3, 6), // parts of rows
				add(index(6, 1), 1, []int{1, 2}, []int{1}, []int{1}, 6, 9, 6), // along other axes
				add(index(3, 2), 1, []int{1}, []int{0, 1}, []int{0, 1}, 3, 6), // of two numbers
				add(index(6, 1), 1, []int{1, 2, 3}, nil, []int{0}, 6, 1, 6, 6),
			}
		},
		"constants, one of them repeated": func(f compute.Function) []value {
			row := must(f.Constant([]float32{1, 2, 3}, 1, 3))
			return []value{must(f.Add(row, repeat(f, 2, 2, 1))), must(f.Mul(repeat(f, 2, 1, 3), row)), must(f.Sub(repeat(f, 2, 2, 1), repeat(f, 1, 1, 3))), x(f, 2)}
		},
		"padding": func(f compute.Function) []value {
			v := x(f, 3, 4)
			pad := func(a, b compute.PadAxis) value { return must(f.Pad(v, constant(f, 7), a, b)) }
			return []value{pad(compute.PadAxis{Start: 2}, compute.PadAxis{End: 1}), pad(compute.PadAxis{}, compute.PadAxis{}), pad(compute.PadAxis{Interior: 1}, compute.PadAxis{Start: 1})}
		},
		"counting": func(f compute.Function) []value {
			var all []value
			for _, d := range []dtypes.DType{dtypes.Int32, dtypes.Int64, dtypes.Float32, dtypes.Uint8, dtypes.Float64} {
				for axis := range 2 {
					all = append(all, must(f.Iota(shapes.Make(d, 3, 5), axis)))
				}
			}
			return append(all, must(f.Neg(x(f, 2))))
		},
		// An index compared with what is counted along another axis, or with as
		// many numbers that are not 0, 1, …: no one-hot vectors.
		"almost one-hot": func(f compute.Function) []value {
			index := must(f.ConvertDType(must(f.Floor(must(f.Abs(x(f, 5, 1))))), dtypes.Int32))
			equal := func(y value) value { return must(f.ConvertDType(must(f.Equal(index, y)), dtypes.Float32)) }
			return []value{
				equal(must(f.Iota(shapes.Make(dtypes.Int32, 5, 5), 0))), equal(must(f.Iota(shapes.Make(dtypes.Int32, 5, 5), 1))),
				must(f.ConvertDType(must(f.Equal(must(f.Slice(index, []int{0, 0}, []int{1, 1}, nil)), must(f.Iota(shapes.Make(dtypes.Int32, 3, 5), 1)))), dtypes.Float32)),
				equal(must(f.Constant([]int32{0, 2, 1, 3}, 1, 4))), equal(must(f.Iota(shapes.Make(dtypes.Int32, 5, 1), 1))),
				equal(must(f.BroadcastInDim(must(f.Iota(shapes.Make(dtypes.Int32, 5, 1), 0)), shapes.Make(dtypes.Int32, 5, 5), []int{0, 1}))),
				must(f.ConvertDType(must(f.Equal(must(f.Reshape(index, 1, 5)), must(f.Iota(shapes.Make(dtypes.Int32, 1, 5), 1)))), dtypes.Float32)),
			}
		},
		"a product of one-hot vectors along the wrong axis": func(f compute.Function) []value {
			v := x(f, 5, 5)
			index := must(f.ConvertDType(must(f.Floor(must(f.Abs(must(f.Slice(v, []int{0, 0}, []int{5, 1}, nil)))))), dtypes.Int32))
			hot := hotVectors(f, index, 5)
			four := hotVectors(f, index, 4) // [5, 4]
			return []value{matMul(f, v, hot), matMul(f, hot, must(f.Transpose(v, 1, 0))), matMul(f, must(f.Transpose(hot, 1, 0)), v),
				matMul(f, must(f.Reshape(four, 4, 5)), v), matMul(f, must(f.Transpose(must(f.Reshape(four, 4, 5)), 1, 0)), must(f.Slice(v, []int{0, 0}, []int{4, 5}, nil))), matMul(f, v, must(f.Reshape(hot, 5, 5)))}
		},
	} {
		t.Run(name, func(t *testing.T) { sameAsGo(t, build) })
	}
}
