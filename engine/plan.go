package engine

import (
	"slices"

	"github.com/gomlx/compute/shapes"
)

// plan is a computation ready to be run: steps in their order, and where
// every value lies. It depends on which inputs are donated.
type plan struct {
	backend  *Backend
	graph    *graph
	parts    *partition
	donated  []bool
	steps    []step
	storages []*storage
	at       map[*node]*storage
	isRead   map[*node]bool // by other units, or it is an output
	now      int            // the step that is being made
	arena    int            // bytes
	outputs  []*storage

	rights map[*node]*right // of products
}

// step is a part of a plan.
type step interface{ run(x *execution) }

// home is whose memory a storage is.
type home int

const (
	inArena     home = iota // the execution's
	ofParameter             // an input's
	ofConstant              // the plan's
	ofOutput                // a new buffer, returned
	shared                  // a buffer of the Go backend, which it reads
	lent                    // a buffer of the Go backend, which it returned
)

// storage is memory of one or, one after the other, several values.
type storage struct {
	id          int
	home        home
	index       int // of the parameter, output or constant
	bytes       int
	offset      int // in the arena
	shape       shapes.Shape
	flat        any // of constants
	first, last int // steps that use it
	output      int // the number of the output that is in it at the end, or -1
}

const forever = 1 << 30

// newPlan makes the plan of a graph that was simplified, prepared and divided.
func newPlan(g *graph, parts *partition, units []*unit, donated []bool) (*plan, error) {
	p := &plan{backend: g.backend, graph: g, parts: parts, donated: donated,
		at: map[*node]*storage{}, isRead: map[*node]bool{}}
	p.findReaders(units)
	p.place(units)
	p.findRights(units)
	for i, u := range units {
		p.now = i
		s, err := p.make(u)
		if err != nil {
			return nil, err
		}
		if s != nil {
			p.steps = append(p.steps, s)
		}
	}
	for i, n := range g.outputs {
		s := p.at[n]
		s.output = i
		p.outputs = append(p.outputs, s)
	}
	p.layOut()
	return p, nil
}

// findReaders finds the values that must be in memory: those that another unit
// reads, outputs, and parts of concatenations.
func (p *plan) findReaders(units []*unit) {
	for _, u := range units {
		for _, n := range u.nodes {
			for _, x := range p.graph.operands(n) {
				if base := baseOf(x); p.parts.unit(base) != u {
					p.isRead[base] = true
				}
			}
			if n.place != nil {
				p.isRead[n] = true
			}
		}
	}
	for _, n := range p.graph.outputs {
		p.isRead[n] = true
	}
}

// place gives every value in memory a storage, and finds how long it is used.
func (p *plan) place(units []*unit) {
	outputs := map[*node]int{}
	for i, n := range p.graph.outputs {
		outputs[n] = i
	}
	delegatedReads := map[*node]bool{}
	for _, u := range units {
		if u.class == delegated {
			for _, n := range u.nodes {
				for _, x := range p.graph.operands(n) {
					delegatedReads[baseOf(x)] = true
				}
			}
		}
	}
	for i, u := range units {
		for _, n := range u.nodes {
			for _, x := range p.graph.operands(n) {
				s := p.storageOf(baseOf(x), outputs, delegatedReads)
				s.last = max(s.last, i)
			}
			if p.isRead[n] {
				s := p.storageOf(n, outputs, delegatedReads)
				s.first, s.last = min(s.first, i), max(s.last, i)
			}
		}
	}
	for _, n := range p.graph.outputs {
		p.storageOf(n, outputs, delegatedReads).last = forever
	}
}

// storageOf returns the storage of a value, a new one the first time.
func (p *plan) storageOf(n *node, outputs map[*node]int, delegatedReads map[*node]bool) *storage {
	for n.place != nil {
		n = n.place.in
	}
	if s := p.at[n]; s != nil {
		return s
	}
	s := p.newStorage(&storage{shape: n.shape, first: forever, last: -1, output: -1})
	if n.shape.Ok() {
		s.bytes = int(n.shape.ByteSize())
	}
	switch a := n.attrs.(type) {
	case parameter:
		s.home, s.index, s.first = ofParameter, a.index, -1
	case constant:
		s.home, s.flat, s.first = ofConstant, a.flat, -1
	default:
		output, isOutput := outputs[n]
		switch {
		case classOf(n) == delegated:
			s.home = lent
		case isOutput:
			s.home, s.index = ofOutput, output
		case delegatedReads[n]:
			s.home = shared
		}
	}
	p.at[n] = s
	return s
}

func (p *plan) newStorage(s *storage) *storage {
	s.id = len(p.storages)
	p.storages = append(p.storages, s)
	return s
}

// scratch returns memory for the step that is being made.
func (p *plan) scratch(bytes int) *storage {
	return p.newStorage(&storage{bytes: bytes, first: p.now, last: p.now, output: -1})
}

// where returns how a value lies in which storage.
func (p *plan) where(n *node) (*storage, view) {
	v := layoutOn(n, p.lies)
	return p.storageAt(baseOf(n)), v
}

func (p *plan) storageAt(n *node) *storage {
	for n.place != nil {
		n = n.place.in
	}
	return p.at[n]
}

// lies returns how a base lies in its storage.
func (p *plan) lies(n *node) view {
	if n.place == nil {
		return contiguous(n.shape.Dimensions)
	}
	v := p.lies(n.place.in)
	axis := n.place.in.attrs.(concat).axis
	return view{v.offset + n.place.start*v.strides[axis], slices.Clone(n.shape.Dimensions), v.strides}
}

// operandOf returns the operand of a value that lies row by row.
func (p *plan) operandOf(n *node) operand {
	at, v := p.where(n)
	return operand{storage: at.id, offset: v.offset, width: n.shape.DType.Size()}
}

// takeOver lets a value be computed in the memory of an operand that nobody
// reads afterwards, if it may. It reports whether it does.
func (p *plan) takeOver(n, from *node) bool {
	if n.place != nil || from.place != nil || n == from {
		return false
	}
	dst, src := p.at[n], p.at[from]
	if dst == src || src.last != p.now || dst.first != p.now || dst.bytes != src.bytes {
		return false
	}
	switch {
	case dst.home == inArena && src.home == inArena:
	case dst.home == ofOutput && src.home == ofParameter && p.donated[src.index] && src.output < 0 && src.shape.Equal(dst.shape):
		src.output = dst.index
	default:
		return false
	}
	src.last = max(src.last, dst.last)
	p.at[n] = src
	dst.first, dst.last = forever, -1 // nobody uses it
	return true
}

// make returns the step of a unit, nil where there is nothing to do.
func (p *plan) make(u *unit) (step, error) {
	nodes := p.parts.sorted(u)
	n := nodes[0]
	switch u.class {
	case fused:
		w := p.lower(u, nodes)
		w.takeOver()
		return w.loop, nil
	case multiplied:
		return p.newProduct(n), nil
	case byRows:
		switch n.op {
		case opTakeRows:
			return p.newTake(n), nil
		case opAddRows:
			return p.newAdd(n), nil
		}
		d := n.inputs[0].shape.Dimensions
		return &middle{n.op, d[0], d[1], d[2], p.operandOf(n.inputs[0]), p.operandOf(n)}, nil
	case turned:
		return p.newTurn(n), nil
	case drawn:
		return p.newRandom(nodes), nil
	case delegated:
		return p.newDelegate(nodes)
	}
	return nil, nil // a concatenation: its operands are in place
}
