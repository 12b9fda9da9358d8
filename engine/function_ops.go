package engine

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// Operations with attributes that plans look at.

func (f *function) ArgMinMax(x value, axis int, dtype dtypes.DType, isMin bool) (value, error) {
	return f.one(compute.OpTypeArgMinMax, argMinMax{axis, isMin}, func(g compute.Function, in []value) (value, error) {
		return g.ArgMinMax(in[0], axis, dtype, isMin)
	}, x)
}

func (f *function) BroadcastInDim(x value, shape shapes.Shape, to []int) (value, error) {
	if !slices.IsSorted(to) {
		return nil, fmt.Errorf("engine: BroadcastInDim to the axes %v: they must increase, transpose the operand before", to)
	}
	shape, to = shape.Clone(), slices.Clone(to)
	return f.one(compute.OpTypeBroadcastInDim, broadcast{to}, func(g compute.Function, in []value) (value, error) {
		return g.BroadcastInDim(in[0], shape, to)
	}, x)
}

func (f *function) Clamp(low, x, high value) (value, error) {
	return f.one(compute.OpTypeClamp, nil, func(g compute.Function, in []value) (value, error) {
		return g.Clamp(in[0], in[1], in[2])
	}, low, x, high)
}

func (f *function) Concatenate(axis int, operands ...value) (value, error) {
	return f.one(compute.OpTypeConcatenate, concat{axis}, func(g compute.Function, in []value) (value, error) {
		return g.Concatenate(axis, in...)
	}, operands...)
}

func (f *function) ConvertDType(x value, dtype dtypes.DType) (value, error) {
	return f.one(compute.OpTypeConvertDType, nil, func(g compute.Function, in []value) (value, error) {
		return g.ConvertDType(in[0], dtype)
	}, x)
}

func (f *function) DotGeneral(lhs value, lhsContract, lhsBatch []int, rhs value, rhsContract, rhsBatch []int, config compute.DotGeneralConfig) (value, error) {
	d := dot{slices.Clone(lhsContract), slices.Clone(lhsBatch), slices.Clone(rhsContract), slices.Clone(rhsBatch), config}
	return f.one(compute.OpTypeDotGeneral, d, func(g compute.Function, in []value) (value, error) {
		return g.DotGeneral(in[0], d.lhsContract, d.lhsBatch, in[1], d.rhsContract, d.rhsBatch, config)
	}, lhs, rhs)
}

func (f *function) FusedSoftmax(x value, axis int) (value, error) {
	return f.one(compute.OpTypeFusedSoftmax, softmax{axis}, func(g compute.Function, in []value) (value, error) {
		return g.FusedSoftmax(in[0], axis)
	}, x)
}

func (f *function) Gather(x, indices value, indexVectorAxis int, offsetOutputAxes, collapsedSliceAxes, startIndexMap, sliceSizes []int, sorted bool) (value, error) {
	a := gather{indexVectorAxis, slices.Clone(offsetOutputAxes), slices.Clone(collapsedSliceAxes), slices.Clone(startIndexMap), slices.Clone(sliceSizes)}
	return f.one(compute.OpTypeGather, a, func(g compute.Function, in []value) (value, error) {
		return g.Gather(in[0], in[1], a.indexVectorAxis, a.offsetOutputAxes, a.collapsedSliceAxes, a.startIndexMap, a.sliceSizes, sorted)
	}, x, indices)
}

func (f *function) Iota(shape shapes.Shape, axis int) (value, error) {
	shape = shape.Clone()
	return f.one(compute.OpTypeIota, counted{axis}, func(g compute.Function, _ []value) (value, error) { return g.Iota(shape, axis) })
}

func (f *function) Pad(x, fill value, config ...compute.PadAxis) (value, error) {
	config = slices.Clone(config)
	return f.one(compute.OpTypePad, pad(config), func(g compute.Function, in []value) (value, error) {
		return g.Pad(in[0], in[1], config...)
	}, x, fill)
}

func (f *function) Reshape(x value, dims ...int) (value, error) {
	dims = slices.Clone(dims)
	return f.one(compute.OpTypeReshape, nil, func(g compute.Function, in []value) (value, error) { return g.Reshape(in[0], dims...) }, x)
}

func (f *function) RNGBitGenerator(state value, shape shapes.Shape) (after, bits value, err error) {
	shape = shape.Clone()
	both, err := f.several(compute.OpTypeRNGBitGenerator, func(g compute.Function, in []value, _ []compute.Function) ([]value, error) {
		after, bits, err := g.RNGBitGenerator(in[0], shape)
		return []value{after, bits}, err
	}, nil, state)
	if err != nil {
		return nil, nil, err
	}
	return both[0], both[1], nil
}

type scatterOp = func(f compute.Function, x, indices, updates value, indexVectorAxis int, updateWindowAxes, insertedWindowAxes, scatterAxesToOperandAxes []int, sorted, unique bool) (value, error)

func (f *function) scatter(op compute.OpType, b scatterOp, x, indices, updates value, a scatter, sorted, unique bool) (value, error) {
	a = scatter{a.indexVectorAxis, slices.Clone(a.updateWindowAxes), slices.Clone(a.insertedWindowAxes), slices.Clone(a.scatterAxesToOperandAxes)}
	return f.one(op, a, func(g compute.Function, in []value) (value, error) {
		return b(g, in[0], in[1], in[2], a.indexVectorAxis, a.updateWindowAxes, a.insertedWindowAxes, a.scatterAxesToOperandAxes, sorted, unique)
	}, x, indices, updates)
}

func (f *function) ScatterMax(x, indices, updates value, indexVectorAxis int, window, inserted, toOperand []int, sorted, unique bool) (value, error) {
	return f.scatter(compute.OpTypeScatterMax, compute.Function.ScatterMax, x, indices, updates, scatter{indexVectorAxis, window, inserted, toOperand}, sorted, unique)
}

func (f *function) ScatterMin(x, indices, updates value, indexVectorAxis int, window, inserted, toOperand []int, sorted, unique bool) (value, error) {
	return f.scatter(compute.OpTypeScatterMin, compute.Function.ScatterMin, x, indices, updates, scatter{indexVectorAxis, window, inserted, toOperand}, sorted, unique)
}

func (f *function) ScatterSum(x, indices, updates value, indexVectorAxis int, window, inserted, toOperand []int, sorted, unique bool) (value, error) {
	return f.scatter(compute.OpTypeScatterSum, compute.Function.ScatterSum, x, indices, updates, scatter{indexVectorAxis, window, inserted, toOperand}, sorted, unique)
}

func (f *function) Slice(x value, starts, limits, strides []int) (value, error) {
	s := slice{slices.Clone(starts), slices.Clone(limits), slices.Clone(strides)}
	return f.one(compute.OpTypeSlice, s, func(g compute.Function, in []value) (value, error) {
		return g.Slice(in[0], s.starts, s.limits, s.strides)
	}, x)
}

func (f *function) Transpose(x value, permutation ...int) (value, error) {
	permutation = slices.Clone(permutation)
	return f.one(compute.OpTypeTranspose, axes(permutation), func(g compute.Function, in []value) (value, error) {
		return g.Transpose(in[0], permutation...)
	}, x)
}

func (f *function) Where(condition, x, y value) (value, error) {
	return f.one(compute.OpTypeWhere, nil, func(g compute.Function, in []value) (value, error) {
		return g.Where(in[0], in[1], in[2])
	}, condition, x, y)
}
