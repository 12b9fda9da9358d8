package engine

import "github.com/kdcode/kdcode/internal/simd"

// turn copies a value whose memory runs along another axis than the last: a
// transposition. It goes tile by tile, so that both sides are read and written
// in whole cache lines.
type turn struct {
	src, dst operand
	outer    view // of the other axes, in the source; its offsets in the result are those of whole matrices
	matrix   struct {
		columns, rows        int // columns run through the source's memory, rows through the result's
		srcStride, dstStride int
	}
	outerStrides []int // in the result
	size         int
}

const (
	minTurned  = 1024 // fewer elements are loaded one by one
	turnedTile = 64   // columns
)

// isTurned reports whether a value of 32 bits runs along another axis than the
// last one.
func isTurned(n *node) bool {
	if classOf(n) != viewOf || n.shape.DType.Size() != 4 || n.shape.Size() < minTurned {
		return false
	}
	v := layoutOf(n).collapse()
	return alongAxis(v) >= 0
}

// alongAxis returns the axis, before the last, along which memory runs; -1 if
// there is none.
func alongAxis(v view) int {
	last := len(v.dims) - 1
	if last < 1 || v.strides[last] < 2 {
		return -1
	}
	for i, s := range v.strides[:last] {
		if s == 1 {
			return i
		}
	}
	return -1
}

func (p *plan) newTurn(n *node) *turn {
	at, v := p.where(n.inputs[0])
	c := v.collapse()
	axis, last := alongAxis(c), len(c.dims)-1
	t := &turn{src: operand{storage: at.id, offset: c.offset, width: 4}, dst: p.operandOf(n), size: n.shape.Size()}
	result := contiguous(c.dims)
	t.matrix.columns, t.matrix.rows = c.dims[axis], c.dims[last]
	t.matrix.srcStride, t.matrix.dstStride = c.strides[last], result.strides[axis]
	for i := range last {
		if i != axis {
			t.outer.dims = append(t.outer.dims, c.dims[i])
			t.outer.strides = append(t.outer.strides, c.strides[i])
			t.outerStrides = append(t.outerStrides, result.strides[i])
		}
	}
	return t
}

func (t *turn) tiles() int { return (t.matrix.columns + turnedTile - 1) / turnedTile }

func (t *turn) run(x *execution) {
	x.split(t, product(t.outer.dims)*t.tiles(), 1+(1<<14)/(turnedTile*t.matrix.rows))
}

// part turns tiles from…to, of all matrices one after the other.
func (t *turn) part(x *execution, from, to int) {
	m := &t.matrix
	dst := x.floats(t.dst, t.size)
	for i := from; i < to; i++ {
		source, result := 0, 0
		for rest, axis := i/t.tiles(), len(t.outer.dims)-1; axis >= 0; axis-- {
			at := rest % t.outer.dims[axis]
			rest /= t.outer.dims[axis]
			source += at * t.outer.strides[axis]
			result += at * t.outerStrides[axis]
		}
		column := i % t.tiles() * turnedTile
		columns := min(turnedTile, m.columns-column)
		src := operand{storage: t.src.storage, offset: t.src.offset + source + column}
		simd.Transpose(dst[result+column*m.dstStride:], m.dstStride, x.floats(src, (m.rows-1)*m.srcStride+columns), m.srcStride, m.rows, columns)
	}
}
