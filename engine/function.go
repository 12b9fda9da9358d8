package engine

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
)

// function records the main function of a computation, one that it calls, or
// a closure.
type function struct {
	builder    *builder
	parent     *function // of a closure
	name       string
	shadow     compute.Function // nil once compiled
	parameters []*node
	outputs    []*node
	nodes      []*node // in the order of their making
	known      map[compute.Value]*node
}

var _ compute.Function = (*function)(nil)

func newFunction(b *builder, parent *function, shadow compute.Function) *function {
	return &function{builder: b, parent: parent, name: shadow.Name(), shadow: shadow, known: map[compute.Value]*node{}}
}

func (f *function) Name() string             { return f.name }
func (f *function) Builder() compute.Builder { return f.builder }

func (f *function) Parent() compute.Function {
	if f.parent == nil {
		return nil
	}
	return f.parent
}

func (f *function) Closure() (compute.Function, error) {
	if f.builder.compiled {
		return nil, errCompiled
	}
	shadow, err := f.shadow.Closure()
	if err != nil {
		return nil, err
	}
	return newFunction(f.builder, f, shadow), nil
}

func (f *function) Shape(v compute.Value) (shapes.Shape, error) { return f.builder.OpShape(v) }

func (f *function) Parameter(name string, shape shapes.Shape, sharding *compute.ShardingSpec) (value, error) {
	index, shape := len(f.parameters), shape.Clone()
	n, err := f.one(compute.OpTypeParameter, parameter{name, index}, func(g compute.Function, _ []value) (value, error) {
		return g.Parameter(name, shape, sharding)
	})
	if err == nil {
		f.parameters = append(f.parameters, n.(*node))
	}
	return n, err
}

func (f *function) Constant(flat any, dims ...int) (value, error) {
	dims = slices.Clone(dims)
	n, err := f.one(compute.OpTypeConstant, nil, func(g compute.Function, _ []value) (value, error) {
		return g.Constant(flat, dims...)
	})
	if err != nil {
		return nil, err
	}
	if c := n.(*node); c.attrs == nil {
		c.attrs = constant{cloneFlat(flat)}
		kept := c.attrs.(constant).flat // the caller may change its own
		c.build = buildOne(func(g compute.Function, _ []value) (value, error) { return g.Constant(kept, dims...) })
	}
	return n, nil
}

func (f *function) Return(outputs []value, shardings []*compute.ShardingSpec) error {
	if f.builder.compiled {
		return errCompiled
	}
	nodes, shadows, err := f.operands(outputs)
	if err != nil {
		return err
	}
	if err := f.shadow.Return(shadows, shardings); err != nil {
		return err
	}
	f.outputs = nodes
	return nil
}

// operands returns the nodes behind values, and their shadows.
func (f *function) operands(values []value) ([]*node, []value, error) {
	nodes, shadows := make([]*node, len(values)), make([]value, len(values))
	for i, v := range values {
		n, err := f.builder.node(v)
		if err != nil {
			return nil, nil, err
		}
		nodes[i], shadows[i] = n, n.shadow
	}
	return nodes, shadows, nil
}

// record adds an operation. One that the function has already is returned
// instead: the shadow tells.
func (f *function) record(op compute.OpType, attrs any, b build, closures []*function, inputs ...value) ([]*node, error) {
	if f.builder.compiled {
		return nil, errCompiled
	}
	nodes, shadows, err := f.operands(inputs)
	if err != nil {
		return nil, err
	}
	results, err := f.check(op, b, shadows, closures)
	if err != nil {
		return nil, err
	}
	if len(results) == 1 {
		if n := f.known[results[0]]; n != nil {
			return []*node{n}, nil
		}
	}
	n := f.add(&node{op: op, inputs: nodes, attrs: attrs, closures: closures, build: b})
	if len(results) == 1 {
		return []*node{n}, f.tie(n, results[0])
	}
	for i, v := range results {
		r := f.add(&node{op: opPick, inputs: []*node{n}, attrs: pick(i)})
		if err := f.tie(r, v); err != nil {
			return nil, err
		}
		n.results = append(n.results, r)
	}
	return n.results, nil
}

// check builds an operation in the shadow, which knows whether its operands fit.
// Where it panics at them, that is the error.
func (f *function) check(op compute.OpType, b build, shadows []value, closures []*function) (results []value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("engine: the operands of %s do not fit: %w", opName(op), asError(r))
		}
	}()
	return b(f.shadow, shadows, shadowsOf(closures))
}

