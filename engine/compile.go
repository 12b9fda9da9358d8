package engine

import (
	"errors"
	"fmt"

	"github.com/gomlx/compute"
)

func (b *builder) Compile() (compute.Executable, error) {
	if b.compiled {
		return nil, errCompiled
	}
	if b.main.outputs == nil {
		return nil, errors.New("engine: the main function has no outputs: call Return before Compile")
	}
	b.compiled = true
	if b.dynamic {
		inner, err := b.shadow.Compile()
		if err != nil {
			return nil, err
		}
		return &whole{b.backend, inner}, nil
	}
	return b.compile()
}

// compile plans the computation.
func (b *builder) compile() (e *executable, err error) {
	defer planning(b.name, &err)
	e = &executable{backend: b.backend, name: b.name, parameters: b.main.parameters,
		plans: map[string]*plan{}, idle: map[*plan][]*execution{}}
	for _, n := range b.main.outputs {
		e.outputs = append(e.outputs, n.shape)
	}
	g := simplify(b.main)
	g.prepare()
	parts := divide(g)
	units := parts.schedule()
	e.newPlan = func(donated []bool) (p *plan, err error) {
		defer planning(b.name, &err)
		return newPlan(g, parts, units, donated)
	}
	b.shadow = nil
	b.main.forget()
	return e, nil
}

// planning turns a panic into an error.
func planning(name string, err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("engine: planning %q: %w", name, asError(r))
	}
}

// forget lets go of the shadow: only the plan is needed from now on.
func (f *function) forget() {
	if f.shadow == nil {
		return
	}
	f.shadow, f.known = nil, nil
	for _, n := range f.nodes {
		n.shadow = nil
		for _, c := range n.closures {
			c.forget()
		}
	}
}
