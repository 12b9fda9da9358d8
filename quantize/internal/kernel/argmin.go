package kernel

import "math"

// Argmin writes, for each of len(dst) rows of scores, the first k at which
// scores[i, k] + bias[k] is smallest; 0 where none is smaller than +Inf. Rows
// begin ld floats apart; len(bias) is a multiple of 16.
func Argmin(dst []int32, scores []float32, ld int, bias []float32) {
	if len(dst) == 0 {
		return
	}
	if len(bias)%16 != 0 || len(bias) == 0 {
		panic("kernel: Argmin: the length is not a multiple of 16")
	}
	_ = scores[(len(dst)-1)*ld+len(bias)-1]
	argmin(dst, scores, ld, bias)
}

// argminPortable specifies Argmin.
func argminPortable(dst []int32, scores []float32, ld int, bias []float32) {
	inf := float32(math.Inf(1))
	for i := range dst {
		best, at := inf, 0
		row := scores[i*ld:][:len(bias)]
		for k, b := range bias {
			if s := row[k] + b; s < best {
				best, at = s, k
			}
		}
		dst[i] = int32(at)
	}
}
