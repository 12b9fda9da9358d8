package learn

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
)

// TestStraightThroughOfScalar compares a step with one worked out by hand.
func TestStraightThroughOfScalar(t *testing.T) {
	const n, d, bits = 7, 6, 4
	occurrences := []int32{2, 5, 2, 6, 4, 2, 5} // and padding, which is 0
	r := newRig(t, NewScalar(n, d, bits), dtypes.Float64, distinct(t, occurrences, n, 3))
	r.set("/layer/low", []float64{-0.3})
	r.set("/layer/high", []float64{0.42})
	table := r.get("/layer/table")
	table[0] = 100 // must not widen the range
	r.set("/layer/table", table)

	least, most := 0.0, 0.0 // of the rows that occur
	for _, id := range occurrences {
		for _, x := range table[int(id)*d:][:d] {
			least, most = min(least, x), max(most, x)
		}
	}
	low, high := 0.99*-0.3+0.01*least, 0.99*0.42+0.01*most
	step := (high - low) / (1<<bits - 1)
	zero := math.Round(-low / step)

	linear, square := fluctuate(len(occurrences)*d, 1), fluctuate(len(occurrences)*d, 2)
	v, gradient := make([]float64, len(occurrences)*d), make([]float64, n*d)
	clipped := 0
	for o, id := range occurrences {
		for i := range d {
			x := table[int(id)*d+i]
			level := min(max(math.Round(x/step)+zero, 0), 1<<bits-1)
			v[o*d+i] = (level - zero) * step
			if x < -zero*step || x > (1<<bits-1-zero)*step {
				clipped++
				continue // out of range: no gradient
			}
			gradient[int(id)*d+i] += linear[o*d+i] + square[o*d+i]*v[o*d+i]
		}
	}
	if clipped == 0 || clipped == len(v) {
		t.Fatalf("%d of %d numbers are out of range: the test wants some", clipped, len(v))
	}

	got := r.run()
	sameValues(t, "embeddings", got.v, v, 1e-12)
	sameValues(t, "gradient", got.gradients["/layer/table"], gradient, 1e-12)
	sameValues(t, "gradient by rows", got.rows["/layer/table"], gradient, 1e-12)
	sameValues(t, "low", got.statistics["/layer/low"], []float64{low}, 1e-12)
	sameValues(t, "high", got.statistics["/layer/high"], []float64{high}, 1e-12)
}
