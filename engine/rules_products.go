package engine

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// dotRule brings products of float32 to the form of matrices, or of batches
// of matrices: [B, M, K]·[B, K, N].
func (g *graph) dotRule(n *node) *node {
	x, y, d := n.inputs[0], n.inputs[1], n.attrs.(dot)
	if !isFloat(n) || !isFloat(x) || !isFloat(y) {
		return n
	}
	if x.shape.Size() == 0 { // sums of nothing
		return g.zeros(n.shape)
	}
	batch := g.sizes(x, d.lhsBatch)
	lhs, rows := g.matrices(x, d.lhsBatch, d.lhsContract, false)
	rhs, cols := g.matrices(y, d.rhsBatch, d.rhsContract, true)
	depth := g.sizes(x, d.lhsContract)
	dims := []int{rows, cols}
	if batch > 1 {
		lhs, rhs = g.reshape(lhs, batch, rows, depth), g.reshape(rhs, batch, depth, cols)
		dims = []int{batch, rows, cols}
	} else {
		lhs, rhs = g.reshape(lhs, rows, depth), g.reshape(rhs, depth, cols)
	}
	m := g.matMul(lhs, rhs, dims, n.users)
	return g.reshape(m, n.shape.Dimensions...)
}

func (g *graph) sizes(x *node, of []int) int {
	size := 1
	for _, axis := range of {
		size *= x.shape.Dimensions[axis]
	}
	return size
}

// matrices returns an operand with its axes in the order batch, free, contract,
// or batch, contract, free for the right one, and the size of the free ones.
func (g *graph) matrices(x *node, batch, contract []int, right bool) (*node, int) {
	var free []int
	for axis := range x.shape.Rank() {
		if !slices.Contains(batch, axis) && !slices.Contains(contract, axis) {
			free = append(free, axis)
		}
	}
	order := slices.Concat(batch, free, contract)
	if right {
		order = slices.Concat(batch, contract, free)
	}
	dims := make([]int, len(order))
	for i, axis := range order {
		dims[i] = x.shape.Dimensions[axis]
	}
	return g.make(compute.OpTypeTranspose, axes(order), shapes.Make(dtypes.Float32, dims...), x), g.sizes(x, free)
}

// matMul returns a product of matrices. One-hot vectors take rows of the other
// matrix, or add to them.
func (g *graph) matMul(x, y *node, dims []int, users int) *node {
	shape := shapes.Make(dtypes.Float32, dims...)
	if hot := withoutReshape(x); len(dims) == 2 && hot.op == opOneHot && hot.attrs.(oneHot).depth == x.shape.Dimensions[1] && y.op != compute.OpTypeTranspose {
		return g.make(opTakeRows, byIndex{hot: true}, shape, y, g.reshape(hot.inputs[0], dims[0]))
	}
	if x.op == compute.OpTypeTranspose && len(dims) == 2 {
		if hot := withoutReshape(x.inputs[0]); hot.op == opOneHot && hot.attrs.(oneHot).depth == dims[0] {
			return g.make(opAddRows, byIndex{hot: true}, shape, g.zeros(shape), g.reshape(hot.inputs[0], x.shape.Dimensions[1]), y)
		}
	}
	x, y = g.dropZeros(x, y)
	m := g.make(opMatMul, nil, shape, x, y)
	m.users = max(m.users, users)
	return m
}

// dropZeros leaves out of a product what is zero in a matrix that was widened
// with zeros.
func (g *graph) dropZeros(x, y *node) (*node, *node) {
	if x.shape.Rank() != 2 {
		return x, y
	}
	from, to := nonZero(y, 0)
	if a, b := nonZero(x, 1); a > from || b < to {
		from, to = max(a, from), min(b, to)
	}
	if from >= to || to-from == y.shape.Dimensions[0] {
		return x, y
	}
	part := func(z *node, axis int) *node {
		s := slice{starts: []int{0, 0}, limits: slices.Clone(z.shape.Dimensions)}
		s.starts[axis], s.limits[axis] = from, to
		dims := slices.Clone(z.shape.Dimensions)
		dims[axis] = to - from
		return g.make(compute.OpTypeSlice, s, shapes.Make(dtypes.Float32, dims...), z)
	}
	return part(x, 1), part(y, 0)
}

// nonZero returns from where to where a matrix may be other than zero along an
// axis.
func nonZero(x *node, axis int) (from, to int) {
	from, to = 0, x.shape.Dimensions[axis]
	if x.op == compute.OpTypeTranspose {
		x, axis = x.inputs[0], 1-axis
	}
	c, ok := x.attrs.(concat)
	if !ok || c.axis != axis {
		return from, to
	}
	zero := func(part *node) bool { v, ok := splat(part); return ok && v == 0 }
	parts := x.inputs
	for ; len(parts) > 0 && zero(parts[0]); parts = parts[1:] {
		from += parts[0].shape.Dimensions[axis]
	}
	for ; len(parts) > 0 && zero(parts[len(parts)-1]); parts = parts[:len(parts)-1] {
		to -= parts[len(parts)-1].shape.Dimensions[axis]
	}
	return from, to
}

// zeros returns floats that take no memory.
func (g *graph) zeros(shape shapes.Shape) *node {
	zero := g.constant([]float32{0}, shapes.Make(dtypes.Float32))
	return g.make(compute.OpTypeBroadcastInDim, broadcast{}, shape, zero)
}

func withoutReshape(n *node) *node {
	for n.op == compute.OpTypeReshape {
		n = n.inputs[0]
	}
	return n
}
