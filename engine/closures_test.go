package engine

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// returning ends a function.
func returning(f compute.Function, outputs ...value) compute.Function {
	if err := f.Return(outputs, nil); err != nil {
		panic(err)
	}
	return f
}

// TestClosures has a loop with a branch in it, two sortings by one comparison and
// a function called twice. They see values of ours, views of them, and each
// other's results.
func TestClosures(t *testing.T) {
	sameAsGo(t, func(f compute.Function) []value {
		x := must(f.Parameter("x", floats(6), nil))
		times := must(f.Parameter("times", shapes.Make(dtypes.Int32), nil))
		scale := must(f.Exp(must(f.Reshape(must(f.Slice(x, []int{1}, []int{2}, nil))))))
		turned := must(f.Transpose(must(f.Reshape(x, 2, 3)), 1, 0))
		count := func(f compute.Function, n int32) value { return must(f.Constant([]int32{n})) }

		cond, body := must(f.Closure()), must(f.Closure())
		i := must(cond.Parameter("i", shapes.Make(dtypes.Int32), nil))
		must(cond.Parameter("v", floats(6), nil))
		returning(cond, must(cond.LessThan(i, times)))
		i = must(body.Parameter("i", shapes.Make(dtypes.Int32), nil))
		v := must(body.Parameter("v", floats(6), nil))
		branch := func(op func(compute.Function, value, value) (value, error)) compute.Function {
			c := must(body.Closure())
			return returning(c, must(c.Mul(must(op(c, v, must(c.Reshape(turned, 6)))), scale)))
		}
		picked := must(body.If(must(body.Equal(i, count(body, 1))), branch(compute.Function.Add), branch(compute.Function.Sub)))
		returning(body, must(body.Add(i, count(body, 1))), picked[0])
		looped := must(f.While(cond, body, count(f, 0), must(f.Neg(x))))

		less := must(f.Closure())
		a, b := must(less.Parameter("a", floats(), nil)), must(less.Parameter("b", floats(), nil))
		returning(less, must(less.LessThan(must(less.Mul(a, scale)), must(less.Mul(b, scale)))))
		sorted := must(f.Sort(less, 0, true, looped[1]))[0]
		again := must(f.Sort(less, 0, true, must(f.Reverse(sorted, 0))))[0]

		twice := must(f.Builder().NewFunction("twice"))
		p := must(twice.Parameter("p", floats(6), nil))
		returning(twice, must(twice.Add(p, p)), must(twice.ReduceSum(p)))
		once := must(f.Call(twice, again))
		more := must(f.Call(twice, must(f.Neg(once[0]))))
		return []value{looped[0], looped[1], sorted, once[0], once[1], more[0], must(f.Exp(more[1])), again, sorted}
	}, random(6, 3), []int32{3})
}
