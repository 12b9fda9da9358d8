package engine

import "github.com/gomlx/compute"

// maxRow is up to how many elements a row is reduced as a whole in a loop.
const maxRow = 1 << 16

// seen is how a fused node sees an operand.
type seen struct {
	base *node
	role role // full, col, or sink for any other way
	cols int  // where it is a column: how long the rows are
}

// see returns how a node of dims sees an operand, if that lies row by row.
func see(x *node, dims []int) seen {
	size := product(dims)
	var v view
	base := withoutReshape(x)
	switch {
	case x.shape.Size() == size && base.op == compute.OpTypeBroadcastInDim:
		inner := base.inputs[0]
		v = contiguous(inner.shape.Dimensions).broadcast(base.shape.Dimensions, base.attrs.(broadcast).axes)
		base = withoutReshape(inner)
	case x.shape.Size() == size:
		return seen{base: base, role: full}
	default:
		v = contiguous(x.shape.Dimensions).expand(dims)
	}
	c := v.collapse()
	if len(c.dims) == 2 && c.strides[0] == 1 && c.strides[1] == 0 {
		return seen{base: base, role: col, cols: c.dims[1]}
	}
	if len(c.dims) == 1 && c.strides[0] == 0 { // one value for all: a row of everything
		return seen{base: base, role: col, cols: size}
	}
	return seen{base: base, role: sink}
}

// fit is the space of the loop that a node needs, its role there, and how it
// sees its operands.
type fit struct {
	size, cols int // cols is 0 where the node does not look at rows
	role       role
	operands   []seen
}

// fitOf returns the space that a node asks for by itself.
func fitOf(n *node) fit {
	switch n.op {
	case compute.OpTypeReduceSum, compute.OpTypeReduceMax, compute.OpTypeReduceMin:
		d := n.inputs[0].shape.Dimensions // [A, R, C], of which A or C is 1
		f := fit{size: product(d), operands: []seen{see(n.inputs[0], d)}}
		if d[2] == 1 && (d[0] > 1 || d[1] <= maxRow) {
			f.cols, f.role = d[1], col
		} else {
			f.role = sink
		}
		return f
	case compute.OpTypeArgMinMax:
		d := n.inputs[0].shape.Dimensions
		return fit{size: product(d), cols: d[len(d)-1], role: col, operands: []seen{see(n.inputs[0], d)}}
	case opOneHot:
		f := fit{size: n.shape.Size(), cols: n.attrs.(oneHot).depth}
		f.operands = []seen{{withoutReshape(n.inputs[0]), col, f.cols}}
		return f
	}
	f := fit{size: n.shape.Size()}
	for _, x := range n.inputs {
		f.operands = append(f.operands, see(x, n.shape.Dimensions))
	}
	return f
}

// addFused adds a node to a loop that it reads from, after joining such loops
// where they go over the same space, or to a new one.
func (p *partition) addFused(n *node) {
	f := fitOf(n)
	var to *unit
	var as role
	for _, s := range f.operands {
		u := p.unit(s.base)
		if u == nil || u.class != fused || u == to {
			continue
		}
		r, ok := p.roleIn(u, n, f)
		if !ok {
			continue
		}
		switch {
		case to == nil:
			to, as = u, r
		case r == as && p.canMerge(to, u, f):
			p.merge(to, u)
		}
	}
	if to == nil {
		to = p.newUnit(fused)
		to.size, as = f.size, f.role
	}
	if as == f.role && f.cols > 0 {
		to.cols = f.cols
	}
	for _, s := range f.operands { // columns that are in the loop must be such columns
		if s.role == col && p.unit(s.base) == to && as != col {
			to.cols = s.cols
		}
	}
	to.role[n] = as
	p.addTo(to, n)
}

// roleIn returns the role that a node would have in a loop.
func (p *partition) roleIn(u *unit, n *node, f fit) (role, bool) {
	as, cols := f.role, f.cols
	switch {
	case f.size == u.size:
	case f.role == full && f.cols == 0 && u.cols > 0 && f.size == u.size/u.cols:
		as, cols = col, u.cols
	default:
		return 0, false
	}
	for _, s := range f.operands {
		if p.unit(s.base) != u {
			continue
		}
		in, ok := u.role[s.base]
		switch {
		case !ok || in == sink: // a part of a value, or one that is known after the loop
			return 0, false
		case as == col && f.role == full: // element by element, of columns
			if in != col || s.role != full {
				return 0, false
			}
		case s.role == full && in == full:
		case s.role == col && in == col:
			if cols != 0 && cols != s.cols {
				return 0, false
			}
			cols = s.cols
		default:
			return 0, false
		}
	}
	if cols != 0 && u.cols != 0 && cols != u.cols {
		return 0, false
	}
	return as, p.fits(u, n)
}

// canMerge reports whether two loops can be one.
func (p *partition) canMerge(u, v *unit, f fit) bool {
	if u.size != v.size || u.needs.has(v.id) || v.needs.has(u.id) {
		return false
	}
	cols := 0
	for _, c := range []int{u.cols, v.cols, f.cols} {
		if c != 0 && cols != 0 && c != cols {
			return false
		}
		cols = max(cols, c)
	}
	return true
}

// merge makes v part of u.
func (p *partition) merge(u, v *unit) {
	v.into = u
	u.cols = max(u.cols, v.cols)
	u.nodes = append(u.nodes, v.nodes...)
	for n, r := range v.role {
		u.role[n] = r
	}
	p.addNeeds(u, v.needs)
	for _, w := range p.units {
		if w.into == nil && w.needs.has(v.id) && w != u {
			w.needs.add(u.id)
			w.needs.addAll(u.needs)
		}
	}
}
