package engine

import (
	"github.com/kdcode/kdcode/internal/gemm"
)

// products is a product of matrices, or of batches of them.
type products struct {
	batch int
	dst   matrix
	a, b  matrix
}

// matrix is where a matrix, or the first of a batch, lies.
type matrix struct {
	operand
	rows, cols                   int
	rowStride, colStride, stride int
	floats                       int // from the first to the last element of the batch
}

func (p *plan) newProduct(n *node) *products {
	s := &products{batch: 1, dst: p.matrixOf(n), a: p.matrixOf(n.inputs[0]), b: p.matrixOf(n.inputs[1])}
	if n.shape.Rank() == 3 {
		s.batch = n.shape.Dimensions[0]
	}
	return s
}

func (p *plan) matrixOf(n *node) matrix {
	at, v := p.where(n)
	m := matrix{operand: operand{storage: at.id, offset: v.offset, width: 4}}
	d, s := v.dims, v.strides
	if len(d) == 3 {
		m.stride = s[0]
		m.floats = (d[0] - 1) * s[0]
		d, s = d[1:], s[1:]
	}
	m.rows, m.cols, m.rowStride, m.colStride = d[0], d[1], s[0], s[1]
	m.floats += (m.rows-1)*m.rowStride + (m.cols-1)*m.colStride + 1
	return m
}

func (m *matrix) at(x *execution) gemm.Matrix {
	return gemm.Matrix{Data: x.floats(m.operand, m.floats), Rows: m.rows, Cols: m.cols, RowStride: m.rowStride, ColStride: m.colStride}
}

func (s *products) run(x *execution) {
	dst, a, b := s.dst.at(x), s.a.at(x), s.b.at(x)
	if s.batch == 1 {
		gemm.Mul(dst, a, b, false)
		return
	}
	gemm.MulBatch(s.batch, gemm.Batch{Matrix: dst, Stride: s.dst.stride}, gemm.Batch{Matrix: a, Stride: s.a.stride}, gemm.Batch{Matrix: b, Stride: s.b.stride}, false)
}
