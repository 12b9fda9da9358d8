package engine

import (
	"slices"

	"github.com/gomlx/compute"
)

// place is where an operand of a concatenation lies in it.
type place struct {
	in    *node
	start int // along the axis
}

// placeOperands gives every operand of a concatenation its place in the result.
// Those that cannot be computed there are copied.
func (g *graph) placeOperands() {
	users := g.users()
	isOutput := map[*node]bool{}
	for _, n := range g.outputs {
		isOutput[n] = true
	}
	for i := len(g.order) - 1; i >= 0; i-- {
		n := g.order[i]
		if classOf(n) != joined {
			continue
		}
		axis, start := n.attrs.(concat).axis, 0
		inputs := slices.Clone(n.inputs)
		for j, x := range inputs {
			if x.place != nil || isOutput[x] || !canBePlaced(x, users, product(n.shape.Dimensions[:axis]) == 1 && !g.strided(n)) {
				x = g.copyOf(g.straight(x))
				inputs[j] = x
			}
			x.place = &place{n, start}
			start += x.shape.Dimensions[axis]
		}
		n.inputs = inputs
	}
	g.reorder()
}

// strided reports whether a node lies with gaps in the memory of another.
func (g *graph) strided(n *node) bool {
	for ; n.place != nil; n = n.place.in {
		if product(n.shape.Dimensions[:n.place.in.attrs.(concat).axis]) != 1 {
			return true
		}
	}
	return false
}

// canBePlaced reports whether a node can be written to the middle of another's
// memory, and be read there by all that use it. Whole is whether it has no gaps
// there.
func canBePlaced(x *node, users map[*node][]*node, whole bool) bool {
	switch c := classOf(x); {
	case c != fused && c != multiplied && c != joined:
		return false
	case c == multiplied && x.shape.Rank() != 2:
		return false
	}
	return canBeRead(x, users, whole)
}

func canBeRead(x *node, users map[*node][]*node, whole bool) bool {
	for _, u := range users[x] {
		switch classOf(u) {
		case fused, multiplied, joined:
		case viewOf:
			if u.op == compute.OpTypeReshape && !whole || !canBeRead(u, users, whole) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
