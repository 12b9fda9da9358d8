package gemm

import (
	"fmt"

	"github.com/kdcode/kdcode/internal/parallel"
)

// Packed is a right-hand matrix laid out for MulPacked: for weights that are
// multiplied with several matrices before they change. It is packed for the
// instructions of this machine: nothing to be stored.
//
// Blocks of depth, in each all panels, in each all rows.
type Packed struct {
	rows, cols int
	data       []float32
}

// PackedSize returns how many floats a packed rows×cols matrix takes.
func PackedSize(rows, cols int) int { return rows * blocks(cols, shape.panel) * shape.panel }

// Pack lays b out in buffer, which has PackedSize floats or more and belongs to
// the Packed from then on. It reads b once.
func Pack(buffer []float32, b Matrix) Packed {
	b.check("b")
	size := PackedSize(b.Rows, b.Cols)
	if len(buffer) < size {
		panic(fmt.Sprintf("gemm: a buffer of %d floats for a packed matrix of %d", len(buffer), size))
	}
	k := packings.get()
	k.b, k.buffer = b, buffer[:size:size]
	parallel.For(blocks(b.Cols, shape.panel), 1+packWork/(shape.panel*max(b.Rows, 1)), k.run)
	packed := Packed{rows: b.Rows, cols: b.Cols, data: k.buffer}
	k.b, k.buffer = Matrix{}, nil
	packings.put(k)
	return packed
}

// packedPanels returns the panels of a block of depth in packed data.
func packedPanels(data []float32, cols int, depth span) []float32 {
	return data[PackedSize(depth.from, cols):PackedSize(depth.to, cols)]
}

// packing is a call of Pack under way.
type packing struct {
	b      Matrix
	buffer []float32
	run    func(from, to int) // panels, bound once
}

var packings = freeList[packing]{fresh: func() *packing {
	k := new(packing)
	k.run = k.panels
	return k
}}

// panels packs panels from…to of all blocks of depth.
func (k *packing) panels(from, to int) {
	for d := range blocks(k.b.Rows, maxDepth) {
		depth := block(d, k.b.Rows, maxDepth, 1)
		dst, b := packedPanels(k.buffer, k.b.Cols, depth), k.b.part(depth, span{0, k.b.Cols})
		packPanels(dst[from*shape.panel*depth.len():], b, span{from, to})
	}
}
