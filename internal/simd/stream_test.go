package simd

import (
	"sync"
	"testing"
)

// BenchmarkStream runs functions over 5 million floats, more than caches hold, on
// two goroutines, beside a copy of them.
func BenchmarkStream(b *testing.B) {
	const n, parts = 5_000_000, 2
	x, dst := misaligned(random(1), n, 0), AlignedFloats(n)
	run := func(name string, f func(dst, x []float32)) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(8 * n)
			for b.Loop() {
				var done sync.WaitGroup
				for part := range parts {
					from, to := part*n/parts, (part+1)*n/parts
					done.Go(func() { f(dst[from:to], x[from:to]) })
				}
				done.Wait()
			}
		})
	}
	run("copy", func(dst, x []float32) { copy(dst, x) })
	for _, op := range []MapOp{MapExp, MapLog, MapTanh, MapLogistic} {
		run(op.String(), func(dst, x []float32) { Map(op, dst, x) })
	}
	run("Add", func(dst, x []float32) { Zip(ZipAdd, dst, x, x[:1]) })
}
