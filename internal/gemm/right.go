package gemm

import "github.com/kdcode/kdcode/internal/simd"

// panel is the number of columns of a panel of b.
const panel = 32

// A right is the right-hand matrix of a product: a Matrix, or the shape of one
// that was packed.
type right struct {
	Matrix
	packed []float32
}

// panelBuffer has room for one panel.
type panelBuffer []float32

var panelBuffers = freeList[panelBuffer]{fresh: func() *panelBuffer {
	b := panelBuffer(simd.AlignedFloats(maxDepth * panel))
	return &b
}}

// panel returns the panel of width columns from col on, with the distance of its
// rows: what was packed, or the matrix itself where rows of dst are few and the
// panel is whole (kernels read all columns of a panel), or else packed into
// the buffer.
func (r right) panel(buffer *panelBuffer, depth span, col, width, rows int) ([]float32, int) {
	if r.packed != nil {
		whole := blocks(r.Cols, panel) * panel
		return r.packed[depth.from*whole+col*depth.len():], panel
	}
	src := r.Data[depth.from*r.RowStride+col*r.ColStride:]
	if rows <= directRows && r.ColStride == 1 && width == panel {
		return src, r.RowStride
	}
	pack(*buffer, panel, src, r.ColStride, r.RowStride, width, depth.len())
	return *buffer, panel
}
