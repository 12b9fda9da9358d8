package search

import (
	"math"
	"slices"

	"github.com/kdcode/kdcode/search/internal/kernel"
)

// byteTables are partial scores in steps of a common size, a byte each: what
// the fast scan adds up. The score of a symbol is at most
//
//	top + step·(the sum of its bytes)
type byteTables struct {
	bytes []uint8 // [D, 64]
	step  float64
	top   float64
}

// newByteTables rounds partial scores [D, K]. It returns false where they are
// not finite. Neither a pair of digits nor a sum of all can overflow.
func newByteTables(tables []float32, K, D int) (byteTables, bool) {
	b := byteTables{bytes: make([]uint8, D*kernel.Ways)}
	low := make([]float64, D)
	var widest, pair, total float64
	for j := range D {
		table := tables[j*K:][:K]
		low[j] = float64(slices.Min(table))
		wide := float64(slices.Max(table)) - low[j]
		if j%2 == 0 {
			pair = 0
		}
		pair += wide
		widest = max(widest, pair)
		total += wide
	}
	// Rounding adds at most half a step to each byte.
	b.step = max(widest/254, total/float64(math.MaxUint16-D))
	if math.IsNaN(b.step) || math.IsInf(b.step, 0) {
		return b, false
	}
	if b.step == 0 {
		b.step = 1 // all values of a digit score alike
	}
	for j := range D {
		b.top += low[j] + b.round(b.bytes[j*kernel.Ways:], tables[j*K:][:K], low[j])
	}
	return b, true
}

// round writes a table in steps above low. It returns by how much a score
// exceeds its rounded one at most.
func (b *byteTables) round(dst []uint8, table []float32, low float64) (most float64) {
	for k, s := range table {
		above := float64(s) - low
		dst[k] = uint8(above/b.step + 0.5)
		most = max(most, above-float64(dst[k])*b.step)
	}
	return most
}
