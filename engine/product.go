package engine

import (
	"unsafe"

	"github.com/kdcode/kdcode/internal/gemm"
)

// products is a product of matrices, or of batches of them.
type products struct {
	batch int
	dst   matrix
	a, b  matrix

	// packed is the storage of b as MulPacked wants it, where several products
	// of a plan have the same b; the first packs it.
	packed *storage
	packs  bool
}

// minPacked is how many products make it worth packing their right-hand matrix
// ahead.
const minPacked = 3

// matrix is where a matrix, or the first of a batch, lies.
type matrix struct {
	storage, offset              int
	rows, cols                   int
	rowStride, colStride, stride int
	floats                       int // from the first to the last element of the batch
}

func (p *plan) newProduct(n *node) *products {
	s := &products{batch: 1, dst: p.matrixOf(n), a: p.matrixOf(n.inputs[0]), b: p.matrixOf(n.inputs[1])}
	if n.shape.Rank() == 3 {
		s.batch = n.shape.Dimensions[0]
		return s
	}
	if same := p.rights[n]; same.count >= minPacked {
		if same.packed == nil {
			same.packed = p.newStorage(&storage{bytes: 4 * gemm.PackedSize(s.b.rows, s.b.cols), first: p.now, last: same.last, output: -1})
			s.packs = true
		}
		s.packed = same.packed
	}
	return s
}

// right is a right-hand matrix that several products have.
type right struct {
	count, last int // last is the last unit with it
	packed      *storage
}

// findRights counts the products of each right-hand matrix. It does so while
// every value has a storage of its own: later one may be computed in the place
// of another.
func (p *plan) findRights(units []*unit) {
	p.rights = map[*node]*right{}
	same := map[matrix]*right{}
	for i, u := range units {
		if u.class != multiplied || u.nodes[0].shape.Rank() != 2 {
			continue
		}
		n := u.nodes[0]
		b := p.matrixOf(n.inputs[1])
		if same[b] == nil {
			same[b] = &right{}
		}
		same[b].count++
		same[b].last = i
		p.rights[n] = same[b]
	}
}

func (p *plan) matrixOf(n *node) matrix {
	at, v := p.where(n)
	m := matrix{storage: at.id, offset: v.offset}
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
	return gemm.Matrix{Data: x.floats(operand{storage: m.storage, offset: m.offset}, m.floats), Rows: m.rows, Cols: m.cols, RowStride: m.rowStride, ColStride: m.colStride}
}

func (s *products) run(x *execution) {
	dst, a, b := s.dst.at(x), s.a.at(x), s.b.at(x)
	if s.packed != nil {
		if s.packs {
			x.packed[s.packed.id] = gemm.Pack(unsafe.Slice((*float32)(x.base[s.packed.id]), s.packed.bytes/4), b)
		}
		gemm.MulPacked(dst, a, x.packed[s.packed.id], false)
		return
	}
	if s.batch == 1 {
		gemm.Mul(dst, a, b, false)
		return
	}
	gemm.MulBatch(s.batch, gemm.Batch{Matrix: dst, Stride: s.dst.stride}, gemm.Batch{Matrix: a, Stride: s.a.stride}, gemm.Batch{Matrix: b, Stride: s.b.stride}, false)
}
