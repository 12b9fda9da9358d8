package engine

import (
	"fmt"

	"github.com/gomlx/compute"
)

// lowering turns a unit of fused nodes into a loop.
type lowering struct {
	plan   *plan
	unit   *unit
	loop   *loop
	value  map[*node]ref // of nodes of the unit
	wide   map[*node]ref // columns expanded to all elements
	known  map[string]int
	loaded map[int]ref // strided operands that are in a register
	source map[int]*node
	writes map[*node]int // the operand that a node is written to directly
}

const (
	cacheBytes = 24 << 10 // what the registers of a block may take of the first-level cache
	minBlock   = 256
	maxBlock   = 2048
	minBlocks  = 4
)

// lower returns the loop of a unit, of which nodes with readers outside are
// stored. How large blocks may be is known when the registers are: they are
// counted with blocks of the least size first.
func (p *plan) lower(u *unit, nodes []*node) *lowering {
	w := p.lowerBlocks(u, nodes, blockOf(u, minBlock))
	w = p.lowerBlocks(u, nodes, blockOf(u, cacheBytes/(w.loop.width*(w.loop.registers+2))))
	w.divide()
	return w
}

func (p *plan) lowerBlocks(u *unit, nodes []*node, block int) *lowering {
	w := &lowering{plan: p, unit: u, loop: &loop{size: u.size, cols: u.cols, block: block, width: 4},
		value: map[*node]ref{}, wide: map[*node]ref{}, known: map[string]int{}, loaded: map[int]ref{},
		source: map[int]*node{}, writes: map[*node]int{}}
	for _, n := range nodes {
		w.add(n)
	}
	w.allocate()
	return w
}

// blockOf returns the elements of a block, about as many as wanted: whole rows
// where there are rows, and a part of a small space, so that there is something
// to divide.
func blockOf(u *unit, wanted int) int {
	size := max(min(wanted, maxBlock, u.size/minBlocks), minBlock) &^ 63
	if u.cols > 0 {
		return max(1, size/u.cols) * u.cols
	}
	return min(size, u.size)
}

// oneRow reports whether blocks are single rows: a column is then one element
// that goes with all others.
func (w *lowering) oneRow() bool { return w.loop.cols > 0 && w.loop.block == w.loop.cols }

func (w *lowering) emit(i instruction) { w.loop.code = append(w.loop.code, i) }

func (w *lowering) newRegister(column bool, width int) ref {
	w.loop.registers++
	w.loop.width = max(w.loop.width, width)
	return ref{register: true, index: w.loop.registers - 1, column: column, width: width}
}

// add emits the instructions of a node.
func (w *lowering) add(n *node) {
	role := w.unit.role[n]
	switch n.op {
	case compute.OpTypeReduceSum, compute.OpTypeReduceMax, compute.OpTypeReduceMin:
		x := w.vector(w.read(n.inputs[0], n.inputs[0].shape.Dimensions, false), false)
		if role == sink {
			w.addSink(n, x)
			return
		}
		w.result(n, instruction{code: reduceRow, op: n.op, in: [3]ref{x, {none: true}, {none: true}}})
	case compute.OpTypeArgMinMax:
		x := w.vector(w.read(n.inputs[0], n.inputs[0].shape.Dimensions, false), false)
		w.result(n, instruction{code: argRow, isMin: n.attrs.(argMinMax).isMin, in: [3]ref{x, {none: true}, {none: true}}})
	case opOneHot:
		x := w.vector(w.column(n.inputs[0]), true)
		w.result(n, instruction{code: hot, in: [3]ref{x, {none: true}, {none: true}}})
	default:
		i := instruction{code: compute_, kernel: kernelOf(n), in: [3]ref{{none: true}, {none: true}, {none: true}}}
		vectors := 0
		for j, x := range n.inputs {
			i.in[j] = w.read(x, n.shape.Dimensions, role == col)
			if !w.single(i.in[j], role == col) {
				vectors++
			}
		}
		if vectors == 0 {
			i.in[0] = w.vector(i.in[0], role == col)
		}
		w.result(n, i)
	}
}

