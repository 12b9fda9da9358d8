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

// prepare puts copies where values must lie in memory in a certain way, and
// decides which operands of concatenations are computed in their place.
func (g *graph) prepare() {
	g.prepareOutputs()
	g.replace(func(n *node) *node {
		switch {
		case n.op == compute.OpTypeReshape && classOf(n) == viewOf:
			if _, ok := g.layout(n.inputs[0]).reshape(n.shape.Dimensions); !ok {
				return g.with(n, g.copyOf(n.inputs[0]))
			}
		case classOf(n) == byRows:
			inputs := slices.Clone(n.inputs)
			for i, x := range inputs {
				if !g.layout(x).isContiguous() && !(n.op == opAddRows && i == 0) {
					inputs[i] = g.copyOf(x)
				}
			}
			return g.with(n, inputs...)
		}
		return n
	})
	g.placeOperands()
}

// prepareOutputs makes sure that every output has memory of its own.
func (g *graph) prepareOutputs() {
	seen := map[*node]bool{}
	for i, n := range g.outputs {
		c := classOf(n)
		if c == leaf || c == viewOf || seen[n] {
			g.outputs[i] = g.copyOf(n)
		}
		seen[g.outputs[i]] = true
	}
	g.reorder()
}

// replace applies a change to every node, operands first.
func (g *graph) replace(change func(n *node) *node) {
	for _, n := range g.order {
		if len(n.closures) == 0 {
			n.inputs = g.now(n.inputs)
		}
		if m := change(n); m != n {
			g.instead[n] = m
		}
	}
	g.outputs = g.now(g.outputs)
	g.reorder()
}

// copyOf returns a node with the value of x, whose memory is its own.
func (g *graph) copyOf(x *node) *node {
	if copyKernel(x.shape.DType) == nil || x.shape.Size() == 0 {
		identity := buildOne(func(f compute.Function, in []value) (value, error) { return f.Identity(in[0]) })
		return g.new(&node{op: compute.OpTypeIdentity, inputs: []*node{x}, shape: x.shape, build: identity, rank: x.rank})
	}
	return g.new(&node{op: opCopy, inputs: []*node{x}, shape: x.shape, rank: x.rank})
}

// with returns a node with other inputs.
func (g *graph) with(n *node, inputs ...*node) *node {
	if slices.Equal(n.inputs, inputs) {
		return n
	}
	m := *n
	m.inputs = inputs
	return g.new(&m)
}

func (g *graph) new(n *node) *node {
	n.fn = g.fn
	n.id = g.fn.builder.nodes
	g.fn.builder.nodes++
	return n
}

// layout returns how a node lies in the memory of its base, if that lies row by
// row.
func (g *graph) layout(n *node) view {
	return layoutOn(n, func(base *node) view { return contiguous(base.shape.Dimensions) })
}

// layoutOn returns how a node lies, given how bases do.
func layoutOn(n *node, of func(base *node) view) view {
	if classOf(n) != viewOf {
		return of(n)
	}
	v := layoutOn(n.inputs[0], of)
	switch n.op {
	case compute.OpTypeTranspose:
		return v.transpose(n.attrs.(axes))
	case compute.OpTypeSlice:
		return v.slice(n.attrs.(slice), n.shape.Dimensions)
	case compute.OpTypeBroadcastInDim:
		return v.broadcast(n.shape.Dimensions, n.attrs.(broadcast).axes)
	}
	v, ok := v.reshape(n.shape.Dimensions)
	if !ok {
		panic("engine: a reshape of a value that is not contiguous")
	}
	return v
}

// baseOf returns the node in whose memory a node lies.
func baseOf(n *node) *node {
	for classOf(n) == viewOf {
		n = n.inputs[0]
	}
	return n
}

// place is where an operand of a concatenation lies in it.
type place struct {
	in    *node
	start int // along the axis
}

// placeOperands gives every operand of a concatenation its place in the result.
// Those that cannot be computed there are copied.
func (g *graph) placeOperands() {
	users := g.users()
	isOutput := map[*node]bool{}
	for _, n := range g.outputs {
		isOutput[n] = true
	}
	for i := len(g.order) - 1; i >= 0; i-- {
		n := g.order[i]
		if classOf(n) != joined {
			continue
		}
		axis, start := n.attrs.(concat).axis, 0
		inputs := slices.Clone(n.inputs)
		for j, x := range inputs {
			if x.place != nil || isOutput[x] || !canBePlaced(x, users, product(n.shape.Dimensions[:axis]) == 1 && !g.strided(n)) {
				x = g.copyOf(x)
				inputs[j] = x
			}
			x.place = &place{n, start}
			start += x.shape.Dimensions[axis]
		}
		n.inputs = inputs
	}
	g.reorder()
}

// strided reports whether a node lies with gaps in the memory of another.
func (g *graph) strided(n *node) bool {
	for ; n.place != nil; n = n.place.in {
		if product(n.shape.Dimensions[:n.place.in.attrs.(concat).axis]) != 1 {
			return true
		}
	}
	return false
}

// canBePlaced reports whether a node can be written to the middle of another's
// memory, and be read there by all that use it. Whole is whether it has no gaps
// there.
func canBePlaced(x *node, users map[*node][]*node, whole bool) bool {
	switch c := classOf(x); {
	case c != fused && c != multiplied && c != joined:
		return false
	case c == multiplied && x.shape.Rank() != 2:
		return false
	}
	return canBeRead(x, users, whole)
}

func canBeRead(x *node, users map[*node][]*node, whole bool) bool {
	for _, u := range users[x] {
		switch classOf(u) {
		case fused, multiplied, joined:
		case viewOf:
			if u.op == compute.OpTypeReshape && !whole || !canBeRead(u, users, whole) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
