package engine

import (
	"fmt"
	"unsafe"

	"github.com/gomlx/compute/dtypes"

	"github.com/kdcode/kdcode/internal/simd"
)

// take copies rows of a table by their indices. An index outside the table is
// taken for the nearest row, as GoMLX's gather does; its one-hot vector is zero,
// and so is what that makes of the table.
type take struct {
	table, index, dst operand
	wide              bool // indices of 64 bits
	hot               bool // of one-hot vectors
	tableRows, rows   int
	width             int // elements a row
}

func (p *plan) newTake(n *node) *take {
	table, index := n.inputs[0], n.inputs[1]
	t := &take{table: p.operandOf(table), index: p.operandOf(index), dst: p.operandOf(n)}
	t.wide, t.hot = index.shape.DType == dtypes.Int64, n.attrs.(byIndex).hot
	t.tableRows, t.rows = table.shape.Dimensions[0], index.shape.Size()
	t.width = table.shape.Size() / t.tableRows
	return t
}

func (t *take) run(x *execution) { x.split(t, t.rows, 1+(1<<15)/(t.width*t.table.width)) }

func (t *take) part(x *execution, from, to int) {
	table, dst := x.bytesOf(t.table, t.tableRows*t.width), x.bytesOf(t.dst, t.rows*t.width)
	size := t.width * t.table.width
	for i := from; i < to; i++ {
		row := x.indexAt(t.index, t.wide, i)
		if t.hot && (row < 0 || row >= t.tableRows) {
			clear(dst[i*size : (i+1)*size])
			continue
		}
		row = min(max(row, 0), t.tableRows-1)
		copy(dst[i*size:(i+1)*size], table[row*size:])
	}
}

// indexAt returns index i.
func (x *execution) indexAt(o operand, wide bool, i int) int {
	p := unsafe.Add(x.base[o.storage], (o.offset+i)*o.width)
	if wide {
		return int(*(*int64)(p))
	}
	return int(*(*int32)(p))
}

// add adds rows to a table at indices, in their order. It works in the table
// where that is read no more. An index outside the table is an error; a one-hot
// vector of it adds nothing.
type add struct {
	table, index, rows, dst operand
	wide, hot               bool
	inPlace                 bool
	tableRows, count, width int
}

func (p *plan) newAdd(n *node) *add {
	table, index, rows := n.inputs[0], n.inputs[1], n.inputs[2]
	a := &add{index: p.operandOf(index), rows: p.operandOf(rows), wide: index.shape.DType == dtypes.Int64, hot: n.attrs.(byIndex).hot}
	a.tableRows, a.count = table.shape.Dimensions[0], index.shape.Size()
	a.width = table.shape.Size() / a.tableRows
	at, v := p.where(table)
	a.inPlace = v.isContiguous() && v.offset == 0 && baseOf(rows) != baseOf(table) && p.takeOver(n, baseOf(table))
	a.dst = p.operandOf(n)
	if !a.inPlace {
		a.table = operand{storage: at.id, offset: v.offset, width: 4}
		if c := v.collapse(); !v.isContiguous() {
			a.table.mode, a.table.view = strided, c
		}
	}
	return a
}

func (a *add) run(x *execution) {
	if !a.inPlace {
		x.split((*addCopy)(a), a.tableRows, 1+(1<<15)/a.width)
	}
	x.split(a, a.width, 1+(1<<14)/a.count)
}

// addCopy is the first part of an addition: the table is copied.
type addCopy add

func (a *addCopy) part(x *execution, from, to int) {
	dst := x.floats(a.dst, a.tableRows*a.width)[from*a.width : to*a.width]
	if a.table.mode == strided {
		a.table.load(x, block{unsafe.Pointer(&dst[0]), len(dst)}, from*a.width, len(dst))
		return
	}
	copy(dst, x.floats(a.table, a.tableRows*a.width)[from*a.width:])
}

// part adds columns from…to of all rows: two rows may go to the same place.
func (a *add) part(x *execution, from, to int) {
	dst, rows := x.floats(a.dst, a.tableRows*a.width), x.floats(a.rows, a.count*a.width)
	for i := range a.count {
		row := x.indexAt(a.index, a.wide, i)
		if row < 0 || row >= a.tableRows {
			if a.hot {
				continue
			}
			panic(stepError{fmt.Errorf("row %d of a table of %d is added to", row, a.tableRows)})
		}
		simd.Add(dst[row*a.width+from:row*a.width+to], rows[i*a.width+from:i*a.width+to])
	}
}