// single reports whether a ref is one element for all.
func (w *lowering) single(r ref, column bool) bool {
	if !r.register && w.loop.operands[r.index].mode == scalar {
		return true
	}
	return r.column && !column
}

// vector makes sure that a ref has all elements.
func (w *lowering) vector(r ref, column bool) ref {
	if !w.single(r, column) {
		return r
	}
	dst := w.newRegister(column, r.width)
	if r.column && !column {
		w.emit(instruction{code: expand, dst: dst, in: [3]ref{r, {none: true}, {none: true}}})
		return dst
	}
	w.emit(instruction{code: compute_, kernel: copyOfWidth(r.width), dst: dst, in: [3]ref{r, {none: true}, {none: true}}})
	return dst
}

func copyOfWidth(width int) kernel {
	switch width {
	case 1:
		return copyBlock[uint8]
	case 2:
		return copyBlock[uint16]
	case 8:
		return copyBlock[uint64]
	}
	return copyBlock[uint32]
}

// read returns where the operand x of a node of dims is.
func (w *lowering) read(x *node, dims []int, column bool) ref {
	s := see(x, dims)
	if w.plan.parts.unit(s.base) == w.unit && s.role != sink {
		if r, ok := w.value[s.base]; ok {
			if !r.column || column {
				return r
			}
			return w.widened(s.base, r)
		}
	}
	at, v := w.plan.where(x)
	return w.external(x, at, v.expand(dims), column)
}

// column returns where the column x is.
func (w *lowering) column(x *node) ref {
	if r, ok := w.value[withoutReshape(x)]; ok {
		return r
	}
	at, v := w.plan.where(x)
	return w.external(x, at, v, true)
}

// widened returns a column as an operand of all elements.
func (w *lowering) widened(base *node, r ref) ref {
	if w.oneRow() {
		return r
	}
	if _, ok := w.wide[base]; !ok {
		w.wide[base] = w.vector(r, false)
	}
	return w.wide[base]
}

// external returns an operand in memory, which is loaded first where it is
// strided.
func (w *lowering) external(x *node, at *storage, v view, column bool) ref {
	width := x.shape.DType.Size()
	c := v.collapse()
	o := operand{storage: at.id, offset: v.offset, width: width, column: column}
	switch {
	case len(c.dims) == 0 || len(c.dims) == 1 && c.strides[0] == 0:
		o.mode = scalar
	case len(c.dims) == 1 && c.strides[0] == 1:
		o.mode = direct
	default:
		o.mode, o.view = strided, c
		if c.strides[0] == 0 && w.loop.block%product(c.dims[1:]) == 0 {
			o.period = product(c.dims[1:])
		}
	}
	index := w.operand(o)
	w.source[index] = baseOf(x)
	r := ref{index: index, column: column, width: width}
	if o.mode != strided {
		return r
	}
	if _, ok := w.loaded[index]; !ok {
		dst := w.newRegister(column, width)
		w.emit(instruction{code: load, dst: dst, in: [3]ref{r, {none: true}, {none: true}}})
		w.loaded[index] = dst
	}
	return w.loaded[index]
}

// operand returns the number of an operand.
func (w *lowering) operand(o operand) int {
	key := fmt.Sprint(o)
	if i, ok := w.known[key]; ok {
		return i
	}
	w.loop.operands = append(w.loop.operands, o)
	w.known[key] = len(w.loop.operands) - 1
	return w.known[key]
}

