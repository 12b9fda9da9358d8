package engine

// unit is what is run as one step: a loop of fused nodes, a delegated
// subgraph, or a single node.
type unit struct {
	id    int
	class class
	nodes []*node // operands first
	needs bitset  // the units that must run before, directly or not
	into  *unit   // that it was merged into
	rank  int     // the highest of its nodes

	// Of loops. The space of a loop is size elements, or size/cols rows of cols
	// where nodes look at rows. Nodes are then of all elements, or one a row.
	size, cols int
	role       map[*node]role
}

// role is what a node is in a loop.
type role int

const (
	full role = iota // an element of each of the space
	col              // one for each row
	sink             // a sum over rows, known only after the loop
)

// partition divides a graph into units.
type partition struct {
	graph *graph
	units []*unit
	of    map[*node]*unit
}

// divide puts every node that is computed into a unit.
func divide(g *graph) *partition {
	p := &partition{graph: g, of: map[*node]*unit{}}
	for _, n := range g.order {
		switch c := classOf(n); c {
		case leaf, viewOf:
		case fused:
			p.addFused(n)
		case delegated:
			p.addDelegated(n)
		default:
			p.addTo(p.pickedUnit(n, c), n)
		}
	}
	return p
}

// pickedUnit returns a new unit, or for a result of a node that of the node.
func (p *partition) pickedUnit(n *node, c class) *unit {
	if n.op == opPick {
		return p.unit(n.inputs[0])
	}
	return p.newUnit(c)
}

func (p *partition) newUnit(c class) *unit {
	u := &unit{id: len(p.units), class: c, role: map[*node]role{}}
	p.units = append(p.units, u)
	return u
}

// unit returns the unit that computes a node, nil for leaves.
func (p *partition) unit(n *node) *unit {
	u := p.of[baseOf(n)]
	for u != nil && u.into != nil {
		u = u.into
	}
	return u
}

// addTo adds a node to a unit.
func (p *partition) addTo(u *unit, n *node) {
	u.nodes = append(u.nodes, n)
	p.of[n] = u
	var needs bitset
	for _, x := range p.graph.operands(n) {
		if v := p.unit(x); v != nil && v != u {
			needs.add(v.id)
			needs.addAll(v.needs)
		}
	}
	p.addNeeds(u, needs)
}

// addNeeds adds to what a unit needs, and all that need it.
func (p *partition) addNeeds(u *unit, needs bitset) {
	if !u.needs.addAll(needs) {
		return
	}
	for _, w := range p.units {
		if w.into == nil && w.needs.has(u.id) {
			w.needs.addAll(needs)
		}
	}
}

// fits reports whether a node can join a unit: nothing else that it reads may
// need the unit first.
func (p *partition) fits(u *unit, n *node) bool {
	for _, x := range p.graph.operands(n) {
		if v := p.unit(x); v != nil && v != u && v.needs.has(u.id) {
			return false
		}
	}
	return true
}

// addDelegated adds a node to the delegated subgraph that it reads from, if any,
// or to another one that can wait for what it reads.
func (p *partition) addDelegated(n *node) {
	if n.op == opPick {
		p.addTo(p.unit(n.inputs[0]), n)
		return
	}
	for i := len(p.units) - 1; i >= 0; i-- {
		if u := p.units[i]; u.class == delegated && u.into == nil && p.fits(u, n) {
			p.addTo(u, n)
			return
		}
	}
	p.addTo(p.newUnit(delegated), n)
}
