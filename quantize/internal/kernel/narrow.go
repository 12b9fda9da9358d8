package kernel

import "math"

// Narrow rounds scale·src to 16 bits, to the even one where two are as near;
// what does not fit becomes ±32767. The lengths are equal, a multiple of 16.
func Narrow(dst []int16, src []float32, scale float32) {
	if len(dst) != len(src) || len(src)%16 != 0 {
		panic("kernel: Narrow: lengths do not match")
	}
	if len(dst) > 0 {
		narrow(dst, src, scale)
	}
}

// narrowPortable specifies Narrow, for numbers.
func narrowPortable(dst []int16, src []float32, scale float32) {
	for i, x := range src {
		dst[i] = int16(math.RoundToEven(float64(max(-32767, min(32767, float32(x*scale))))))
	}
}
