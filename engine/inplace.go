package engine

// takeOver computes values in the memory of operands that are read no more.
// An operand's last reading must not come after the writing, and no other
// operand may be in that memory.
func (w *lowering) takeOver() {
	l := w.loop
	for _, n := range w.parts() {
		index := w.writes[n]
		for from, o := range l.operands {
			base := w.source[from]
			if base == nil || n.place != nil || base.place != nil || o.mode != direct || o.column != l.operands[index].column || o.width != l.operands[index].width || o.offset != 0 ||
				!w.alone(from) || w.lastRead(from) > w.writtenAt(index) {
				continue
			}
			old := w.plan.at[n].id
			if w.plan.takeOver(n, base) {
				w.rename(old, w.plan.at[n].id)
				break
			}
		}
	}
}

// parts returns the nodes that are written directly, in their order.
func (w *lowering) parts() []*node {
	var all []*node
	for _, n := range w.plan.parts.sorted(w.unit) {
		if _, ok := w.writes[n]; ok {
			all = append(all, n)
		}
	}
	return all
}

// alone reports whether no other operand is in the same storage.
func (w *lowering) alone(index int) bool {
	for i, o := range w.loop.operands {
		if i != index && o.storage == w.loop.operands[index].storage {
			return false
		}
	}
	return true
}

func (w *lowering) lastRead(index int) int {
	last := -1
	for k := range w.loop.code {
		for _, r := range w.loop.code[k].reads() {
			if !r.register && r.index == index {
				last = k
			}
		}
	}
	return last
}

func (w *lowering) writtenAt(index int) int {
	for k, i := range w.loop.code {
		if !i.dst.register && i.dst.index == index && i.code != sinkAll && i.code != sinkRows {
			return k
		}
	}
	return -1
}

func (w *lowering) rename(from, to int) {
	for i := range w.loop.operands {
		if w.loop.operands[i].storage == from {
			w.loop.operands[i].storage = to
		}
	}
}
