package quantize

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/kdcode/kdcode/internal/simd"
)

// lowRank returns the best approximation of the table by a product of an
// [N, rank] and a [rank, d] matrix (a truncated singular value decomposition),
// and the bits that takes in float32.
func lowRank(x Matrix, rank, threads int) (Matrix, int64, error) {
	basis, err := principal(x, rank, threads)
	if err != nil {
		return Matrix{}, 0, err
	}
	y := Matrix{Data: make([]float32, len(x.Data)), D: x.D}
	parallel(threads, x.Len(), func(i int) {
		row := y.Row(i)
		for r := range rank {
			v := basis.Row(r)
			simd.Axpy(row, simd.Dot(x.Row(i), v), v)
		}
	})
	return y, 32 * int64(rank) * int64(x.Len()+x.D), nil
}

// rankOf returns the rank whose product takes at most so many bits.
func rankOf(bits int64, n, d int) int {
	return int(max(1, min(int64(d), bits/32/int64(n+d))))
}

// principal returns the rank leading right singular vectors of x as rows of
// length 1: the eigenvectors of XᵀX with the largest eigenvalues.
func principal(x Matrix, rank, threads int) (Matrix, error) {
	var eigen mat.EigenSym
	if !eigen.Factorize(mat.NewSymDense(x.D, gram(x, threads)), true) {
		return Matrix{}, fmt.Errorf("%w: the eigenvectors of its covariance cannot be computed", ErrInput)
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors) // columns, eigenvalues rising
	basis := Matrix{Data: make([]float32, rank*x.D), D: x.D}
	for r := range rank {
		for c := range x.D {
			basis.Row(r)[c] = float32(vectors.At(c, x.D-1-r))
		}
	}
	return basis, nil
}

// gram returns XᵀX [d, d]. Blocks of rows are summed in float32, blocks in
// float64; the result does not depend on the threads.
func gram(x Matrix, threads int) []float64 {
	d := x.D
	sum := make([]float64, d*d)
	const block = 256
	blocks := (x.Len() + block - 1) / block
	// A column of XᵀX belongs to one worker, so that no two add to one sum.
	parallel(min(threads, d), d, func(c int) {
		acc := make([]float32, d)
		for b := range blocks {
			clear(acc)
			for i := b * block; i < min((b+1)*block, x.Len()); i++ {
				row := x.Row(i)
				simd.Axpy(acc, row[c], row)
			}
			for k, v := range acc {
				sum[c*d+k] += float64(v)
			}
		}
	})
	return sum
}
