package engine

import (
	"fmt"

	"github.com/gomlx/compute"
)

// delegate runs a subgraph by GoMLX's Go backend. It reads and writes shared
// buffers: nothing is copied.
type delegate struct {
	executable compute.Executable
	inputs     []*storage
	outputs    []*storage
}

// replay builds nodes in a builder of the Go backend.
type replay struct {
	plan    *plan
	builder compute.Builder
	values  map[*node]value
	named   map[*function]compute.Function
	step    *delegate
}

func (p *plan) newDelegate(nodes []*node) (*delegate, error) {
	r := &replay{plan: p, builder: p.backend.portable.Builder("delegated"), values: map[*node]value{},
		named: map[*function]compute.Function{}, step: &delegate{}}
	main := r.builder.Main()
	inside := map[*node]bool{}
	for _, n := range nodes {
		inside[n] = true
	}
	for _, n := range nodes { // parameters come first
		for _, x := range p.graph.operands(n) {
			if base := baseOf(x); !inside[base] {
				if err := r.input(main, base); err != nil {
					return nil, err
				}
			}
		}
	}
	for _, n := range nodes {
		for _, x := range p.graph.operands(n) {
			if err := r.look(main, x); err != nil {
				return nil, err
			}
		}
		if err := r.node(main, n); err != nil {
			return nil, err
		}
	}
	var outputs []value
	for _, n := range nodes {
		if p.isRead[n] {
			outputs = append(outputs, r.values[n])
			r.step.outputs = append(r.step.outputs, p.at[n])
		}
	}
	if err := main.Return(outputs, nil); err != nil {
		return nil, err
	}
	var err error
	r.step.executable, err = r.builder.Compile()
	return r.step, err
}

// input makes a value from outside the subgraph known in it.
func (r *replay) input(main compute.Function, n *node) error {
	if r.values[n] != nil {
		return nil
	}
	if n.op == compute.OpTypeConstant {
		v, err := n.build(main, nil, nil)
		if err != nil {
			return err
		}
		r.values[n] = v[0]
		return nil
	}
	v, err := main.Parameter(fmt.Sprint("in", len(r.step.inputs)), n.shape, nil)
	if err != nil {
		return err
	}
	r.values[n] = v
	r.step.inputs = append(r.step.inputs, r.plan.at[n])
	return nil
}

// look builds the ways to look at a value that lead to x.
func (r *replay) look(main compute.Function, x *node) error {
	if r.values[x] != nil || classOf(x) != viewOf {
		return nil
	}
	if err := r.look(main, x.inputs[0]); err != nil {
		return err
	}
	return r.node(main, x)
}

// node builds a node in f.
func (r *replay) node(f compute.Function, n *node) error {
	if n.op == opPick || r.values[n] != nil {
		return nil
	}
	in := make([]value, len(n.inputs))
	for i, x := range n.inputs {
		in[i] = r.value(x)
	}
	closures := make([]compute.Function, len(n.closures))
	for i, c := range n.closures {
		var err error
		if closures[i], err = r.function(f, c); err != nil {
			return err
		}
	}
	results, err := n.build(f, in, closures)
	if err != nil {
		return err
	}
	if len(n.results) == 0 {
		r.values[n] = results[0]
	}
	for i, picked := range n.results {
		r.values[picked] = results[i]
	}
	return nil
}

// value returns what stands for a node of the graph that was recorded.
func (r *replay) value(n *node) value {
	if v := r.values[n]; v != nil {
		return v
	}
	return r.values[r.plan.graph.of(n)]
}

// function builds a closure of f, or a function that is called.
func (r *replay) function(f compute.Function, c *function) (compute.Function, error) {
	if g := r.named[c]; g != nil {
		return g, nil
	}
	var g compute.Function
	var err error
	if c.parent != nil {
		g, err = f.Closure()
	} else {
		g, err = r.builder.NewFunction(c.Name())
		r.named[c] = g
	}
	if err != nil {
		return nil, err
	}
	for _, n := range c.nodes {
		delete(r.values, n) // of another building of the same closure
	}
	for _, n := range c.nodes {
		if err := r.node(g, n); err != nil {
			return nil, err
		}
	}
	outputs := make([]value, len(c.outputs))
	for i, n := range c.outputs {
		outputs[i] = r.value(n)
	}
	return g, g.Return(outputs, nil)
}

func (d *delegate) run(x *execution) {
	inputs := make([]compute.Buffer, len(d.inputs))
	for i, s := range d.inputs {
		switch s.home {
		case ofParameter:
			inputs[i] = x.inputs[s.index].shared
		case ofOutput:
			inputs[i] = x.outputs[s.index].shared
		case lent:
			inputs[i] = x.lent[s.id]
		default:
			inputs[i] = x.shared[s.id]
		}
	}
	outputs, err := d.executable.Execute(inputs, nil, 0)
	if err != nil {
		panic(stepError{err})
	}
	for i, s := range d.outputs {
		flat, err := outputs[i].Data()
		if err != nil {
			panic(stepError{err})
		}
		x.lent[s.id], x.base[s.id] = outputs[i], pointer(flat)
	}
}