// result emits the instruction that computes a node, to a register or to where
// others read it.
func (w *lowering) result(n *node, i instruction) {
	column, width := w.unit.role[n] == col, n.shape.DType.Size()
	if !w.plan.isRead[n] {
		i.dst = w.newRegister(column, width)
		w.value[n] = i.dst
		w.emit(i)
		return
	}
	at, v := w.plan.where(n)
	c := v.collapse()
	o := operand{storage: at.id, offset: v.offset, width: width, column: column}
	if len(c.dims) == 0 || len(c.dims) == 1 && c.strides[0] == 1 {
		w.loop.operands = append(w.loop.operands, o)
		w.writes[n] = len(w.loop.operands) - 1
		i.dst = ref{index: len(w.loop.operands) - 1, column: column, width: width}
		w.value[n] = i.dst
		w.emit(i)
		return
	}
	o.mode, o.view = strided, c
	w.loop.operands = append(w.loop.operands, o)
	i.dst = w.newRegister(column, width)
	w.value[n] = i.dst
	w.emit(i)
	w.emit(instruction{code: store, dst: ref{index: len(w.loop.operands) - 1, column: column, width: width}, in: [3]ref{i.dst, {none: true}, {none: true}}})
}

// addSink emits a reduction whose result is known after the loop.
func (w *lowering) addSink(n *node, x ref) {
	d := n.inputs[0].shape.Dimensions
	s := sinkPlan{op: n.op, cols: d[2]}
	i := instruction{code: sinkAll, in: [3]ref{x, {none: true}, {none: true}}, sink: len(w.loop.sinks)}
	if d[2] > 1 {
		i.code = sinkRows
		s.width = d[2] * max(1, minBlock/d[2])
	}
	at, v := w.plan.where(n)
	s.result = operand{storage: at.id, offset: v.offset, width: 4}
	w.loop.sinks = append(w.loop.sinks, s)
	w.emit(i)
}

// allocate maps registers to as few as possible.
func (w *lowering) allocate() {
	last := make([]int, w.loop.registers)
	for k, i := range w.loop.code {
		for _, r := range i.in {
			if !r.none && r.register {
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
			for j := range i.in {
				if r := &i.in[j]; !r.none && r.register && last[r.index] == k && !repeats(i.in[:j], *r) && !w.keeps(r.index) {
					free = append(free, to[r.index])
				}
			}
		}
		// A kernel may write where it reads; other instructions may not.
		inPlace := i.code == compute_ && i.kernel != nil && w.sameWidth(i)
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
		for j := range i.in {
			if i.in[j].register {
				i.in[j].index = to[i.in[j].index]
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
func (w *lowering) sameWidth(i *instruction) bool {
	for _, r := range i.in {
		if !r.none && r.register && (r.width != i.dst.width || r.column != i.dst.column) {
			return false
		}
	}
	return true
}

func repeats(refs []ref, r ref) bool {
	for _, x := range refs {
		if !x.none && x.register && x.index == r.index {
			return true
		}
	}
	return false
}

const (
	worthwhile = 1 << 15 // elements times instructions that are worth another processor
	sinkChunk  = 1 << 15 // elements summed by themselves
	maxChunks  = 16
)

// divide decides what a processor gets at a time.
func (w *lowering) divide() {
	l := w.loop
	blocks := (l.size + l.block - 1) / l.block
	if len(l.sinks) == 0 {
		l.perChunk, l.chunks = 1, blocks
		l.grain = 1 + worthwhile/(l.block*w.cost())
		return
	}
	chunks := min(maxChunks, 1+l.size/sinkChunk, blocks)
	for _, s := range l.sinks {
		chunks = min(chunks, 1+l.size/(4*max(1, s.width)))
	}
	l.perChunk = (blocks + chunks - 1) / chunks
	l.chunks = (blocks + l.perChunk - 1) / l.perChunk
	l.grain = 1
	for i := range l.sinks {
		bytes := 8 * l.chunks
		if l.sinks[i].width > 0 {
			bytes = 4 * l.sinks[i].width * l.chunks
		}
		l.sinks[i].partial = w.plan.scratch(bytes).id
	}
}

// cost of an element, in simple instructions.
func (w *lowering) cost() int { return 1 + len(w.loop.code) }

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
	for k, i := range w.loop.code {
		for _, r := range i.in {
			if !r.none && !r.register && r.index == index {
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