func (f *function) add(n *node) *node {
	n.id, n.fn = f.builder.nodes, f
	f.builder.nodes++
	f.nodes = append(f.nodes, n)
	return n
}

// tie ties a node to its shadow, which knows its shape.
func (f *function) tie(n *node, shadow value) error {
	shape, err := f.shadow.Shape(shadow)
	if err != nil {
		return err
	}
	if !fitsMemory(shape) {
		return fmt.Errorf("engine: %s of %s is larger than any memory", opName(n.op), shape)
	}
	n.shape, n.shadow = shape, shadow
	f.known[shadow] = n
	f.builder.dynamic = f.builder.dynamic || shape.IsDynamic()
	return nil
}

// maxBytes is how large a value may be. No memory has more, and sums of so many
// bytes as there are values do not overflow.
const maxBytes = 1 << 47

// fitsMemory reports whether a value has a size that can be counted.
func fitsMemory(s shapes.Shape) bool {
	if !s.Ok() || s.IsDynamic() || slices.Contains(s.Dimensions, 0) {
		return true
	}
	left := maxBytes / max(1, s.DType.Size())
	for _, d := range s.Dimensions {
		left /= d
	}
	return left > 0
}

func shadowsOf(fs []*function) []compute.Function {
	all := make([]compute.Function, len(fs))
	for i, f := range fs {
		all[i] = f.shadow
	}
	return all
}

// captures returns what a closure, and those in it, take from the functions
// around it.
func (f *function) captures() []*node {
	inside := map[*function]bool{}
	var all []*node
	var visit func(c *function)
	visit = func(c *function) {
		inside[c] = true
		take := func(n *node) {
			if !inside[n.fn] && !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
		for _, n := range c.nodes {
			for _, x := range n.inputs {
				take(x)
			}
			for _, inner := range n.closures {
				if inner.parent != nil {
					visit(inner)
				}
			}
		}
		for _, n := range c.outputs {
			take(n)
		}
	}
	if f.parent != nil { // a named function captures nothing
		visit(f)
	}
	return all
}

// own returns the functions behind those that an operation takes.
func (f *function) own(all ...compute.Function) ([]*function, error) {
	own := make([]*function, len(all))
	for i, g := range all {
		c, ok := g.(*function)
		if !ok || c == nil || c.builder != f.builder {
			return nil, errors.New("engine: a function of another builder")
		}
		own[i] = c
	}
	return own, nil
}

// buildOne makes a build of an operation with one result and no closures.
func buildOne(b func(g compute.Function, in []value) (value, error)) build {
	return func(g compute.Function, in []value, _ []compute.Function) ([]value, error) {
		v, err := b(g, in)
		return []value{v}, err
	}
}

// one records an operation with one result.
func (f *function) one(op compute.OpType, attrs any, b func(g compute.Function, in []value) (value, error), inputs ...value) (value, error) {
	nodes, err := f.record(op, attrs, buildOne(b), nil, inputs...)
	if err != nil {
		return nil, err
	}
	return nodes[0], nil
}

// several records an operation with several results.
func (f *function) several(op compute.OpType, b build, closures []*function, inputs ...value) ([]value, error) {
	nodes, err := f.record(op, nil, b, closures, inputs...)
	if err != nil {
		return nil, err
	}
	values := make([]value, len(nodes))
	for i, n := range nodes {
		values[i] = n
	}
	return values, nil
}

func (f *function) unary(op compute.OpType, b func(compute.Function, value) (value, error), x value) (value, error) {
	return f.one(op, nil, func(g compute.Function, in []value) (value, error) { return b(g, in[0]) }, x)
}

func (f *function) binary(op compute.OpType, b func(compute.Function, value, value) (value, error), x, y value) (value, error) {
	return f.one(op, nil, func(g compute.Function, in []value) (value, error) { return b(g, in[0], in[1]) }, x, y)
}

func (f *function) reduce(op compute.OpType, b func(compute.Function, value, ...int) (value, error), x value, over []int) (value, error) {
	over = slices.Clone(over)
	n, err := f.builder.node(x)
	if err != nil {
		return nil, err
	}
	for i, axis := range over { // GoMLX does not check all of them
		if axis < 0 || axis >= n.shape.Rank() || slices.Contains(over[:i], axis) {
			return nil, fmt.Errorf("engine: %s over the axes %v of %s: they must be different ones that it has", opName(op), over, n.shape)
		}
	}
	return f.one(op, axes(over), func(g compute.Function, in []value) (value, error) { return b(g, in[0], over...) }, x)
}
