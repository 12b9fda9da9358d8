package engine

import (
	"unsafe"

	"github.com/gomlx/compute"

	"github.com/kdcode/kdcode/internal/simd"
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

// operand is memory that a loop reads or writes.
type operand struct {
	storage int
	offset  int // in elements
	width   int // bytes an element
	mode    mode
	view    view // of strided operands: in the order of the space, collapsed
	column  bool // of one element a row, not all of the space
	period  int  // where a strided operand repeats itself after so many elements
}

// mode is how the elements of an operand lie.
type mode int

const (
	direct  mode = iota // one after the other
	scalar              // one for all
	strided             // any other way: loaded into a register or stored from one
)

// code is what an instruction does.
type code int

const (
	compute_  code = iota // a kernel of elements
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
	op     compute.OpType // of reductions
	isMin  bool
	dst    ref
	in     [3]ref
	sink   int
}

// sinkPlan is a reduction over rows or over everything.
type sinkPlan struct {
	op      compute.OpType
	width   int // elements of an accumulator: columns, or some rows of them; 0 for everything
	cols    int // of the result; 1 for everything
	partial int // the storage of the accumulators, one a chunk
	result  operand
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
		case compute_:
			dst := l.at(x, f, c.dst, at)
			c.kernel(dst, l.at(x, f, c.in[0], at), l.at(x, f, c.in[1], at), l.at(x, f, c.in[2], at))
		case load:
			l.load(x, f, c, at)
		case store:
			o := &l.operands[c.dst.index]
			begin, count := at.span(o.column)
			src := l.at(x, f, c.in[0], at)
			o.store(x, src, begin, count)
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

func (o *operand) load(x *execution, dst block, from, n int) {
	src := unsafe.Add(x.base[o.storage], o.offset*o.width)
	if v := &o.view; len(v.dims) == 2 && v.strides[0] == 1 && v.strides[1] == 0 && from%v.dims[1] == 0 && n%v.dims[1] == 0 {
		expandColumn(dst, block{unsafe.Add(src, from/v.dims[1]*o.width), n / v.dims[1]}, v.dims[1], o.width)
		return
	}
	switch o.width {
	case 1:
		loadStrided[uint8](as[uint8](dst), src, o.view, from)
	case 2:
		loadStrided[uint16](as[uint16](dst), src, o.view, from)
	case 4:
		loadStrided[uint32](as[uint32](dst), src, o.view, from)
	case 8:
		loadStrided[uint64](as[uint64](dst), src, o.view, from)
	}
}

func (o *operand) store(x *execution, src block, from, n int) {
	dst := unsafe.Add(x.base[o.storage], o.offset*o.width)
	switch o.width {
	case 1:
		storeStrided[uint8](as[uint8](src), dst, o.view, from)
	case 2:
		storeStrided[uint16](as[uint16](src), dst, o.view, from)
	case 4:
		storeStrided[uint32](as[uint32](src), dst, o.view, from)
	case 8:
		storeStrided[uint64](as[uint64](src), dst, o.view, from)
	}
}

// walk goes over elements from… of a view in runs along its last axis.
type walk struct {
	view   *view
	index  [maxAxes]int
	offset int
}

const maxAxes = 16

func walkFrom(v *view, from int) walk {
	w := walk{view: v}
	for i := len(v.dims) - 1; i >= 0; i-- {
		w.index[i] = from % v.dims[i]
		from /= v.dims[i]
		w.offset += w.index[i] * v.strides[i]
	}
	return w
}

// left returns how many elements the run under way still has.
func (w *walk) left() int {
	last := len(w.view.dims) - 1
	return w.view.dims[last] - w.index[last]
}

// skip goes n elements on, to the end of the run at most.
func (w *walk) skip(n int) {
	v := w.view
	i := len(v.dims) - 1
	w.index[i] += n
	w.offset += n * v.strides[i]
	for ; i > 0 && w.index[i] == v.dims[i]; i-- {
		w.offset += v.strides[i-1] - w.index[i]*v.strides[i]
		w.index[i] = 0
		w.index[i-1]++
	}
}

func loadStrided[T uint8 | uint16 | uint32 | uint64](dst []T, src unsafe.Pointer, v view, from int) {
	var zero T
	width, stride := int(unsafe.Sizeof(zero)), v.strides[len(v.strides)-1]
	for w := walkFrom(&v, from); len(dst) > 0; {
		n := min(len(dst), w.left())
		p := unsafe.Add(src, w.offset*width)
		switch stride {
		case 0:
			fill(dst[:n], *(*T)(p))
		case 1:
			copy(dst[:n], unsafe.Slice((*T)(p), n))
		default:
			s := unsafe.Slice((*T)(p), (n-1)*stride+1)
			for i := range dst[:n] {
				dst[i] = s[i*stride]
			}
		}
		w.skip(n)
		dst = dst[n:]
	}
}

func storeStrided[T uint8 | uint16 | uint32 | uint64](src []T, dst unsafe.Pointer, v view, from int) {
	var zero T
	width, stride := int(unsafe.Sizeof(zero)), v.strides[len(v.strides)-1]
	for w := walkFrom(&v, from); len(src) > 0; {
		n := min(len(src), w.left())
		d := unsafe.Slice((*T)(unsafe.Add(dst, w.offset*width)), (n-1)*stride+1)
		if stride == 1 {
			copy(d, src[:n])
		} else {
			for i, value := range src[:n] {
				d[i*stride] = value
			}
		}
		w.skip(n)
		src = src[n:]
	}
}

// expandColumn repeats each element of a column along its row.
func expandColumn(dst, x block, cols, width int) {
	switch width {
	case 1:
		expandRows(as[uint8](dst), as[uint8](x), cols)
	case 2:
		expandRows(as[uint16](dst), as[uint16](x), cols)
	case 4:
		if cols%2 == 0 { // two at a time
			pairs := block{dst.at, dst.n / 2}
			for i, v := range as[uint32](x) {
				fill(as[uint64](pairs)[i*cols/2:(i+1)*cols/2], uint64(v)<<32|uint64(v))
			}
			return
		}
		expandRows(as[uint32](dst), as[uint32](x), cols)
	case 8:
		expandRows(as[uint64](dst), as[uint64](x), cols)
	}
}

func expandRows[T any](dst, x []T, cols int) {
	for i, v := range x {
		fill(dst[i*cols:(i+1)*cols], v)
	}
}

func fill[T any](dst []T, v T) {
	for ; len(dst) >= 8; dst = dst[8:] {
		d := (*[8]T)(dst)
		d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7] = v, v, v, v, v, v, v, v
	}
	for i := range dst {
		dst[i] = v
	}
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

// begin clears the accumulator of a chunk.
func (s *sinkPlan) begin(x *execution, chunk int) {
	if s.width == 0 {
		*s.total(x, chunk) = float64(neutral(s.op))
		return
	}
	fill(s.accumulator(x, chunk), neutral(s.op))
}

func (s *sinkPlan) accumulator(x *execution, chunk int) []float32 {
	return unsafe.Slice((*float32)(unsafe.Add(x.base[s.partial], chunk*s.width*4)), s.width)
}

func (s *sinkPlan) total(x *execution, chunk int) *float64 {
	return (*float64)(unsafe.Add(x.base[s.partial], chunk*8))
}

// addRows adds elements from… of the space to the accumulator's columns.
func (s *sinkPlan) addRows(x *execution, chunk, from int, values []float32) {
	acc := s.accumulator(x, chunk)
	for pos := from % s.width; len(values) > 0; pos = 0 {
		n := min(len(values), s.width-pos)
		simd.Zip(zipOf(s.op), acc[pos:pos+n], acc[pos:pos+n], values[:n])
		values = values[n:]
	}
}

func (s *sinkPlan) addAll(x *execution, chunk int, values []float32) {
	t := s.total(x, chunk)
	switch v := float64(reduceSlice(s.op, values)); s.op {
	case compute.OpTypeReduceSum:
		*t += v
	case compute.OpTypeReduceMax:
		*t = max(*t, v)
	default:
		*t = min(*t, v)
	}
}

// finish puts the chunks' accumulators together, in their order.
func (s *sinkPlan) finish(x *execution, chunks int) {
	dst := unsafe.Slice((*float32)(unsafe.Add(x.base[s.result.storage], s.result.offset*4)), s.cols)
	if s.width == 0 {
		t := *s.total(x, 0)
		for c := 1; c < chunks; c++ {
			switch v := *s.total(x, c); s.op {
			case compute.OpTypeReduceSum:
				t += v
			case compute.OpTypeReduceMax:
				t = max(t, v)
			default:
				t = min(t, v)
			}
		}
		dst[0] = float32(t)
		return
	}
	first := true
	for c := range chunks {
		acc := s.accumulator(x, c)
		for ; len(acc) > 0; acc = acc[s.cols:] {
			if first {
				copy(dst, acc[:s.cols])
				first = false
				continue
			}
			simd.Zip(zipOf(s.op), dst, dst, acc[:s.cols])
		}
	}
}
