package gemm

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/kdcode/kdcode/internal/hugepages"
)

// benchShapes are those that docs/engine-openblas.py measures with OpenBLAS: of a
// square product, of a language model's steps and their gradients, of vectors.
var benchShapes = []struct {
	m, k, n int
	kind    string // N or T for each of a and b: as it lies, or transposed
	add     bool
}{
	{1024, 1024, 1024, "NN", false},
	{2048, 2048, 2048, "NN", false},
	{20, 200, 800, "NN", false},
	{20, 650, 2600, "NN", false},
	{400, 200, 10000, "NN", false},
	{200, 400, 10000, "TN", false},
	{400, 10000, 200, "NT", false},
	{700, 650, 10000, "NN", false},
	{20, 800, 200, "NT", false},
	{20, 2600, 650, "NT", false},
	{200, 20, 800, "TN", true},
	{650, 20, 2600, "TN", true},
	{1, 650, 2600, "NN", false},
	{4, 650, 2600, "NN", false},
	{8, 650, 2600, "NN", false},
	{1, 2600, 650, "NT", false},
	{8, 2600, 650, "NT", false},
	{1024, 32, 32, "NN", false},
}

// filled returns a matrix, or a transposed one.
func filled(rows, cols int, kind byte) Matrix {
	data := make([]float32, rows*cols)
	hugepages.Advise(data) // as the engine does, and NumPy
	for i := range data {
		data[i] = float32(i%17) / 16
	}
	if kind == 'T' {
		return Rows(data, cols, rows).T()
	}
	return Rows(data, rows, cols)
}

func BenchmarkMul(b *testing.B) {
	for _, s := range benchShapes {
		b.Run(fmt.Sprintf("%dx%dx%d-%s", s.m, s.k, s.n, s.kind), func(b *testing.B) {
			dst, x, y := filled(s.m, s.n, 'N'), filled(s.m, s.k, s.kind[0]), filled(s.k, s.n, s.kind[1])
			measure(b, s.m*s.k*s.n, func() { Mul(dst, x, y, s.add) })
		})
	}
}

func BenchmarkMulPacked(b *testing.B) {
	for _, s := range benchShapes {
		if s.m > 20 {
			continue
		}
		b.Run(fmt.Sprintf("%dx%dx%d-%s", s.m, s.k, s.n, s.kind), func(b *testing.B) {
			dst, x, y := filled(s.m, s.n, 'N'), filled(s.m, s.k, s.kind[0]), filled(s.k, s.n, s.kind[1])
			packed := Pack(make([]float32, PackedSize(s.k, s.n)), y)
			measure(b, s.m*s.k*s.n, func() { MulPacked(dst, x, packed, s.add) })
		})
	}
}

// measure reports the speed of the median call: the mean says more about what
// else the machine does.
func measure(b *testing.B, work int, f func()) {
	var times []float64
	for b.Loop() {
		start := time.Now()
		f()
		times = append(times, time.Since(start).Seconds())
	}
	slices.Sort(times)
	b.ReportMetric(2*float64(work)/times[len(times)/2]/1e9, "median-GFLOP/s")
}
