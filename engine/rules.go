package engine

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// rule returns what may stand for a node, or the node itself.
func (g *graph) rule(n *node) *node {
	if m := g.fold(n); m != n {
		return m
	}
	if n.op != compute.OpTypeParameter && n.op != compute.OpTypeConstant && n.shape.Ok() && n.shape.Size() == 0 {
		return g.constant(dtypes.MakeAnySlice(n.shape.DType, 0), n.shape)
	}
	switch n.op {
	case compute.OpTypeIdentity, compute.OpTypeSchedulingBarrier:
		return n.inputs[0]
	case opPick:
		if from := n.inputs[0]; from.op == compute.OpTypeOptimizationBarrier {
			return g.of(from.inputs[n.attrs.(pick)])
		}
	case compute.OpTypeOptimizationBarrier:
		if len(n.inputs) == 1 {
			return n.inputs[0]
		}
	case compute.OpTypeReshape:
		return g.reshapeRule(n)
	case compute.OpTypeTranspose:
		return g.transposeRule(n)
	case compute.OpTypeBroadcastInDim:
		if n.shape.Size() == n.inputs[0].shape.Size() {
			return g.reshape(n.inputs[0], n.shape.Dimensions...)
		}
	case compute.OpTypeConvertDType:
		return g.convertRule(n)
	case compute.OpTypeSlice:
		return g.sliceRule(n)
	case compute.OpTypePad:
		return g.padRule(n)
	case compute.OpTypeConcatenate:
		return g.concatRule(n)
	case compute.OpTypeFusedSoftmax:
		return g.softmaxRule(n)
	case compute.OpTypeReduceSum, compute.OpTypeReduceMax, compute.OpTypeReduceMin:
		return g.reduceRule(n)
	case compute.OpTypeDotGeneral:
		return g.dotRule(n)
	case compute.OpTypeGather:
		return g.gatherRule(n)
	case compute.OpTypeScatterSum:
		return g.scatterRule(n)
	case compute.OpTypeIota:
		return g.iotaRule(n)
	case compute.OpTypeAdd, compute.OpTypeSub, compute.OpTypeMul, compute.OpTypeDiv:
		return g.neutralRule(n)
	}
	return n
}

func (g *graph) reshapeRule(n *node) *node {
	x := n.inputs[0]
	switch {
	case n.shape.Equal(x.shape):
		return x
	case x.op == compute.OpTypeReshape:
		return g.reshape(x.inputs[0], n.shape.Dimensions...)
	}
	return n
}

// transposeRule drops transpositions of nothing, and takes those of products
// and of element-wise operations on smaller operands into their operands.
func (g *graph) transposeRule(n *node) *node {
	x, order := n.inputs[0], n.attrs.(axes)
	if keepsOrder(x.shape.Dimensions, order) {
		return g.reshape(x, n.shape.Dimensions...)
	}
	switch {
	case x.op == compute.OpTypeTranspose:
		inner := x.attrs.(axes)
		both := make(axes, len(order))
		for i, axis := range order {
			both[i] = inner[axis]
		}
		return g.make(compute.OpTypeTranspose, both, n.shape, x.inputs[0])
	case x.op == opMatMul && isSwap(order) && x.users < 2:
		swap := func(y *node) *node {
			return g.make(compute.OpTypeTranspose, order, shapes.Make(y.shape.DType, y.shape.Dimensions[1], y.shape.Dimensions[0]), y)
		}
		return g.matMul(swap(x.inputs[1]), swap(x.inputs[0]), n.shape.Dimensions, n.users)
	case isElementwise(x.op) && isFloat(x) && allSmaller(x):
		inputs := make([]*node, len(x.inputs))
		for i, y := range x.inputs {
			inputs[i] = y
			if y.shape.Rank() > 0 {
				dims := make([]int, len(order))
				for j, axis := range order {
					dims[j] = y.shape.Dimensions[axis]
				}
				inputs[i] = g.make(compute.OpTypeTranspose, order, shapes.Make(y.shape.DType, dims...), y)
			}
		}
		return g.make(x.op, x.attrs, n.shape, inputs...)
	}
	return n
}

// keepsOrder reports whether a transposition moves axes of size 1 alone.
func keepsOrder(dims []int, order axes) bool {
	last := -1
	for _, axis := range order {
		if dims[axis] == 1 {
			continue
		}
		if axis < last {
			return false
		}
		last = axis
	}
	return true
}

