package engine

import (
	"unsafe"

	"github.com/gomlx/compute"
)

// loop runs fused nodes over a space of size elements, or of rows of cols
// elements, block by block: what one instruction leaves in a register of a few
// thousand bytes the next finds in the first-level cache.
type loop struct {
	size, cols int // cols is 0 where no instruction looks at rows
	block      int // elements a block; of whole rows
	operands   []operand
	code       []instruction
	registers  int
	width      int // bytes of the widest element
	sinks      []sinkPlan
	chunks     int // of blocks, each summed by itself: as many on every machine
	perChunk   int // blocks
	grain      int // chunks worth a processor
}

// code is what an instruction does.
type code int

const (
	apply     code = iota // a kernel of elements
	chain                 // operations on floats, one after the other
	load                  // a strided operand into a register
	store                 // a register into a strided operand
	expand                // a column into a register of all elements
	reduceRow             // rows into a column
	argRow                // the places of rows' extremes into a column
	hot                   // one-hot rows of a column of indices
	sinkRows              // rows added to a sink
	sinkAll               // all elements added to a sink
)

// ref is where an instruction reads or writes: a register or an operand.
type ref struct {
	register bool
	index    int
	column   bool // one element a row
	width    int
	none     bool
}

// instruction is one pass over a block.
type instruction struct {
	code   code
	kernel kernel
	op     compute.OpType // of kernels and reductions
	isZip  bool           // the kernel is one of zips
	isMin  bool
	dst    ref
	in     [3]ref
	links  []link // of a chain, which begins with in[0]
	sink   int
}

// run is the step of a plan.
func (l *loop) run(x *execution) {
	if len(l.sinks) > 0 {
		x.split(l, l.chunks, l.grain)
		for i := range l.sinks {
			l.sinks[i].finish(x, l.chunks)
		}
		return
	}
	x.split(l, l.chunks, l.grain)
}

// part runs chunks from…to.
func (l *loop) part(x *execution, from, to int) {
	f := x.frame(l.registers*l.width*l.block, len(l.operands))
	blocks := (l.size + l.block - 1) / l.block
	for chunk := from; chunk < to; chunk++ {
		for i := range l.sinks {
			l.sinks[i].begin(x, chunk)
		}
		for b := chunk * l.perChunk; b < min(blocks, (chunk+1)*l.perChunk); b++ {
			l.runBlock(x, f, chunk, b*l.block, min(l.block, l.size-b*l.block))
		}
	}
	x.putFrame(f)
}

// runBlock runs the instructions on n elements.
func (l *loop) runBlock(x *execution, f *frame, chunk, from, n int) {
	at := position{from: from, n: n}
	if l.cols > 0 {
		at.row, at.rows = from/l.cols, n/l.cols
	}
	for i := range l.code {
		c := &l.code[i]
		switch c.code {
		case apply:
			dst := l.at(x, f, c.dst, at)
			c.kernel(dst, l.at(x, f, c.in[0], at), l.at(x, f, c.in[1], at), l.at(x, f, c.in[2], at))
		case chain:
			l.chain(x, f, c, at)
		case load:
			l.load(x, f, c, at)
		case store:
			o := &l.operands[c.dst.index]
			begin, _ := at.span(o.column)
			o.store(x, l.at(x, f, c.in[0], at), begin)
		case expand:
			expandColumn(l.at(x, f, c.dst, at), l.at(x, f, c.in[0], at), l.cols, c.dst.width)
		case reduceRow:
			reduceRows(c.op, as[float32](l.at(x, f, c.dst, at)), as[float32](l.at(x, f, c.in[0], at)), l.cols)
		case argRow:
			argRows(c.isMin, as[int32](l.at(x, f, c.dst, at)), as[float32](l.at(x, f, c.in[0], at)), l.cols)
		case hot:
			hotRows(as[float32](l.at(x, f, c.dst, at)), as[int32](l.at(x, f, c.in[0], at)), l.cols)
		case sinkRows:
			l.sinks[c.sink].addRows(x, chunk, from, as[float32](l.at(x, f, c.in[0], at)))
		case sinkAll:
			l.sinks[c.sink].addAll(x, chunk, as[float32](l.at(x, f, c.in[0], at)))
		}
	}
}

// position is where a block lies in the space.
type position struct{ from, n, row, rows int }

// span returns the elements of a block, or its rows.
func (p position) span(column bool) (from, n int) {
	if column {
		return p.row, p.rows
	}
	return p.from, p.n
}

// at returns a block of a register or an operand.
func (l *loop) at(x *execution, f *frame, r ref, p position) block {
	if r.none {
		return block{}
	}
	from, n := p.span(r.column)
	if r.register {
		return block{unsafe.Add(f.memory, r.index*l.width*l.block), n}
	}
	o := &l.operands[r.index]
	if o.mode == scalar {
		return block{unsafe.Add(x.base[o.storage], o.offset*o.width), 1}
	}
	return block{unsafe.Add(x.base[o.storage], (o.offset+from)*o.width), n}
}

// load fills a register with a strided operand. One that repeats itself from
// block to block is loaded once.
func (l *loop) load(x *execution, f *frame, c *instruction, at position) {
	o := &l.operands[c.in[0].index]
	from, n := at.span(o.column)
	if o.period > 0 && from%o.period == 0 {
		if f.loaded[c.in[0].index] >= n {
			return
		}
		f.loaded[c.in[0].index] = n
	}
	o.load(x, l.at(x, f, c.dst, at), from, n)
}

func reduceRows(op compute.OpType, dst, x []float32, cols int) {
	for i := range dst {
		dst[i] = reduceSlice(op, x[i*cols:(i+1)*cols])
	}
}

// hotRows sets rows to zero but for one 1, at the column's index. An index
// outside the row leaves it zero, as a comparison with 0, 1, … does.
func hotRows(dst []float32, index []int32, cols int) {
	clear(dst)
	for i, j := range index {
		if j >= 0 && int(j) < cols {
			dst[i*cols+int(j)] = 1
		}
	}
}
