package quantize

import "math"

// scalarQuantize returns the table with each number rounded to one of 2^bits
// levels, evenly spread between the least and the largest of its column, and
// the bits that takes: the levels, and each column's two ends as float32.
func scalarQuantize(x Matrix, bits int) (Matrix, int64) {
	d := x.D
	least, largest := make([]float32, d), make([]float32, d)
	copy(least, x.Row(0))
	copy(largest, x.Row(0))
	for i := range x.Len() {
		for c, v := range x.Row(i) {
			least[c], largest[c] = min(least[c], v), max(largest[c], v)
		}
	}
	top := float64(int(1)<<bits - 1)
	y := Matrix{Data: make([]float32, len(x.Data)), D: d}
	for i := range x.Len() {
		row := y.Row(i)
		for c, v := range x.Row(i) {
			row[c] = least[c]
			if step := (float64(largest[c]) - float64(least[c])) / top; step > 0 {
				row[c] += float32(math.Round((float64(v)-float64(least[c]))/step) * step)
			}
		}
	}
	return y, int64(x.Len())*int64(d)*int64(bits) + 2*32*int64(d)
}
