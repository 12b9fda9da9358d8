package engine

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
)

// Operations on shapes that are known only when a graph runs. A graph with
// any such shape is run by the Go backend as a whole.

func (f *function) DynamicDimensionSize(x value, axis int) (value, error) {
	return f.one(compute.OpTypeDynamicDimensionSize, nil, func(g compute.Function, in []value) (value, error) {
		return g.DynamicDimensionSize(in[0], axis)
	}, x)
}

func (f *function) DynamicReshape(x value, dims ...compute.DynamicDimensionSpec) (value, error) {
	inputs, with := splitDims(dims)
	return f.one(compute.OpTypeDynamicReshape, nil, func(g compute.Function, in []value) (value, error) {
		return g.DynamicReshape(in[0], with(in[1:])...)
	}, append([]value{x}, inputs...)...)
}

func (f *function) DynamicBroadcastInDim(x value, to []int, dims ...compute.DynamicDimensionSpec) (value, error) {
	to = slices.Clone(to)
	inputs, with := splitDims(dims)
	return f.one(compute.OpTypeDynamicBroadcastInDim, nil, func(g compute.Function, in []value) (value, error) {
		return g.DynamicBroadcastInDim(in[0], to, with(in[1:])...)
	}, append([]value{x}, inputs...)...)
}

func (f *function) DynamicIota(dtype dtypes.DType, axis int, dims ...compute.DynamicDimensionSpec) (value, error) {
	inputs, with := splitDims(dims)
	return f.one(compute.OpTypeDynamicIota, nil, func(g compute.Function, in []value) (value, error) {
		return g.DynamicIota(dtype, axis, with(in)...)
	}, inputs...)
}

// splitDims takes the values out of dimensions, and returns how others are put
// in their place.
func splitDims(dims []compute.DynamicDimensionSpec) ([]value, func([]value) []compute.DynamicDimensionSpec) {
	var inputs []value
	for _, d := range dims {
		if d.Value != nil {
			inputs = append(inputs, d.Value)
		}
	}
	return inputs, func(in []value) []compute.DynamicDimensionSpec {
		with := slices.Clone(dims)
		for i := range with {
			if with[i].Value != nil {
				with[i].Value, in = in[0], in[1:]
			}
		}
		return with
	}
}

func (f *function) DynamicPad(x, fill value, config ...compute.DynamicPadAxis) (value, error) {
	inputs := []value{x, fill}
	fields := func(a *compute.DynamicPadAxis) []*value {
		return []*value{&a.StartValue, &a.EndValue, &a.InteriorValue}
	}
	config = slices.Clone(config)
	for i := range config {
		for _, v := range fields(&config[i]) {
			if *v != nil {
				inputs = append(inputs, *v)
			}
		}
	}
	return f.one(compute.OpTypeDynamicPad, nil, func(g compute.Function, in []value) (value, error) {
		with, rest := slices.Clone(config), in[2:]
		for i := range with {
			for _, v := range fields(&with[i]) {
				if *v != nil {
					*v, rest = rest[0], rest[1:]
				}
			}
		}
		return g.DynamicPad(in[0], in[1], with...)
	}, inputs...)
}
