package engine

import (
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
)

// graph is the main function of a computation while it is made simpler.
type graph struct {
	backend    *Backend
	parameters []*node
	outputs    []*node
	order      []*node       // what outputs need, operands first
	position   map[*node]int // in order
	instead    map[*node]*node
	turned     map[*node]*node // copies of transposed values
	known      map[string]*node
	fn         *function
	rank       int // of new nodes: that of the one they stand for
}

// simplify returns the graph of a function with common operations done away
// with or put in a form that kernels know.
func simplify(f *function) *graph {
	g := &graph{backend: f.builder.backend, parameters: f.parameters, fn: f,
		instead: map[*node]*node{}, turned: map[*node]*node{}, known: map[string]*node{}}
	all := reachable(f.outputs)
	for _, n := range all {
		for _, x := range n.inputs {
			x.users++
		}
	}
	for _, n := range all {
		g.rank = n.id
		n.rank = n.id
		if len(n.closures) == 0 {
			n.inputs = g.now(n.inputs)
		}
		g.instead[n] = g.simpler(n)
	}
	g.outputs = g.now(f.outputs)
	g.reorder()
	return g
}

// now returns what stands for nodes.
func (g *graph) now(nodes []*node) []*node {
	all := make([]*node, len(nodes))
	for i, n := range nodes {
		all[i] = g.of(n)
	}
	return all
}

// of returns what stands for a node.
func (g *graph) of(n *node) *node {
	for {
		m := g.instead[n]
		if m == nil || m == n {
			return n
		}
		n = m
	}
}

// reorder finds the nodes that are needed, operands first.
func (g *graph) reorder() {
	g.order = nil
	seen := map[*node]bool{}
	var visit func(n *node)
	visit = func(n *node) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, x := range g.operands(n) {
			visit(x)
		}
		g.order = append(g.order, n)
	}
	for _, n := range g.outputs {
		visit(n)
	}
	g.position = make(map[*node]int, len(g.order))
	for i, n := range g.order {
		g.position[n] = i
	}
}

// operands returns what a node reads, captures of its closures included.
func (g *graph) operands(n *node) []*node {
	if len(n.closures) == 0 {
		return n.inputs
	}
	return g.now(n.operands())
}

// users counts how often each node is read.
func (g *graph) users() map[*node][]*node {
	users := map[*node][]*node{}
	for _, n := range g.order {
		for _, x := range g.operands(n) {
			users[x] = append(users[x], n)
		}
	}
	return users
}

// make returns a node in its simplest form.
func (g *graph) make(op compute.OpType, attrs any, shape shapes.Shape, inputs ...*node) *node {
	n := &node{op: op, attrs: attrs, shape: shape, inputs: inputs, fn: g.fn, rank: g.rank}
	n.id = g.fn.builder.nodes
	g.fn.builder.nodes++
	n.build = rebuild(n)
	return g.simpler(n)
}

func (g *graph) reshape(x *node, dims ...int) *node {
	return g.make(compute.OpTypeReshape, nil, shapes.Make(x.shape.DType, dims...), x)
}

// simpler applies rules until none does, and finds the node if there is an
// equal one.
func (g *graph) simpler(n *node) *node {
	if m := g.rule(n); m != n {
		return m
	}
	if key, ok := commonKey(n); ok {
		if m := g.known[key]; m != nil {
			return m
		}
		g.known[key] = n
	}
	return n
}

// commonKey identifies what a node computes. Of nodes whose attributes are
// hidden in how they are built nothing is known.
func commonKey(n *node) (string, bool) {
	if n.op == compute.OpTypeParameter || n.op == compute.OpTypeConstant {
		return "", false
	}
	if n.attrs == nil && !isElementwise(n.op) && n.op != compute.OpTypeReshape && n.op <= opCopy {
		return "", false
	}
	ids := make([]int, len(n.inputs))
	for i, x := range n.inputs {
		ids[i] = x.id
	}
	return fmt.Sprint(n.op, n.shape.DType, n.shape.Dimensions, ids, n.attrs), true
}
