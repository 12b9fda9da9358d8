package simd

import "testing"

// TestAllocations holds that kernels allocate nothing, with arguments on the
// stack too.
func TestAllocations(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		allocated := testing.AllocsPerRun(10, func() {
			var x, y, dst [100]float32
			var mask [100]bool
			var ints [100]int32
			one := [1]float32{2}
			Map(MapExp, dst[:], x[:])
			Zip(ZipAdd, dst[:], x[:], one[:])
			var long [300]float32
			Chain(long[:], long[:], []Link{{ZipSub, true, long[:]}, {ZipMul, false, one[:]}})
			Compare(CompareLess, mask[:], x[:], y[:])
			Select(dst[:], mask[:], x[:], one[:])
			FromInt32(dst[:], ints[:])
			y[0] = Sum(x[:]) + Max(x[:]) + float32(ArgMin(x[:]))
			Transpose(dst[:], 10, x[:], 10, 10, 10)
			p, random := PCG{1, 2}, [100]byte{}
			p.Fill(random[:])
		})
		if allocated != 0 {
			t.Errorf("%v allocations", allocated)
		}
	})
}
