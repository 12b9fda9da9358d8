package engine

import "slices"

// alignment of values in the arena: a cache line.
const alignment = 64

// layOut gives every storage in the arena its place. Those in use at the same
// time do not overlap.
func (p *plan) layOut() {
	var all []*storage
	for _, s := range p.storages {
		if s.home == inArena && s.last >= 0 {
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b *storage) int { return a.first - b.first })
	var inUse []*storage // in the order of their places
	for _, s := range all {
		inUse = slices.DeleteFunc(inUse, func(o *storage) bool { return o.last < s.first })
		size := (s.bytes + alignment - 1) &^ (alignment - 1)
		// The smallest gap that is large enough.
		at, best, place := 0, -1, len(inUse)
		for i, o := range inUse {
			if gap := o.offset - at; gap >= size && (best < 0 || gap < best) {
				best, place, s.offset = gap, i, at
			}
			at = o.offset + (o.bytes+alignment-1)&^(alignment-1)
		}
		if best < 0 {
			s.offset = at
		}
		inUse = slices.Insert(inUse, place, s)
		p.arena = max(p.arena, s.offset+size)
	}
}
