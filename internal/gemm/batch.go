package gemm

import "github.com/kdcode/kdcode/internal/parallel"

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

// MulBatch computes n products, dst = a·b or dst += a·b with add, of the
// matrices at the same place in each batch. Those of a and of b may overlap:
// stride 0 takes the same one n times.
func MulBatch(n int, dst, a, b Batch, add bool) {
	if n <= 0 {
		return
	}
	if n > 1 && dst.Stride < dst.Rows*dst.Cols {
		panic("gemm: the matrices of dst overlap")
	}
	s := series.get()
	s.dst, s.a, s.b, s.add = dst, a, b, add
	if flops(dst.Rows, a.Cols, dst.Cols) < divisible {
		parallel.For(n, 1+divisible/(1+flops(dst.Rows, a.Cols, dst.Cols)), s.run)
	} else {
		s.mul(0, n)
	}
	s.dst, s.a, s.b = Batch{}, Batch{}, Batch{}
	series.put(s)
}

// divisible is the number of multiplications from which on a product is worth
// more than one processor.
const divisible = 1 << 17

func flops(m, k, n int) int { return m * k * n }

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
