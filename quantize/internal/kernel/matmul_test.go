package kernel

import (
	"fmt"
	"math"
	"testing"
)

const guard = -12345.5

// TestMatMul compares with float64 and looks for writes outside c.
func TestMatMul(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := random(1)
		for rows := range 20 {
			for _, depth := range []int{1, 2, 3, 17, 100} {
				for _, n := range []int{1, 31, 32, 33, 96} {
					for _, add := range []bool{false, true} {
						lda, ldc := depth+r.IntN(3), Panels(n)*Panel+r.IntN(3)
						a, W := uniform(r, rows*lda+1), uniform(r, n*depth)
						panels := make([]float32, Panels(n)*depth*Panel)
						Pack(panels, W, n, depth, depth)
						c := make([]float32, 16+rows*ldc+Panels(n)*Panel+16)
						for i := range c {
							c[i] = guard
						}
						MatMul(c[16:], ldc, a, lda, rows, panels, depth, 0.5, add)
						checkProduct(t, c[16:], ldc, a, lda, rows, W, n, depth, add)
						for i, x := range c {
							row, col := (i-16)/ldc, (i-16)%ldc
							if (i < 16 || row >= rows || col >= Panels(n)*Panel) && x != guard {
								t.Fatalf("rows %d, depth %d, n %d: c[%d] was written", rows, depth, n, i-16)
							}
						}
					}
				}
			}
		}
	})
}

func checkProduct(t *testing.T, c []float32, ldc int, a []float32, lda, rows int, W []float32, n, depth int, add bool) {
	t.Helper()
	for i := range rows {
		for j := range n {
			var want, terms float64
			for k := range depth {
				x := 0.5 * float64(a[i*lda+k]) * float64(W[j*depth+k])
				want += x
				terms += math.Abs(x)
			}
			if add {
				want += guard
				terms -= guard
			}
			if got := float64(c[i*ldc+j]); math.Abs(got-want) > float64(depth+2)*0x1p-24*terms {
				t.Fatalf("rows %d, depth %d, n %d: c[%d, %d] = %v, want %v", rows, depth, n, i, j, got, want)
			}
		}
	}
}

// TestMatMulRows asserts that a row's product does not depend on the rows it is
// multiplied with, nor on the width of vectors.
func TestMatMulRows(t *testing.T) {
	r := random(2)
	const rows, depth = 19, 77
	a, panel := uniform(r, rows*depth), uniform(r, depth*Panel)
	var first []float32
	for _, l := range levels() {
		if l == portable {
			continue
		}
		setLevel(t, l)
		all, single := make([]float32, rows*Panel), make([]float32, rows*Panel)
		MatMul(all, Panel, a, depth, rows, panel, depth, 3, false)
		for i := range rows {
			MatMul(single[i*Panel:], Panel, a[i*depth:], depth, 1, panel, depth, 3, false)
		}
		if first == nil {
			first = all
		}
		for i := range all {
			if all[i] != single[i] || all[i] != first[i] {
				t.Fatalf("level %v: c[%d] = %v, alone %v, at a lower level %v", l, i, all[i], single[i], first[i])
			}
		}
	}
}

func BenchmarkMatMul(b *testing.B) {
	for _, l := range levels() {
		for _, size := range []struct{ rows, n, depth int }{{64, 1024, 112}, {1024, 1024, 64}, {8, 32, 112}} {
			b.Run(fmt.Sprintf("level=%s/rows=%d/n=%d/depth=%d", l, size.rows, size.n, size.depth), func(b *testing.B) {
				setLevel(b, l)
				r := random(3)
				a, W := uniform(r, size.rows*size.depth), uniform(r, size.n*size.depth)
				panels := make([]float32, len(W))
				Pack(panels, W, size.n, size.depth, size.depth)
				c := make([]float32, size.rows*size.n)
				for b.Loop() {
					MatMul(c, size.n, a, size.depth, size.rows, panels, size.depth, 1, false)
				}
				flops := 2 * float64(size.rows) * float64(size.n) * float64(size.depth)
				b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}
