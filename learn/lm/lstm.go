package lm

import (
	"slices"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/kdcode/kdcode/learn"
)

// lstm is a layer of the network in a graph, unrolled over T steps. Gates are
// in the order forget, input, output, candidate: each is a block of w columns.
//
// A step is a small product, so what counts is how many kernels it takes:
//
//   - Widths are rounded up, w for d and v for 5w, since XLA would otherwise
//     round up the operands of each product by a kernel of its own. The columns
//     added are zero, and stay so: their gates let nothing in.
//   - The gradient is written out. That of the recurrent weights is then one
//     product for all steps instead of T small ones, added up one by one.
//   - Barriers end a step. XLA would otherwise compute a state anew, from the
//     states before, wherever it is read.
type lstm struct {
	inputs    *Node // [T·B, 4w]: what the layer's inputs add to the gates
	recurrent *Node // [w, 4w]
	steps     []cell
	rows      int // B
	width     int // w
}

// cell is one step of a layer, all of [B, w].
type cell struct {
	forget, input, output, candidate *Node
	hBefore, cBefore                 *Node
	h, c                             *Node
}

const (
	widthMultiple    = 16 // of w
	gradientMultiple = 64 // of v
)

// lstm builds a layer over x [T·B, d or w], which starts from h and c [B, d].
// It returns its outputs [T·B, w] and the state after them, through which no
// gradient flows.
func (n *network) lstm(scope *model.Scope, x, h, c *Node, steps int) (y, hAfter, cAfter *Node) {
	g, d := x.Graph(), n.size.Dim
	w := roundUp(d, widthMultiple)
	weight := func(name string) *Node {
		return learn.Uniform(scope, name, n.size.InitScale, d, 4*d).NodeValue(g)
	}
	b := learn.Filled(scope, "bias", 0, 1, 4*d).NodeValue(g)
	l := &lstm{
		inputs:    Add(Dot(x, widenGates(weight("input"), x.Shape().Dimensions[1], w)).Product(), widenGates(b, 1, w)),
		recurrent: widenGates(weight("recurrent"), w, w),
		rows:      x.Shape().Dimensions[0] / steps,
		width:     w,
	}
	y = withGradient(l.run(widen(h, 1, w), widen(c, 1, w), steps), l.gradients, l.inputs, l.recurrent)
	last := l.steps[steps-1]
	return y, StopGradient(firstColumns(last.h, d)), StopGradient(firstColumns(last.c, d))
}

// run builds the steps from h and c [B, w] on, and returns their outputs
// [T·B, w].
func (l *lstm) run(h, c *Node, steps int) *Node {
	outputs := make([]*Node, steps)
	for t := range steps {
		l.step(h, c)
		h, c = l.steps[t].h, l.steps[t].c
		outputs[t] = h
	}
	return Concatenate(outputs, 0)
}

// step adds a step that goes on from h and c.
func (l *lstm) step(h, c *Node) {
	t, recurrent := len(l.steps), Dot(h, l.recurrent).Product()
	gate := func(i int) *Node { // adding slices keeps XLA from copying the inputs into the product's result
		columns := AxisRange(i*l.width, (i+1)*l.width)
		return Add(Slice(l.inputs, l.row(t), columns), Slice(recurrent, AxisRange(), columns))
	}
	s := cell{
		forget:    Sigmoid(gate(0)),
		input:     Sigmoid(gate(1)),
		output:    Sigmoid(gate(2)),
		candidate: Tanh(gate(3)),
		hBefore:   h,
		cBefore:   c,
	}
	c = Add(Mul(s.forget, c), Mul(s.input, s.candidate))
	state := OptimizationBarriers(Mul(s.output, Tanh(c)), c)
	s.h, s.c = state[0], state[1]
	l.steps = append(l.steps, s)
}

// row returns step t's rows of [T·B, …].
func (l *lstm) row(t int) SliceAxisSpec { return AxisRange(t*l.rows, (t+1)*l.rows) }

// gradients returns the gradients of inputs and recurrent, given that of the
// outputs, dy [T·B, w].
func (l *lstm) gradients(dy *Node) []*Node {
	n, w := len(l.steps), l.width
	recurrent := OptimizationBarrier(widen(l.recurrent, 1, roundUp(5*w, gradientMultiple))) // [w, v]
	before := make([]*Node, n)                                                              // h before each step
	back := make([]*Node, n)                                                                // [B, v]: see [cell.gradients]
	for t := n - 1; t >= 0; t-- {
		dh, dc := Slice(dy, l.row(t)), (*Node)(nil)
		if t < n-1 {
			dh = Add(dh, Einsum("bv,wv->bw", back[t+1], recurrent))
			dc = Slice(back[t+1], AxisRange(), AxisRange(4*w, 5*w))
		}
		back[t] = l.steps[t].gradients(dh, dc)
		before[t] = l.steps[t].hBefore
	}
	gates := OptimizationBarrier(firstColumns(Concatenate(back, 0), 4*w)) // [T·B, 4w]
	return []*Node{gates, Einsum("nw,ng->wg", Concatenate(before, 0), gates)}
}

// gradients returns the gradients of the gates before their functions and that
// of cBefore, side by side in one kernel, [B, v]. Those of h and c are given; c
// has none from the last step on.
func (s *cell) gradients(dh, dc *Node) *Node {
	tanhC := Tanh(s.c)
	through := Mul(Mul(dh, s.output), tanhSlope(tanhC))
	if dc != nil {
		through = Add(through, dc)
	}
	back := Concatenate([]*Node{
		Mul(Mul(through, s.cBefore), sigmoidSlope(s.forget)),
		Mul(Mul(through, s.candidate), sigmoidSlope(s.input)),
		Mul(Mul(dh, tanhC), sigmoidSlope(s.output)),
		Mul(Mul(through, s.input), tanhSlope(s.candidate)),
		Mul(through, s.forget),
	}, -1)
	return OptimizationBarrier(widen(back, 1, roundUp(back.Shape().Dimensions[1], gradientMultiple)))
}

// sigmoidSlope and tanhSlope are the slopes of the functions where their value
// is y.
func sigmoidSlope(y *Node) *Node { return Mul(y, OneMinus(y)) }
func tanhSlope(y *Node) *Node    { return OneMinus(Square(y)) }

// widenGates returns weights [k, 4d] as [rows, 4w], each gate's columns
// followed by zeros.
func widenGates(x *Node, rows, w int) *Node {
	k, d := x.Shape().Dimensions[0], x.Shape().Dimensions[1]/4
	if rows == k && w == d {
		return x
	}
	x = widen(widen(Reshape(x, k, 4, d), 0, rows), 2, w)
	return OptimizationBarrier(Reshape(x, rows, 4*w))
}

// widen returns x with zeros after it, so that the axis has that length.
// (GoMLX's Pad has no gradient.)
func widen(x *Node, axis, length int) *Node {
	dims := slices.Clone(x.Shape().Dimensions)
	if dims[axis] == length {
		return x
	}
	dims[axis] = length - dims[axis]
	return Concatenate([]*Node{x, Zeros(x.Graph(), shapes.Make(x.DType(), dims...))}, axis)
}

// firstColumns returns the first n columns of x.
func firstColumns(x *Node, n int) *Node {
	if x.Shape().Dimensions[1] == n {
		return x
	}
	return Slice(x, AxisRange(), AxisRange(0, n))
}

// roundUp returns the next multiple of m, which n may be.
func roundUp(n, m int) int { return (n + m - 1) / m * m }
