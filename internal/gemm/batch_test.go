package gemm

import (
	"fmt"
	"testing"
)

func TestMulBatch(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := random(1)
		for _, s := range []struct{ count, m, k, n int }{
			{0, 3, 4, 5}, {1, 3, 4, 5}, {7, 3, 4, 5}, {3, 0, 4, 5}, {3, 4, 0, 5}, {40, 17, 20, 33}, {2, 60, 70, 80}, {500, 1, 16, 4},
		} {
			for _, add := range []bool{false, true} {
				for _, shared := range []bool{false, true} {
					batch := func(rows, cols, layout int) Batch {
						all := randomMatrix(r, max(s.count, 1)*rows, cols, layout)
						stride := rows * all.RowStride
						all.Rows = rows
						return Batch{all, stride}
					}
					dst, a, b := batch(s.m, s.n, byRows), batch(s.m, s.k, byCols), batch(s.k, s.n, withGaps)
					if shared {
						b.Stride = 0
					}
					before := Batch{dst.clone(), dst.Stride}
					MulBatch(s.count, dst, a, b, add)
					for i := range s.count {
						what := fmt.Sprintf("%+v, add %v, shared %v, product %d", s, add, shared, i)
						checkProduct(t, what, dst.one(i), before.one(i), a.one(i), b.one(i), add)
					}
				}
			}
		}
	})
}

// TestMulBatchSideBySide multiplies matrices that lie in the same rows, as the
// heads of an attention do.
func TestMulBatchSideBySide(t *testing.T) {
	const count, m, k, n = 3, 5, 7, 4
	r := random(2)
	dst, a, b := randomMatrix(r, m, count*n, byRows), randomMatrix(r, m, count*k, byRows), randomMatrix(r, k, n, byRows)
	MulBatch(count, Batch{dst.cols(span{0, n}), n}, Batch{a.cols(span{0, k}), k}, Batch{b, 0}, false)
	for i := range count {
		got := dst.cols(span{i * n, (i + 1) * n}).clone()
		checkProduct(t, "side by side", got, got, a.cols(span{i * k, (i + 1) * k}), b, false)
	}
}

// TestMulBatchApart multiplies matrices with a shared one where those of one side
// lie further apart than their rows: they are not one tall matrix.
func TestMulBatchApart(t *testing.T) {
	const count, m, k, n = 3, 5, 7, 4
	for _, apart := range []struct{ dst, a int }{{2, 0}, {0, 3}, {2, 3}} {
		r := random(3)
		batch := func(rows, cols, apart int) Batch {
			all := randomMatrix(r, count*rows+(count-1)*apart, cols, byRows)
			stride := (rows + apart) * all.RowStride
			all.Rows = rows
			return Batch{all, stride}
		}
		dst, a, b := batch(m, n, apart.dst), batch(m, k, apart.a), randomMatrix(r, k, n, byRows)
		MulBatch(count, dst, a, Batch{b, 0}, false)
		for i := range count {
			checkProduct(t, fmt.Sprintf("%+v apart", apart), dst.one(i), dst.one(i), a.one(i), b, false)
		}
	}
}

// one returns product i with the data that is its own.
func (b Batch) one(i int) Matrix {
	m := b.at(i)
	if !m.empty() {
		m.Data = m.Data[:(m.Rows-1)*m.RowStride+(m.Cols-1)*m.ColStride+1]
	}
	return m
}
