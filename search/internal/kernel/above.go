package kernel

// Above tells which sums reach a bound of their own. Bit i%64 of dst[i/64] is
// set unless
//
//	float32(sums[i]) < a·x[i] + b
//
// so that it is set where the bound is not a number. It panics unless dst has
// a bit for each of sums and x.
func Above(dst []uint64, sums []uint16, x []float32, a, b float32) {
	if len(sums) != Block*len(dst) || len(x) != len(sums) {
		panic("kernel: Above: lengths do not match")
	}
	if len(dst) > 0 {
		above(dst, sums, x, a, b)
	}
}

// abovePortable specifies Above. The conversion keeps the product from being
// fused with the sum.
func abovePortable(dst []uint64, sums []uint16, x []float32, a, b float32) {
	for w := range dst {
		var bits uint64
		s, y := (*[Block]uint16)(sums[w*Block:]), (*[Block]float32)(x[w*Block:])
		for i := range s {
			if !(float32(s[i]) < float32(a*y[i])+b) {
				bits |= 1 << i
			}
		}
		dst[w] = bits
	}
}
