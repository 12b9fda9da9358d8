package engine

import (
	"slices"

	"github.com/gomlx/compute"
)

// prepare puts copies where values must lie in memory in a certain way, and
// decides which operands of concatenations are computed in their place.
func (g *graph) prepare() {
	g.prepareOutputs()
	g.replace(func(n *node) *node {
		switch {
		case n.op == compute.OpTypeReshape && classOf(n) == viewOf:
			if _, ok := layoutOf(n.inputs[0]).reshape(n.shape.Dimensions); !ok {
				return g.with(n, g.copyOf(n.inputs[0]))
			}
		case classOf(n) == byRows, n.op == compute.OpTypeRNGBitGenerator:
			inputs := slices.Clone(n.inputs)
			for i, x := range inputs {
				if !layoutOf(x).isContiguous() && !(n.op == opAddRows && i == 0) {
					inputs[i] = g.copyOf(x)
				}
			}
			return g.with(n, inputs...)
		case classOf(n) == fused && n.op != opCopy:
			inputs := slices.Clone(n.inputs)
			for i, x := range inputs {
				inputs[i] = g.straight(x)
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

// straight returns a transposed value as a copy that runs along its last axis,
// the same one for all that read it, and any other value as it is.
func (g *graph) straight(x *node) *node {
	if !isTurned(x) {
		return x
	}
	if g.turned[x] == nil {
		g.turned[x] = g.copyOf(x)
	}
	return g.turned[x]
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

// layoutOf returns how a node lies in the memory of its base, if that lies row by
// row.
func layoutOf(n *node) view {
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
