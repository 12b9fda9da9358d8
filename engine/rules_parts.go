package engine

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
)

// sliceRule drops slices of everything, and takes those of one operand of a
// concatenation to it, through transpositions.
func (g *graph) sliceRule(n *node) *node {
	x, s := n.inputs[0], n.attrs.(slice)
	if n.shape.Equal(x.shape) {
		return x
	}
	if x.op == compute.OpTypeTranspose {
		return g.sliceOfTranspose(n, x, s)
	}
	if x.op != compute.OpTypeConcatenate || slices.ContainsFunc(s.strides, func(d int) bool { return d > 1 }) {
		return n
	}
	axis, start := x.attrs.(concat).axis, 0
	for _, part := range x.inputs {
		size := part.shape.Dimensions[axis]
		if s.starts[axis] >= start && s.limits[axis] <= start+size {
			of := slice{slices.Clone(s.starts), slices.Clone(s.limits), nil}
			of.starts[axis] -= start
			of.limits[axis] -= start
			return g.make(compute.OpTypeSlice, of, n.shape, part)
		}
		start += size
	}
	return n
}

// sliceOfTranspose transposes the slice of what x transposes.
func (g *graph) sliceOfTranspose(n, x *node, s slice) *node {
	order, rank := x.attrs.(axes), n.shape.Rank()
	of := slice{make([]int, rank), make([]int, rank), make([]int, rank)}
	dims := make([]int, rank)
	for i, axis := range order {
		of.starts[axis], of.limits[axis], of.strides[axis], dims[axis] = s.starts[i], s.limits[i], 1, n.shape.Dimensions[i]
		if i < len(s.strides) {
			of.strides[axis] = s.strides[i]
		}
	}
	part := g.make(compute.OpTypeSlice, of, shapes.Make(n.shape.DType, dims...), x.inputs[0])
	return g.make(compute.OpTypeTranspose, order, n.shape, part)
}

// padRule makes concatenations of paddings at the ends.
func (g *graph) padRule(n *node) *node {
	x, fill := n.inputs[0], n.inputs[1]
	if x.shape.DType.IsPacked() || slices.ContainsFunc(n.attrs.(pad), func(a compute.PadAxis) bool {
		return a.Interior != 0 || a.Start < 0 || a.End < 0
	}) {
		return n
	}
	for axis, a := range n.attrs.(pad) {
		filled := func(size int) *node {
			dims := slices.Clone(x.shape.Dimensions)
			dims[axis] = size
			return g.make(compute.OpTypeBroadcastInDim, broadcast{}, shapes.Make(x.shape.DType, dims...), fill)
		}
		if a.Start+a.End > 0 {
			dims := slices.Clone(x.shape.Dimensions)
			dims[axis] += a.Start + a.End
			x = g.make(compute.OpTypeConcatenate, concat{axis}, shapes.Make(x.shape.DType, dims...), filled(a.Start), x, filled(a.End))
		}
	}
	return x
}

func (g *graph) concatRule(n *node) *node {
	axis := n.attrs.(concat).axis
	var inputs []*node
	for _, x := range n.inputs {
		if x.shape.Dimensions[axis] > 0 {
			inputs = append(inputs, x)
		}
	}
	switch {
	case len(inputs) == 1:
		return inputs[0]
	case len(inputs) < len(n.inputs) && len(inputs) > 0:
		return g.make(compute.OpTypeConcatenate, n.attrs, n.shape, inputs...)
	}
	return n
}
