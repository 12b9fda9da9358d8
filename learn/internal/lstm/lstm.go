// Package lstm unrolls an LSTM in a graph, with a gradient of its own. The
// language model's layers and the LSTM composition of codes are made of it.
package lstm

import (
	"slices"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// layer is an LSTM in a graph, unrolled over T steps of B rows. Gates are in the
// order forget, input, output, candidate: each is a block of w columns.
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
type layer struct {
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

// Width returns w, the width in which an LSTM of width d is computed.
func Width(d int) int { return roundUp(d, widthMultiple) }

// Unroll builds an LSTM from the state h and c [B, w] on. What its inputs add to
// the gates is given as [T·B, 4w], and the recurrent weights as [w, 4w]; see
// [WidenGates]. It returns the outputs [T·B, w] and the state after them, through
// which no gradient flows.
func Unroll(inputs, recurrent, h, c *Node) (y, hAfter, cAfter *Node) {
	l := &layer{inputs: inputs, recurrent: recurrent, rows: h.Shape().Dimensions[0], width: h.Shape().Dimensions[1]}
	y = withGradient(l.run(h, c), l.gradients, inputs, recurrent, h, c)
	last := l.steps[len(l.steps)-1]
	return y, StopGradient(last.h), StopGradient(last.c)
}

// run builds the steps from h and c [B, w] on, and returns their outputs
// [T·B, w].
func (l *layer) run(h, c *Node) *Node {
	outputs := make([]*Node, l.inputs.Shape().Dimensions[0]/l.rows)
	for t := range outputs {
		l.step(h, c)
		h, c = l.steps[t].h, l.steps[t].c
		outputs[t] = h
	}
	return Concatenate(outputs, 0)
}

// step adds a step that goes on from h and c.
func (l *layer) step(h, c *Node) {
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
func (l *layer) row(t int) SliceAxisSpec { return AxisRange(t*l.rows, (t+1)*l.rows) }

// gradients returns the gradients of inputs, recurrent, and of h and c before the
// first step, given that of the outputs, dy [T·B, w].
func (l *layer) gradients(dy *Node) []*Node {
	n, w := len(l.steps), l.width
	recurrent := OptimizationBarrier(Widen(l.recurrent, 1, roundUp(5*w, gradientMultiple))) // [w, v]
	before := make([]*Node, n)                                                              // h before each step
	back := make([]*Node, n)                                                                // [B, v]: see [cell.gradients]
	through := func(back *Node) (dh, dc *Node) {
		return Einsum("bv,wv->bw", back, recurrent), Slice(back, AxisRange(), AxisRange(4*w, 5*w))
	}
	for t := n - 1; t >= 0; t-- {
		dh, dc := Slice(dy, l.row(t)), (*Node)(nil)
		if t < n-1 {
			h, c := through(back[t+1])
			dh, dc = Add(dh, h), c
		}
		back[t] = l.steps[t].gradients(dh, dc)
		before[t] = l.steps[t].hBefore
	}
	gates := OptimizationBarrier(FirstColumns(Concatenate(back, 0), 4*w)) // [T·B, 4w]
	dh, dc := through(back[0])
	return []*Node{gates, Einsum("nw,ng->wg", Concatenate(before, 0), gates), dh, dc}
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
	return OptimizationBarrier(Widen(back, 1, roundUp(back.Shape().Dimensions[1], gradientMultiple)))
}

// sigmoidSlope and tanhSlope are the slopes of the functions where their value
// is y.
func sigmoidSlope(y *Node) *Node { return Mul(y, OneMinus(y)) }
func tanhSlope(y *Node) *Node    { return OneMinus(Square(y)) }

// WidenGates returns weights [k, 4d] as [rows, 4w], each gate's columns
// followed by zeros.
func WidenGates(x *Node, rows, w int) *Node {
	k, d := x.Shape().Dimensions[0], x.Shape().Dimensions[1]/4
	if rows == k && w == d {
		return x
	}
	x = Widen(Widen(Reshape(x, k, 4, d), 0, rows), 2, w)
	return OptimizationBarrier(Reshape(x, rows, 4*w))
}

// Widen returns x with zeros after it, so that the axis has that length.
// (GoMLX's Pad has no gradient.)
func Widen(x *Node, axis, length int) *Node {
	dims := slices.Clone(x.Shape().Dimensions)
	if dims[axis] == length {
		return x
	}
	dims[axis] = length - dims[axis]
	return Concatenate([]*Node{x, Zeros(x.Graph(), shapes.Make(x.DType(), dims...))}, axis)
}

// FirstColumns returns the first n columns of x.
func FirstColumns(x *Node, n int) *Node {
	if x.Shape().Dimensions[1] == n {
		return x
	}
	return Slice(x, AxisRange(), AxisRange(0, n))
}

// roundUp returns the next multiple of m, which n may be.
func roundUp(n, m int) int { return (n + m - 1) / m * m }
