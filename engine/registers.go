package engine

// allocate maps registers to as few as possible.
func (w *lowering) allocate() {
	last := make([]int, w.loop.registers)
	for k := range w.loop.code {
		i := &w.loop.code[k]
		for _, r := range i.reads() {
			if r.register {
				last[r.index] = k
			}
		}
		if i.dst.register {
			last[i.dst.index] = max(last[i.dst.index], k)
		}
	}
	to := make([]int, w.loop.registers)
	var free []int
	used := 0
	for k := range w.loop.code {
		i := &w.loop.code[k]
		release := func() {
			reads := i.reads()
			for j, r := range reads {
				if r.register && last[r.index] == k && !repeats(reads[:j], r) && !w.keeps(r.index) {
					free = append(free, to[r.index])
				}
			}
		}
		// A kernel or a chain may write where it reads; other instructions may not.
		inPlace := (i.code == apply && i.kernel != nil || i.code == chain) && i.sameWidth()
		if inPlace {
			release()
		}
		if i.dst.register {
			if len(free) > 0 && !w.keeps(i.dst.index) {
				to[i.dst.index] = free[len(free)-1]
				free = free[:len(free)-1]
			} else {
				to[i.dst.index] = used
				used++
			}
		}
		if !inPlace {
			release()
		}
		if i.dst.register && last[i.dst.index] == k {
			free = append(free, to[i.dst.index]) // nobody reads it
		}
	}
	for k := range w.loop.code {
		i := &w.loop.code[k]
		for _, r := range i.reads() {
			if r.register {
				r.index = to[r.index]
			}
		}
		if i.dst.register {
			i.dst.index = to[i.dst.index]
		}
	}
	w.loop.registers = used
}

// keeps reports whether a register must keep its content from block to block.
func (w *lowering) keeps(register int) bool {
	for index, r := range w.loaded {
		if r.index == register && w.loop.operands[index].period > 0 {
			return true
		}
	}
	return false
}

// sameWidth reports whether an instruction's operands are as wide as its
// result, and as many.
func (i *instruction) sameWidth() bool {
	for _, r := range i.reads() {
		if r.register && (r.width != i.dst.width || r.column != i.dst.column) {
			return false
		}
	}
	return true
}

func repeats(refs []*ref, r *ref) bool {
	for _, x := range refs {
		if x.register && x.index == r.index {
			return true
		}
	}
	return false
}
