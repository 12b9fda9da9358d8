package lm

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/kdcode/kdcode/learn"
)

// lstm is a layer of the network in a graph, unrolled over T steps. Gates are
// in the order forget, input, output, candidate: each is a column block of
// [B, 4d].
//
// Its gradient is written out rather than left to GoMLX: that of the recurrent
// weights is then one product for all steps instead of T small ones, added up
// one by one, and a step back is one product and one element-wise kernel.
type lstm struct {
	inputs    *Node // [T·B, 4d]: what the layer's inputs add to the gates
	recurrent *Node // [d, 4d]
	steps     []cell
	rows      int // B
	dim       int // d
}

// cell is one step of a layer, all of [B, d].
type cell struct {
	forget, input, output, candidate *Node
	hBefore, cBefore                 *Node
	h, c                             *Node
}

// lstm builds a layer over x [T·B, d], which starts from h and c [B, d]. It
// returns its outputs [T·B, d] and the state after them, through which no
// gradient flows.
func (n *network) lstm(scope *model.Scope, x, h, c *Node, steps int) (y, hAfter, cAfter *Node) {
	g, d := x.Graph(), n.size.Dim
	weight := func(name string) *Node {
		return learn.Uniform(scope, name, n.size.InitScale, d, 4*d).NodeValue(g)
	}
	b := learn.Filled(scope, "bias", 0, 1, 4*d).NodeValue(g)
	l := &lstm{
		inputs:    Add(Dot(x, weight("input")).Product(), b),
		recurrent: weight("recurrent"),
		rows:      x.Shape().Dimensions[0] / steps,
		dim:       d,
	}
	y = withGradient(l.run(h, c, steps), l.gradients, l.inputs, l.recurrent)
	last := l.steps[steps-1]
	return y, StopGradient(last.h), StopGradient(last.c)
}

// run builds the steps, and returns their outputs [T·B, d].
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
		columns := AxisRange(i*l.dim, (i+1)*l.dim)
		return Add(Slice(l.inputs, AxisRange(t*l.rows, (t+1)*l.rows), columns), Slice(recurrent, AxisRange(), columns))
	}
	s := cell{
		forget:    Sigmoid(gate(0)),
		input:     Sigmoid(gate(1)),
		output:    Sigmoid(gate(2)),
		candidate: Tanh(gate(3)),
		hBefore:   h,
		cBefore:   c,
	}
	s.c = Add(Mul(s.forget, c), Mul(s.input, s.candidate))
	s.h = Mul(s.output, Tanh(s.c))
	l.steps = append(l.steps, s)
}

// gradients returns the gradients of inputs and recurrent, given that of the
// outputs, dy [T·B, d].
func (l *lstm) gradients(dy *Node) []*Node {
	gates := make([]*Node, len(l.steps))   // of each step's gates before their functions, [B, 4d]
	befores := make([]*Node, len(l.steps)) // h before each step
	var dc *Node                           // from the step after, to its cBefore
	for t := len(l.steps) - 1; t >= 0; t-- {
		dh := Slice(dy, AxisRange(t*l.rows, (t+1)*l.rows))
		if t < len(l.steps)-1 {
			dh = Add(dh, Einsum("bg,dg->bd", gates[t+1], l.recurrent))
		}
		gates[t], dc = l.steps[t].gradients(dh, dc)
		befores[t] = l.steps[t].hBefore
	}
	all := Concatenate(gates, 0) // [T·B, 4d]
	return []*Node{all, Einsum("td,tg->dg", Concatenate(befores, 0), all)}
}

// gradients returns the gradients of the gates before their functions, [B, 4d],
// and of cBefore, given those of h and c. That of c is nil at the last step.
func (s *cell) gradients(dh, dc *Node) (gates, dcBefore *Node) {
	tanhC := Tanh(s.c)
	through := Mul(Mul(dh, s.output), tanhSlope(tanhC))
	if dc != nil {
		through = Add(through, dc)
	}
	return Concatenate([]*Node{
		Mul(Mul(through, s.cBefore), sigmoidSlope(s.forget)),
		Mul(Mul(through, s.candidate), sigmoidSlope(s.input)),
		Mul(Mul(dh, tanhC), sigmoidSlope(s.output)),
		Mul(Mul(through, s.input), tanhSlope(s.candidate)),
	}, -1), Mul(through, s.forget)
}

// sigmoidSlope and tanhSlope are the slopes of the functions where their value
// is y.
func sigmoidSlope(y *Node) *Node { return Mul(y, OneMinus(y)) }
func tanhSlope(y *Node) *Node    { return OneMinus(Square(y)) }
