package engine

import (
	"slices"

	"github.com/gomlx/compute/dtypes"
)

// gatherRule finds gathers of whole rows.
func (g *graph) gatherRule(n *node) *node {
	x, index, a := n.inputs[0], n.inputs[1], n.attrs.(gather)
	rank := x.shape.Rank()
	if rank == 0 || x.shape.Size() == 0 || x.shape.DType.IsPacked() || !isIndex(index) ||
		!slices.Equal(a.collapsedSliceAxes, []int{0}) || !slices.Equal(a.startIndexMap, []int{0}) ||
		!slices.Equal(a.sliceSizes[1:], x.shape.Dimensions[1:]) ||
		!oneNumber(index, a.indexVectorAxis) || !areLast(a.offsetOutputAxes, n.shape.Rank()) {
		return n
	}
	return g.make(opTakeRows, byIndex{}, n.shape, x, g.reshape(index, index.shape.Size()))
}

// scatterRule finds sums of whole rows.
func (g *graph) scatterRule(n *node) *node {
	x, index, updates, a := n.inputs[0], n.inputs[1], n.inputs[2], n.attrs.(scatter)
	if x.shape.Rank() == 0 || !isFloat(n) || updates.shape.Size() == 0 || !isIndex(index) ||
		!slices.Equal(a.insertedWindowAxes, []int{0}) || !slices.Equal(a.scatterAxesToOperandAxes, []int{0}) ||
		!oneNumber(index, a.indexVectorAxis) || !areLast(a.updateWindowAxes, updates.shape.Rank()) ||
		len(a.updateWindowAxes) != x.shape.Rank()-1 ||
		updates.shape.Size() != index.shape.Size()*product(x.shape.Dimensions[1:]) || // GoMLX does not check it
		!slices.Equal(updates.shape.Dimensions[updates.shape.Rank()-len(a.updateWindowAxes):], x.shape.Dimensions[1:]) {
		return n
	}
	return g.make(opAddRows, byIndex{}, n.shape, x, g.reshape(index, index.shape.Size()), updates)
}

func isIndex(n *node) bool {
	return n.shape.DType == dtypes.Int32 || n.shape.DType == dtypes.Int64
}

// oneNumber reports whether the vectors of indices have one element.
func oneNumber(index *node, axis int) bool {
	return axis == index.shape.Rank() || index.shape.Dimensions[axis] == 1
}

// areLast reports whether axes are the last ones of a shape of that rank.
func areLast(axes []int, rank int) bool {
	for i, axis := range axes {
		if axis != rank-len(axes)+i {
			return false
		}
	}
	return true
}
