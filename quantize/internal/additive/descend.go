package additive

import (
	"context"

	"github.com/kdcode/kdcode/internal/simd"
)

// descents is how many times descend goes through the digits.
const descents = 3

// descend improves W for the codes without a matrix of normal equations: one
// digit at a time, each code embedding moves by the mean of the residuals of
// its rows, which is the least squares solution where the other digits stay
// as they are.
func (l *learner) descend(ctx context.Context) error {
	begin, order := make([]int, l.K+1), make([]int32, l.n)
	for range descents {
		for j := range l.D {
			l.sortBy(j, begin, order)
			err := l.each(ctx, l.K, 1, func(worker, k, _ int) {
				l.moveMean(j, k, order[begin[k]:begin[k+1]], l.sums[worker])
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// sortBy orders rows by digit j; those of value k are order[begin[k]:begin[k+1]].
func (l *learner) sortBy(j int, begin []int, order []int32) {
	clear(begin)
	for i := range l.n {
		begin[l.codes[i*l.D+j]+1]++
	}
	for k := range l.K {
		begin[k+1] += begin[k]
	}
	next := append([]int(nil), begin[:l.K]...)
	for i := range l.n {
		k := l.codes[i*l.D+j]
		order[next[k]] = int32(i)
		next[k]++
	}
}

// moveMean adds the mean of the residuals of some rows to W^j[k], and subtracts
// it from them.
func (l *learner) moveMean(j, k int, of []int32, mean []float32) {
	var total float32
	for _, i := range of {
		total += l.weights[i]
	}
	if total <= 0 {
		return
	}
	clear(mean)
	for _, i := range of {
		simd.Axpy(mean, l.weights[i]/total, l.rest(int(i), l.stride))
	}
	simd.Add(l.of(j, k), mean)
	for _, i := range of {
		simd.Axpy(l.rest(int(i), l.stride), -1, mean)
	}
}
