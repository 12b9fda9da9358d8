package additive

import (
	"slices"

	"github.com/kdcode/kdcode/internal/simd"
)

// rows are vectors in memory, less their mean, with their codes.
type rows struct {
	n       int
	X       []float32 // [n, stride]
	R       []float32 // [n, stride] what the codes leave over
	weights []float32 // [n]
	codes   []uint16  // [n, D]
	norm    float64   // Σ w‖v‖², the mean included
}

func newRows(n int, b *book) *rows {
	r := &rows{
		n: n,
		X: simd.AlignedFloats(n * b.stride), R: simd.AlignedFloats(n * b.stride),
		weights: make([]float32, n), codes: make([]uint16, n*b.D),
	}
	for i := range r.weights {
		r.weights[i] = 1
	}
	return r
}

func (r *rows) x(i, stride int) []float32    { return r.X[i*stride:][:stride:stride] }
func (r *rows) rest(i, stride int) []float32 { return r.R[i*stride:][:stride:stride] }
func (r *rows) code(i, length int) []uint16  { return r.codes[i*length:][:length:length] }
func (r *rows) slice(first, last int, b *book) *rows {
	return &rows{
		n: last - first,
		X: r.X[first*b.stride : last*b.stride], R: r.R[first*b.stride : last*b.stride],
		weights: r.weights[first:last], codes: r.codes[first*b.D : last*b.D],
	}
}

// fill puts vectors and weights (nil: all 1) into r, subtracting the mean.
func (r *rows) fill(vectors, weights []float32, b *book) {
	for i := range r.n {
		x, v := r.x(i, b.stride), vectors[i*b.d:][:b.d]
		for t := range v {
			x[t] = v[t] - b.mean[t]
		}
		clear(x[b.d:])
		if weights != nil {
			r.weights[i] = weights[i]
		}
	}
}

// choose returns at most n of N rows, in order, and a weight for each. A row's
// chance is in proportion to its weight, up to 1, and its weight is divided
// by its chance: sums over the sample are as those over the table.
func choose(N, n int, weights []float32, seed uint64) (chosen []int, of []float32) {
	weight := func(i int) float64 {
		if weights == nil {
			return 1
		}
		return float64(weights[i])
	}
	if n >= N {
		chosen, of = make([]int, N), make([]float32, N)
		for i := range chosen {
			chosen[i], of[i] = i, float32(weight(i))
		}
		return chosen, of
	}
	per := chance(N, n, weight)
	r := randomOf(seed, 's')
	// Systematic sampling: a row is chosen where the sum of chances passes a
	// whole number, counted from a random start.
	sum := r.unit()
	for i := range N {
		p := min(1, per*weight(i))
		before := int(sum)
		sum += p
		if int(sum) > before && p > 0 && len(chosen) < n {
			chosen, of = append(chosen, i), append(of, float32(weight(i)/p))
		}
	}
	return chosen, of
}

// chance returns c so that Σ_i min(1, c·weight(i)) is n, or near it.
func chance(N, n int, weight func(int) float64) float64 {
	total, sure := 0.0, 0
	sorted := make([]float64, N)
	for i := range sorted {
		sorted[i] = weight(i)
		total += sorted[i]
	}
	slices.SortFunc(sorted, func(a, b float64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	for sure < n && total > 0 && sorted[sure]*float64(n-sure) > total {
		total -= sorted[sure]
		sure++
	}
	if total <= 0 {
		return 0
	}
	return float64(n-sure) / total
}

// load reads the chosen rows, and sets the mean of the book to theirs.
func load(src Source, b *book, chosen []int, weights []float32) (*rows, error) {
	r := newRows(len(chosen), b)
	copy(r.weights, weights)
	next := 0
	err := EachChunk(src, func(first int, vectors []float32) error {
		for ; next < len(chosen) && chosen[next] < first+len(vectors)/b.d; next++ {
			copy(r.x(next, b.stride), vectors[(chosen[next]-first)*b.d:][:b.d])
		}
		return nil
	})
	r.centre(b)
	return r, err
}

// centre subtracts the weighted mean.
func (r *rows) centre(b *book) {
	mean, total := make([]float64, b.stride), 0.0
	for i := range r.n {
		w := float64(r.weights[i])
		total += w
		sum := 0.0
		for t, x := range r.x(i, b.stride) {
			mean[t] += w * float64(x)
			sum += float64(x) * float64(x)
		}
		r.norm += w * sum
	}
	for t := range mean {
		if total > 0 {
			b.mean[t] = float32(mean[t] / total)
		}
	}
	for i := range r.n {
		simd.Axpy(r.x(i, b.stride), -1, b.mean)
	}
}
