package gemm

import (
	"testing"

	"github.com/kdcode/kdcode/internal/parallel"
)

// TestWide compares products divided by columns alone with float64, and to the
// bit with those of the same matrix packed before, which are divided otherwise.
func TestWide(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := random(3)
		limit := wideGroups * parallel.Threads() * groupPanels * shape.panel
		for _, s := range [][3]int{{49, 3, limit}, {directRows + 1, maxDepth + 1, limit + 1}, {3, 2, limit + shape.panel + 5}} {
			m, k, n := s[0], s[1], s[2]
			if testing.Short() {
				m, k = min(m, 3), min(k, 2)
			}
			for layout := range layouts {
				a, b, dst := randomMatrix(r, m, k, (layout+1)%layouts), randomMatrix(r, k, n, layout), randomMatrix(r, m, n, byRows)
				before, other := dst.clone(), dst.clone()
				Mul(dst, a, b, true)
				checkProduct(t, "wide", dst, before, a, b, true)
				MulPacked(other, a, Pack(make([]float32, PackedSize(k, n)), b), true)
				for i := range dst.Data {
					if dst.Data[i] != other.Data[i] && dst.Data[i] == dst.Data[i] {
						t.Fatalf("%d×%d×%d, layout %d: float %d is %v, and %v packed before", m, k, n, layout, i, dst.Data[i], other.Data[i])
					}
				}
			}
		}
	})
}
