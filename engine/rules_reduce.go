package engine

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// softmaxRule takes a softmax along the last axis to its parts: the loop that
// they are fused to does all of them row by row, and what gradients need of
// them with it.
func (g *graph) softmaxRule(n *node) *node {
	x, axis := n.inputs[0], n.attrs.(softmax).axis
	if axis < 0 {
		axis += n.shape.Rank()
	}
	if !isFloat(n) || axis != n.shape.Rank()-1 || n.shape.Size() == 0 {
		return n
	}
	col := slices.Clone(n.shape.Dimensions)
	col[axis] = 1
	reduce := func(op compute.OpType, x *node) *node {
		return g.reshape(g.make(op, axes{axis}, shapes.Make(dtypes.Float32, col[:axis]...), x), col...)
	}
	e := g.make(compute.OpTypeExp, nil, n.shape, g.make(compute.OpTypeSub, nil, n.shape, x, reduce(compute.OpTypeReduceMax, x)))
	return g.make(compute.OpTypeDiv, nil, n.shape, e, reduce(compute.OpTypeReduceSum, e))
}

// reduceRule brings reductions to one range of axes: trailing ones, leading
// ones, or some in the middle.
func (g *graph) reduceRule(n *node) *node {
	x, over := n.inputs[0], slices.Clone(n.attrs.(axes))
	if !isFloat(n) || n.shape.Size() == 0 || x.shape.Size() == 0 {
		return n
	}
	if len(over) == 0 {
		for i := range x.shape.Rank() {
			over = append(over, i)
		}
	}
	slices.Sort(over)
	over = slices.DeleteFunc(over, func(axis int) bool { return x.shape.Dimensions[axis] == 1 })
	if len(over) == 0 {
		return g.reshape(x, n.shape.Dimensions...)
	}
	// Axes of size 1 between those reduced count as reduced.
	first, last := over[0], over[len(over)-1]
	split := -1
	for axis := first; axis <= last; axis++ {
		if !slices.Contains(over, axis) && x.shape.Dimensions[axis] > 1 {
			split = axis
		}
	}
	if split < 0 {
		dims := x.shape.Dimensions
		three := []int{product(dims[:first]), product(dims[first : last+1]), product(dims[last+1:])}
		if slices.Equal(dims, three) && slices.Equal(n.attrs.(axes), axes{1}) {
			return n
		}
		r := g.make(n.op, axes{1}, shapes.Make(dtypes.Float32, three[0], three[2]), g.reshape(x, three...))
		return g.reshape(r, n.shape.Dimensions...)
	}
	// The trailing ones first: they leave less to do.
	var trailing, dims []int
	for i, d := range x.shape.Dimensions {
		if i > split && slices.Contains(over, i) {
			trailing = append(trailing, i)
		} else {
			dims = append(dims, d)
		}
	}
	leading := slices.DeleteFunc(slices.Clone(over), func(axis int) bool { return axis > split })
	r := g.make(n.op, axes(trailing), shapes.Make(dtypes.Float32, dims...), x)
	return g.reshape(g.make(n.op, axes(leading), g.without(r.shape, leading), r), n.shape.Dimensions...)
}

func (g *graph) without(s shapes.Shape, over []int) shapes.Shape {
	var dims []int
	for i, d := range s.Dimensions {
		if !slices.Contains(over, i) {
			dims = append(dims, d)
		}
	}
	return shapes.Make(s.DType, dims...)
}
