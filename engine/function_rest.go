package engine

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
)

// Operations that are only ever delegated. Their attributes are in the
// closures that build them.

func (f *function) BatchNormForInference(x, scale, offset, mean, variance value, epsilon float32, axis int) (value, error) {
	return f.one(compute.OpTypeBatchNormForInference, nil, func(g compute.Function, in []value) (value, error) {
		return g.BatchNormForInference(in[0], in[1], in[2], in[3], in[4], epsilon, axis)
	}, x, scale, offset, mean, variance)
}

func (f *function) BatchNormForTraining(x, scale, offset value, epsilon float32, axis int) (normalized, mean, variance value, err error) {
	return three(f.several(compute.OpTypeBatchNormForTraining, func(g compute.Function, in []value, _ []compute.Function) ([]value, error) {
		return asSlice(g.BatchNormForTraining(in[0], in[1], in[2], epsilon, axis))
	}, nil, x, scale, offset))
}

func (f *function) BatchNormGradient(x, scale, mean, variance, gradient value, epsilon float32, axis int) (toX, toScale, toOffset value, err error) {
	return three(f.several(compute.OpTypeBatchNormGradient, func(g compute.Function, in []value, _ []compute.Function) ([]value, error) {
		return asSlice(g.BatchNormGradient(in[0], in[1], in[2], in[3], in[4], epsilon, axis))
	}, nil, x, scale, mean, variance, gradient))
}

func asSlice(x, y, z value, err error) ([]value, error) { return []value{x, y, z}, err }

func three(v []value, err error) (x, y, z value, _ error) {
	if err != nil {
		return nil, nil, nil, err
	}
	return v[0], v[1], v[2], nil
}

func (f *function) Bitcast(x value, dtype dtypes.DType) (value, error) {
	return f.one(compute.OpTypeBitcast, nil, func(g compute.Function, in []value) (value, error) { return g.Bitcast(in[0], dtype) }, x)
}

func (f *function) ConvGeneral(x, kernel value, axes compute.ConvolveAxesConfig, strides []int, paddings [][2]int, inputDilations, kernelDilations []int, channelGroups, batchGroups int) (value, error) {
	axes = axes.Clone()
	strides, paddings = slices.Clone(strides), slices.Clone(paddings)
	inputDilations, kernelDilations = slices.Clone(inputDilations), slices.Clone(kernelDilations)
	return f.one(compute.OpTypeConvGeneral, nil, func(g compute.Function, in []value) (value, error) {
		return g.ConvGeneral(in[0], in[1], axes, strides, paddings, inputDilations, kernelDilations, channelGroups, batchGroups)
	}, x, kernel)
}

func (f *function) CumSum(x value, axis int, options compute.CumSumOptions) (value, error) {
	return f.one(compute.OpTypeCumSum, nil, func(g compute.Function, in []value) (value, error) { return g.CumSum(in[0], axis, options) }, x)
}

func (f *function) DynamicSlice(x value, starts []value, dims []int) (value, error) {
	dims = slices.Clone(dims)
	return f.one(compute.OpTypeDynamicSlice, nil, func(g compute.Function, in []value) (value, error) {
		return g.DynamicSlice(in[0], in[1:], dims)
	}, append([]value{x}, starts...)...)
}

func (f *function) DynamicUpdateSlice(x, update value, starts []value) (value, error) {
	return f.one(compute.OpTypeDynamicUpdateSlice, nil, func(g compute.Function, in []value) (value, error) {
		return g.DynamicUpdateSlice(in[0], in[1], in[2:])
	}, append([]value{x, update}, starts...)...)
}

func (f *function) FFT(x value, kind compute.FFTType, length []int) (value, error) {
	length = slices.Clone(length)
	return f.one(compute.OpTypeFFT, nil, func(g compute.Function, in []value) (value, error) { return g.FFT(in[0], kind, length) }, x)
}

