package engine

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
)

// maxFolded is up to how many elements constants are computed ahead. Larger
// ones would cost more memory than time.
const maxFolded = 1 << 14

// fold returns the constant that a node of constants is, computed by the Go
// backend. Of one value repeated, one is computed.
func (g *graph) fold(n *node) *node {
	if len(n.inputs) == 0 || n.build == nil || len(n.closures) > 0 || !n.shape.Ok() || n.shape.DType.IsPacked() {
		return n
	}
	inputs := make([]*node, len(n.inputs))
	scalars := isElementwise(n.op) && n.shape.Rank() > 0
	for i, x := range n.inputs {
		inputs[i] = x
		if isElementwise(n.op) {
			inputs[i] = repeated(x)
		}
		if inputs[i].op != compute.OpTypeConstant {
			return n
		}
		scalars = scalars && inputs[i].shape.Size() == 1
	}
	if scalars {
		for i, x := range inputs {
			inputs[i] = g.constant(x.attrs.(constant).flat, shapes.Make(x.shape.DType))
		}
	} else if n.op == compute.OpTypeBroadcastInDim || n.shape.Size() > maxFolded || !slices.Equal(inputs, n.inputs) {
		return n
	}
	flat, shape, err := g.backend.evaluate(n.build, inputs)
	if err != nil {
		return n // it fails when it is run, too: that is the place to say so
	}
	c := g.constant(flat, shape)
	switch {
	case !scalars:
		return c
	case n.shape.Size() == 1:
		return g.reshape(c, n.shape.Dimensions...)
	}
	return g.make(compute.OpTypeBroadcastInDim, broadcast{}, n.shape, c)
}

func (g *graph) constant(flat any, shape shapes.Shape) *node {
	return g.make(compute.OpTypeConstant, constant{flat}, shape)
}

// repeated returns the one value that a node repeats, or the node.
func repeated(n *node) *node {
	m := n
	for m.op == compute.OpTypeReshape || m.op == compute.OpTypeBroadcastInDim {
		m = m.inputs[0]
	}
	if m.op == compute.OpTypeConstant && m.shape.Size() == 1 {
		return m
	}
	return n
}

// evaluate computes an operation on constants.
func (b *Backend) evaluate(op build, constants []*node) (flat any, shape shapes.Shape, err error) {
	defer catch(&err)
	builder := b.portable.Builder("constant")
	f := builder.Main()
	in := make([]value, len(constants))
	for i, c := range constants {
		v, err := f.Constant(c.attrs.(constant).flat, c.shape.Dimensions...)
		if err != nil {
			return nil, shapes.Shape{}, err
		}
		in[i] = v
	}
	out, err := op(f, in, nil)
	if err != nil || len(out) != 1 {
		return nil, shapes.Shape{}, errNotFolded
	}
	if err := f.Return(out, nil); err != nil {
		return nil, shapes.Shape{}, err
	}
	exec, err := builder.Compile()
	if err != nil {
		return nil, shapes.Shape{}, err
	}
	results, err := exec.Execute(nil, nil, 0)
	if err != nil {
		return nil, shapes.Shape{}, err
	}
	if shape, err = results[0].Shape(); err != nil {
		return nil, shape, err
	}
	flat, err = results[0].Data()
	return cloneFlat(flat), shape, err
}

// rebuild returns how an operation that simplify made is built in the Go
// backend, or nil for those that have kernels of their own in any case.
func rebuild(n *node) build {
	dims := n.shape.Dimensions
	switch a := n.attrs.(type) {
	case constant:
		return buildOne(func(g compute.Function, _ []value) (value, error) { return g.Constant(a.flat, dims...) })
	case slice:
		return buildOne(func(g compute.Function, in []value) (value, error) {
			return g.Slice(in[0], a.starts, a.limits, a.strides)
		})
	case concat:
		return buildOne(func(g compute.Function, in []value) (value, error) { return g.Concatenate(a.axis, in...) })
	case broadcast:
		return buildOne(func(g compute.Function, in []value) (value, error) { return g.BroadcastInDim(in[0], n.shape, a.axes) })
	case axes:
		if n.op == compute.OpTypeTranspose {
			return buildOne(func(g compute.Function, in []value) (value, error) { return g.Transpose(in[0], a...) })
		}
	}
	if n.op == compute.OpTypeReshape {
		return buildOne(func(g compute.Function, in []value) (value, error) { return g.Reshape(in[0], dims...) })
	}
	return nil
}
