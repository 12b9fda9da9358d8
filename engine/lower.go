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
	strip      = 128 // blocks are whole ones: what is left of a chain is slower
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
	w.join()
	w.allocate()
	return w
}

// blockOf returns the elements of a block, about as many as wanted: whole rows
// where there are rows, and a part of a small space, so that there is something
// to divide.
func blockOf(u *unit, wanted int) int {
	size := max(min(wanted, maxBlock, u.size/minBlocks), minBlock) &^ (strip - 1)
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
		i := instruction{code: apply, op: n.op, isZip: isZip(n), kernel: kernelOf(n), in: [3]ref{{none: true}, {none: true}, {none: true}}}
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
	w.emit(instruction{code: apply, kernel: copyOfWidth(r.width), dst: dst, in: [3]ref{r, {none: true}, {none: true}}})
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
		if period := product(c.dims[1:]); c.strides[0] == 0 && w.perBlock(column)%period == 0 {
			o.period = period
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

// perBlock returns how many elements, or rows, a block has.
func (w *lowering) perBlock(column bool) int {
	if column {
		return w.loop.block / w.loop.cols
	}
	return w.loop.block
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
func (w *lowering) cost() int {
	cost := 1
	for _, i := range w.loop.code {
		cost += max(1, len(i.links))
	}
	return cost
}
