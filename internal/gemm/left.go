package gemm

import (
	"github.com/kdcode/kdcode/internal/hugepages"
	"github.com/kdcode/kdcode/internal/simd"
)

// left is the left-hand side of a block: rows of a, in tiles.
type left struct {
	a      Matrix
	height int  // rows of a tile
	packed bool // or read where a lies
	memory []float32
}

// take makes rows of a the left-hand side. Tiles are as equal as can be: two of
// 8 rows need less time than one of 14 and one of 2.
func (l *left) take(a Matrix, packed bool) {
	l.a, l.packed = a, packed
	l.height = blocks(a.Rows, blocks(a.Rows, shape.rows))
	if packed {
		l.memory = atLeast(l.memory, l.tiles()*shape.step*a.Cols)
	}
}

func (l *left) tiles() int { return blocks(l.a.Rows, l.height) }

// at returns the rows of tile i.
func (l *left) at(i int) span { return span{i * l.height, min((i+1)*l.height, l.a.Rows)} }

// pack packs tiles from…to.
func (l *left) pack(from, to int) {
	part := l.a.part(span{from * l.height, min(to*l.height, l.a.Rows)}, span{0, l.a.Cols})
	layout := layout{piece: l.height, next: shape.step * l.a.Cols, step: shape.step}
	pack(l.tile(from).data, layout, part.Data, part.RowStride, part.ColStride, part.Rows, part.Cols)
}

func (l *left) tile(i int) rows {
	if l.packed {
		return rows{data: l.memory[i*shape.step*l.a.Cols:], row: 1, col: shape.step}
	}
	return rows{data: l.a.Data[i*l.height*l.a.RowStride:], row: l.a.RowStride, col: l.a.ColStride}
}

// atLeast returns memory, or more of it where it is less than n floats.
func atLeast(memory []float32, n int) []float32 {
	if len(memory) < n {
		memory = simd.AlignedFloats(n)
		hugepages.Advise(memory)
	}
	return memory
}