func (f *function) ReduceWindow(x value, kind compute.ReduceOpType, window, strides, inputDilations, windowDilations []int, paddings [][2]int) (value, error) {
	window, strides, paddings = slices.Clone(window), slices.Clone(strides), slices.Clone(paddings)
	inputDilations, windowDilations = slices.Clone(inputDilations), slices.Clone(windowDilations)
	return f.one(compute.OpTypeReduceWindow, nil, func(g compute.Function, in []value) (value, error) {
		return g.ReduceWindow(in[0], kind, window, strides, inputDilations, windowDilations, paddings)
	}, x)
}

func (f *function) Reverse(x value, over ...int) (value, error) {
	over = slices.Clone(over)
	return f.one(compute.OpTypeReverse, nil, func(g compute.Function, in []value) (value, error) { return g.Reverse(in[0], over...) }, x)
}

func (f *function) SelectAndScatterMax(x, source value, window, strides []int, paddings [][2]int) (value, error) {
	window, strides, paddings = slices.Clone(window), slices.Clone(strides), slices.Clone(paddings)
	return f.one(compute.OpTypeSelectAndScatterMax, nil, func(g compute.Function, in []value) (value, error) {
		return g.SelectAndScatterMax(in[0], in[1], window, strides, paddings)
	}, x, source)
}

func (f *function) SelectAndScatterMin(x, source value, window, strides []int, paddings [][2]int) (value, error) {
	window, strides, paddings = slices.Clone(window), slices.Clone(strides), slices.Clone(paddings)
	return f.one(compute.OpTypeSelectAndScatterMin, nil, func(g compute.Function, in []value) (value, error) {
		return g.SelectAndScatterMin(in[0], in[1], window, strides, paddings)
	}, x, source)
}

func (f *function) OptimizationBarrier(operands ...value) ([]value, error) {
	return f.several(compute.OpTypeOptimizationBarrier, func(g compute.Function, in []value, _ []compute.Function) ([]value, error) {
		return g.OptimizationBarrier(in...)
	}, nil, operands...)
}

func (f *function) SchedulingBarrier(x value, dependencies ...value) (value, error) {
	return f.one(compute.OpTypeSchedulingBarrier, nil, func(g compute.Function, in []value) (value, error) {
		return g.SchedulingBarrier(in[0], in[1:]...)
	}, append([]value{x}, dependencies...)...)
}

func (f *function) AllReduce(operands []value, kind compute.ReduceOpType, groups [][]int) ([]value, error) {
	return f.several(compute.OpTypeAllReduce, func(g compute.Function, in []value, _ []compute.Function) ([]value, error) {
		return g.AllReduce(in, kind, groups)
	}, nil, operands...)
}

func (f *function) Call(target compute.Function, inputs ...value) ([]value, error) {
	return f.withClosures(compute.OpTypeCall, func(g compute.Function, in []value, fns []compute.Function) ([]value, error) {
		return g.Call(fns[0], in...)
	}, []compute.Function{target}, inputs)
}

func (f *function) Sort(comparator compute.Function, axis int, stable bool, inputs ...value) ([]value, error) {
	return f.withClosures(compute.OpTypeSort, func(g compute.Function, in []value, fns []compute.Function) ([]value, error) {
		return g.Sort(fns[0], axis, stable, in...)
	}, []compute.Function{comparator}, inputs)
}

func (f *function) While(cond, body compute.Function, state ...value) ([]value, error) {
	return f.withClosures(compute.OpTypeWhile, func(g compute.Function, in []value, fns []compute.Function) ([]value, error) {
		return g.While(fns[0], fns[1], in...)
	}, []compute.Function{cond, body}, state)
}

func (f *function) If(pred value, yes, no compute.Function) ([]value, error) {
	return f.withClosures(compute.OpTypeIf, func(g compute.Function, in []value, fns []compute.Function) ([]value, error) {
		return g.If(in[0], fns[0], fns[1])
	}, []compute.Function{yes, no}, []value{pred})
}

func (f *function) withClosures(op compute.OpType, b build, closures []compute.Function, inputs []value) ([]value, error) {
	own, err := f.own(closures...)
	if err != nil {
		return nil, err
	}
	return f.several(op, b, own, inputs...)
}
