package engine

import (
	"errors"
	"fmt"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
)

// executable is a compiled computation.
type executable struct {
	backend    *Backend
	name       string
	parameters []*node
	outputs    []shapes.Shape
	newPlan    func(donated []bool) (*plan, error)

	mu    sync.Mutex
	plans map[string]*plan // by which inputs are donated
	idle  map[*plan][]*execution
}

var (
	_ compute.Executable = (*executable)(nil)

	errFinal = errors.New("engine: the computation is finalized")
)

// Finalize gives the memory of plans back.
func (e *executable) Finalize() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.plans, e.idle = nil, nil
}

// Inputs returns the names and shapes of the parameters.
func (e *executable) Inputs() (names []string, all []shapes.Shape) {
	for _, n := range e.parameters {
		names = append(names, n.attrs.(parameter).name)
		all = append(all, n.shape)
	}
	return names, all
}

// Outputs returns the shapes of the outputs.
func (e *executable) Outputs() []shapes.Shape { return e.outputs }

// Execute runs the computation. It may be called from several goroutines.
func (e *executable) Execute(inputs []compute.Buffer, donate []bool, device compute.DeviceNum) ([]compute.Buffer, error) {
	if device != 0 {
		return nil, fmt.Errorf("engine: there is one device, number 0, and no %d", device)
	}
	own, err := e.check(inputs, donate)
	if err != nil {
		return nil, err
	}
	x, err := e.begin(own, donate)
	if err != nil {
		return nil, err
	}
	outputs, err := x.execute()
	for i, in := range own {
		if x.plan.donated[i] {
			in.Finalize() // nothing, where it became an output
		}
	}
	if err != nil {
		return nil, fmt.Errorf("engine: running %q: %w", e.name, err)
	}
	e.end(x)
	return outputs, nil
}

// check returns the inputs if they are what the parameters ask for.
func (e *executable) check(inputs []compute.Buffer, donate []bool) ([]*Buffer, error) {
	if e.backend.IsFinalized() {
		return nil, errFinalized
	}
	if len(inputs) != len(e.parameters) || len(donate) != 0 && len(donate) != len(inputs) {
		return nil, fmt.Errorf("engine: %q has %d parameters, not %d (%d flags for donation)", e.name, len(e.parameters), len(inputs), len(donate))
	}
	own := make([]*Buffer, len(inputs))
	for i, in := range inputs {
		x, err := e.backend.own(i, in)
		if err != nil {
			return nil, err
		}
		if want := e.parameters[i]; !x.shape.Equal(want.shape) {
			return nil, fmt.Errorf("engine: input %d of %q, %q, has the shape %s, not %s", i, e.name, want.attrs.(parameter).name, x.shape, want.shape)
		}
		own[i] = x
	}
	return own, nil
}

// begin returns an execution of the plan for those donations. An input that is
// given twice is not donated: the other one is still read.
func (e *executable) begin(inputs []*Buffer, donate []bool) (*execution, error) {
	key := make([]byte, len(inputs))
	for i := range donate {
		if donate[i] && !givenTwice(inputs, i) {
			key[i] = 1
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.plans == nil {
		return nil, errFinal
	}
	p := e.plans[string(key)]
	if p == nil {
		donated := make([]bool, len(inputs))
		for i := range key {
			donated[i] = key[i] == 1
		}
		var err error
		if p, err = e.newPlan(donated); err != nil {
			return nil, err
		}
		e.plans[string(key)] = p
	}
	var x *execution
	if idle := e.idle[p]; len(idle) > 0 {
		x = idle[len(idle)-1]
		e.idle[p] = idle[:len(idle)-1]
	} else {
		var err error
		if x, err = p.newExecution(); err != nil {
			return nil, err
		}
	}
	x.inputs = inputs
	return x, nil
}

func givenTwice(inputs []*Buffer, i int) bool {
	for j, x := range inputs {
		if j != i && x == inputs[i] {
			return true
		}
	}
	return false
}

// end keeps the memory of an execution for the next one.
func (e *executable) end(x *execution) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.idle != nil {
		e.idle[x.plan] = append(e.idle[x.plan], x)
	}
}
