package engine

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
)

// class is who computes a node.
type class int

const (
	leaf       class = iota // a parameter or a constant
	viewOf                  // nobody: it is another way to look at its operand
	fused                   // a loop, with others
	multiplied              // package gemm
	byRows                  // a kernel on rows: take, add, sum in the middle
	joined                  // its operands, which are written side by side
	drawn                   // random bits
	turned                  // a copy of a transposed value
	delegated               // GoMLX's Go backend
)

// classOf returns who computes a node.
func classOf(n *node) class {
	switch n.op {
	case compute.OpTypeParameter, compute.OpTypeConstant:
		return leaf
	case compute.OpTypeReshape, compute.OpTypeTranspose, compute.OpTypeSlice, compute.OpTypeBroadcastInDim:
		if !n.shape.DType.IsPacked() {
			return viewOf
		}
		return delegated
	case opPick:
		return classOf(n.inputs[0])
	}
	if empty(n) {
		return delegated
	}
	switch n.op {
	case opCopy:
		if isTurned(n.inputs[0]) {
			return turned
		}
		return fused
	case opMatMul:
		return multiplied
	case opTakeRows, opAddRows:
		return byRows
	case opOneHot:
		return fused
	case compute.OpTypeConcatenate:
		if !n.shape.DType.IsPacked() {
			return joined
		}
	case compute.OpTypeReduceSum, compute.OpTypeReduceMax, compute.OpTypeReduceMin:
		if !isFloat(n) {
			return delegated
		}
		if isMiddle(n) {
			return byRows
		}
		return fused
	case compute.OpTypeArgMinMax:
		if x := n.inputs[0]; isFloat(x) && lastAxis(n.attrs.(argMinMax).axis, x) && n.shape.DType == dtypes.Int32 {
			return fused
		}
	case compute.OpTypeRNGBitGenerator:
		return drawn
	default:
		if kernelOf(n) != nil {
			return fused
		}
	}
	return delegated
}

func lastAxis(axis int, x *node) bool { return axis == x.shape.Rank()-1 || axis == -1 }

// empty reports whether a node or one of its operands has no elements.
func empty(n *node) bool {
	if n.shape.Ok() && n.shape.Size() == 0 {
		return true
	}
	return slices.ContainsFunc(n.inputs, func(x *node) bool { return x.shape.Ok() && x.shape.Size() == 0 })
}

// isMiddle reports whether a reduction [A, R, C] leaves axes on both sides.
func isMiddle(n *node) bool {
	d := n.inputs[0].shape.Dimensions
	return d[0] > 1 && d[2] > 1
}
