package simd

import "math"

// Sum returns Σ x[i], adding up parts of x first and then those, so that the
// error grows with the logarithm of the length.
func Sum(x []float32) float32 {
	if len(x) > sumPart {
		half := len(x) / 2 &^ (vector - 1) // whole cache lines
		return Sum(x[:half]) + Sum(x[half:])
	}
	return sum(x)
}

// sumPart is how many floats are added up in the order of a kernel.
const sumPart = 8192

// sumPortable specifies sum but for the order, as dotPortable does.
func sumPortable(x []float32) float32 {
	var s0, s1, s2, s3 float32
	for len(x) >= 4 {
		s0 += x[0]
		s1 += x[1]
		s2 += x[2]
		s3 += x[3]
		x = x[4:]
	}
	for _, v := range x {
		s0 += v
	}
	return (s0 + s1) + (s2 + s3)
}

// Max returns the largest of x: NaN where there is one, and -Inf for no floats.
// Of zeros it may return either.
func Max(x []float32) float32 { return maximum(x) }

// Min returns the smallest of x: NaN where there is one, and +Inf for no floats.
// Of zeros it may return either.
func Min(x []float32) float32 { return minimum(x) }

// maxPortable specifies Max.
func maxPortable(x []float32) float32 {
	most := float32(math.Inf(-1))
	for _, v := range x {
		most = max(most, v)
	}
	return most
}

// minPortable specifies Min.
func minPortable(x []float32) float32 {
	least := float32(math.Inf(1))
	for _, v := range x {
		least = min(least, v)
	}
	return least
}

// ArgMax returns the place of the largest float of x, the first of several. A
// NaN counts as the largest, and the last one of several: GoMLX's Go backend
// has it so. It returns 0 for no floats.
func ArgMax(x []float32) int { return placeOf(Max(x), x) }

// ArgMin is ArgMax for the smallest float. A NaN counts as the smallest.
func ArgMin(x []float32) int { return placeOf(Min(x), x) }

func placeOf(extreme float32, x []float32) int {
	if extreme != extreme {
		i := len(x) - 1
		for x[i] == x[i] {
			i--
		}
		return i
	}
	return max(index(x, extreme), 0)
}

// indexPortable specifies index: the first place of a in x, or -1.
func indexPortable(x []float32, a float32) int {
	for i, v := range x {
		if v == a {
			return i
		}
	}
	return -1
}
