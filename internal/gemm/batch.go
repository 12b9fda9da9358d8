package gemm

import (
	"fmt"

	"github.com/kdcode/kdcode/internal/parallel"
)

// A Batch is a row of equally shaped matrices: matrix i begins i·Stride floats
// after the first, which is the Matrix.
type Batch struct {
	Matrix
	Stride int
}

// at returns matrix i.
func (b Batch) at(i int) Matrix {
	m := b.Matrix
	if !m.empty() {
		m.Data = m.Data[i*b.Stride:]
	}
	return m
}

// checkAll panics where one of n matrices has elements outside the data.
func (b Batch) checkAll(name string, n int) {
	b.check(name)
	if b.Stride < 0 || !b.empty() && (n-1)*b.Stride >= len(b.Data) {
		panic(fmt.Sprintf("gemm: %d matrices %s with stride %d, their data only %d floats", n, name, b.Stride, len(b.Data)))
	}
	b.at(n - 1).check(name)
}

// disjoint says whether none of n matrices has an element of another: each ends
// before the next begins, or all lie side by side in the same rows.
func (b Batch) disjoint(n int) bool {
	return n == 1 || b.empty() ||
		b.Stride >= (b.Rows-1)*b.RowStride+b.Cols ||
		b.Stride >= b.Cols && (n-1)*b.Stride+b.Cols <= b.RowStride
}

// stacked says whether the rows of all matrices are equally far apart, as those
// of one matrix.
func (b Batch) stacked() bool { return b.Stride == b.Rows*b.RowStride }

// MulBatch computes n products, dst = a·b or dst += a·b with add, of the
// matrices at the same place in each batch. Those of a and of b may overlap:
// stride 0 takes the same one n times.
func MulBatch(n int, dst, a, b Batch, add bool) {
	if n <= 0 {
		return
	}
	dst.checkAll("dst", n)
	a.checkAll("a", n)
	b.checkAll("b", n)
	checkShapes(dst.Matrix, a.Matrix, b.Rows, b.Cols)
	if !dst.disjoint(n) {
		panic("gemm: the matrices of dst overlap")
	}
	if b.Stride == 0 && a.stacked() && dst.stacked() {
		dst.Rows *= n
		a.Rows *= n
		Mul(dst.Matrix, a.Matrix, b.Matrix, add)
		return
	}
	s := series.get()
	s.dst, s.a, s.b, s.add = dst, a, b, add
	work := dst.Rows * a.Cols * dst.Cols
	if work < divisible || n >= 4*parallel.Threads() {
		parallel.For(n, 1+divisible/(1+work), s.run)
	} else {
		s.mul(0, n) // each divided
	}
	s.dst, s.a, s.b = Batch{}, Batch{}, Batch{}
	series.put(s)
}

// divisible is the number of multiplications from which on a product is worth
// more than one processor.
const divisible = 1 << 17

// serie is a call of MulBatch under way.
type serie struct {
	dst, a, b Batch
	add       bool
	run       func(from, to int) // mul, bound once
}

var series = freeList[serie]{fresh: func() *serie {
	s := new(serie)
	s.run = s.mul
	return s
}}

func (s *serie) mul(from, to int) {
	for i := from; i < to; i++ {
		Mul(s.dst.at(i), s.a.at(i), s.b.at(i), s.add)
	}
}