func isSwap(order axes) bool { return len(order) == 2 && order[0] == 1 }

func isFloat(n *node) bool { return n.shape.DType == dtypes.Float32 }

func allSmaller(n *node) bool {
	for _, x := range n.inputs {
		if !isFloat(x) || x.shape.Size() >= n.shape.Size() {
			return false
		}
	}
	return true
}

// convertRule drops conversions to the same type, and finds one-hot vectors:
// whether an index is equal to 0, 1, … of the last axis.
func (g *graph) convertRule(n *node) *node {
	x := n.inputs[0]
	if x.shape.DType == n.shape.DType {
		return x
	}
	if x.op != compute.OpTypeEqual || !isFloat(n) {
		return n
	}
	for i, count := range x.inputs {
		index := x.inputs[1-i]
		depth := n.shape.Dimensions[max(0, n.shape.Rank()-1):]
		if len(depth) == 1 && isCount(count, depth[0]) && index.shape.DType == dtypes.Int32 &&
			index.shape.Rank() == n.shape.Rank() && index.shape.Dimensions[n.shape.Rank()-1] == 1 && index.shape.Size() == n.shape.Size()/depth[0] && depth[0] > 1 {
			return g.make(opOneHot, oneHot{depth[0]}, n.shape, index)
		}
	}
	return n
}

// isCount reports whether a node is 0, 1, … n-1 along the last axis and
// repeated along the others.
func isCount(n *node, size int) bool {
	for n.op == compute.OpTypeReshape || n.op == compute.OpTypeBroadcastInDim {
		if last := n.shape.Rank() - 1; last < 0 || n.shape.Dimensions[last] != size {
			return false
		}
		x := n.inputs[0]
		if b, ok := n.attrs.(broadcast); ok { // its last axis must be the operand's, and not be what is repeated
			if last := len(b.axes) - 1; last < 0 || b.axes[last] != n.shape.Rank()-1 || x.shape.Dimensions[last] != size {
				return false
			}
		}
		n = x
	}
	c, ok := n.attrs.(constant)
	if !ok || n.shape.Size() != size {
		return false
	}
	values, ok := c.flat.([]int32)
	for i, v := range values {
		if int(v) != i {
			return false
		}
	}
	return ok
}

// iotaRule makes a constant of the counted axis alone.
func (g *graph) iotaRule(n *node) *node {
	axis := n.attrs.(counted).axis
	size := n.shape.Dimensions[axis]
	var flat any
	switch n.shape.DType {
	case dtypes.Int32:
		flat = count[int32](size)
	case dtypes.Int64:
		flat = count[int64](size)
	case dtypes.Float32:
		flat = count[float32](size)
	default:
		return n
	}
	c := g.make(compute.OpTypeConstant, constant{flat}, shapes.Make(n.shape.DType, size))
	return g.make(compute.OpTypeBroadcastInDim, broadcast{[]int{axis}}, n.shape, c)
}

func count[T int32 | int64 | float32](n int) []T {
	c := make([]T, n)
	for i := range c {
		c[i] = T(i)
	}
	return c
}

// neutralRule drops additions of 0 and multiplications by 1.
func (g *graph) neutralRule(n *node) *node {
	if !isFloat(n) {
		return n
	}
	neutral := float32(0)
	if n.op == compute.OpTypeMul || n.op == compute.OpTypeDiv {
		neutral = 1
	}
	x, y := n.inputs[0], n.inputs[1]
	if v, ok := splat(y); ok && v == neutral && x.shape.Equal(n.shape) {
		return x
	}
	if n.op == compute.OpTypeAdd || n.op == compute.OpTypeMul {
		if v, ok := splat(x); ok && v == neutral && y.shape.Equal(n.shape) {
			return y
		}
	}
	return n
}

// splat returns the one value of a constant that is the same everywhere.
func splat(n *node) (float32, bool) {
	for n.op == compute.OpTypeReshape || n.op == compute.OpTypeBroadcastInDim {
		n = n.inputs[0]
	}
	c, ok := n.attrs.(constant)
	if !ok || n.shape.Size() != 1 {
		return 0, false
	}
	values, ok := c.flat.([]float32)
	if !ok {
		return 0, false
	}
	return values[0], true
}
