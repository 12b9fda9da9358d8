package simd

import "testing"

// TestConvert compares with Go's conversions, to the bit.
func TestConvert(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := random(17)
		for _, n := range lengths() {
			i32, u32, i64, bools := make([]int32, n), make([]uint32, n), make([]int64, n), make([]bool, n)
			for i := range n {
				u32[i] = r.Uint32() >> (r.Uint32() % 32)
				i64[i] = int64(r.Uint64()) >> (r.Uint32() % 64)
				i32[i] = int32(i64[i])
				bools[i] = r.IntN(2) == 0
			}
			want := make([]float32, n)
			convert := func(name string, run func(dst []float32), exact func(i int) float32) {
				dst, check := guarded(t, n, (n*3)%16)
				run(dst)
				check()
				for i := range want {
					want[i] = exact(i)
				}
				equalBits(t, dst, want)
			}
			convert("FromInt32", func(dst []float32) { FromInt32(dst, i32) }, func(i int) float32 { return float32(i32[i]) })
			convert("FromUint32", func(dst []float32) { FromUint32(dst, u32) }, func(i int) float32 { return float32(u32[i]) })
			convert("FromInt64", func(dst []float32) { FromInt64(dst, i64) }, func(i int) float32 { return float32(i64[i]) })
			convert("FromBool", func(dst []float32) { FromBool(dst, bools) }, func(i int) float32 {
				if bools[i] {
					return 1
				}
				return 0
			})
		}
	})
}
