package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// nan fills what is between the elements of a matrix: it would show in any sum
// that it got into.
var nan = float32(math.NaN())

// randomMatrix returns a view with random strides. layout 0 lies row by row, 1
// column by column, 2 has gaps in both directions.
func randomMatrix(r *rand.Rand, rows, cols, layout int) Matrix {
	m := Matrix{Rows: rows, Cols: cols}
	gap := 1 + r.IntN(2)
	switch layout {
	case 0:
		m.ColStride, m.RowStride = 1, cols+r.IntN(4)
	case 1:
		m.RowStride, m.ColStride = 1, rows+r.IntN(4)
	default:
		m.ColStride, m.RowStride = gap, gap*cols+r.IntN(4)
	}
	if m.empty() {
		return m
	}
	m.Data = make([]float32, (rows-1)*m.RowStride+(cols-1)*m.ColStride+1)
	for i := range m.Data {
		m.Data[i] = nan
	}
	for i := range rows {
		for j := range cols {
			m.set(i, j, r.Float32()*2-1)
		}
	}
	return m
}

func (m Matrix) at(i, j int) float32     { return m.Data[i*m.RowStride+j*m.ColStride] }
func (m Matrix) set(i, j int, x float32) { m.Data[i*m.RowStride+j*m.ColStride] = x }

func (m Matrix) clone() Matrix {
	m.Data = append([]float32(nil), m.Data...)
	return m
}

// checkProduct compares with the product in float64, and what lies between the
// rows of dst with what it was before.
func checkProduct(t *testing.T, got, before, a, b Matrix, add bool) {
	t.Helper()
	for i := range got.Rows {
		for j := range got.Cols {
			var want, terms float64
			if add {
				want = float64(before.at(i, j))
				terms = math.Abs(want)
			}
			for k := range a.Cols {
				x := float64(a.at(i, k)) * float64(b.at(k, j))
				want += x
				terms += math.Abs(x)
			}
			if x := float64(got.at(i, j)); !(math.Abs(x-want) <= float64(a.Cols+2)*0x1p-24*terms) {
				t.Fatalf("[%d, %d] = %v, want %v", i, j, x, want)
			}
		}
	}
	for at := range got.Data {
		if at%got.RowStride >= got.Cols && math.Float32bits(got.Data[at]) != math.Float32bits(before.Data[at]) {
			t.Fatalf("float %d between the rows of dst was written", at)
		}
	}
}

// shapes are those of edges: of vectors, tiles, panels, blocks of depth.
var shapes = [][3]int{
	{0, 0, 0}, {0, 3, 4}, {3, 0, 4}, {3, 4, 0}, {1, 1, 1}, {1, 7, 1}, {1, 300, 33}, {2, 3, 5},
	{5, 2, 16}, {6, 17, 17}, {7, 16, 32}, {13, 15, 31}, {14, 32, 64}, {15, 31, 65}, {20, 40, 100},
	{29, 256, 3}, {30, 257, 47}, {49, 3, 49}, {50, 1, 70}, {63, 64, 1}, {70, 600, 40}, {200, 8, 200},
}

func TestMul(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := random(1)
		for _, s := range shapes {
			for layout := range 9 {
				testMul(t, r, s[0], s[1], s[2], layout%3, layout/3)
			}
		}
		for range 200 {
			testMul(t, r, r.IntN(60), r.IntN(80), r.IntN(90), r.IntN(3), r.IntN(3))
		}
	})
}

func testMul(t *testing.T, r *rand.Rand, m, k, n, layoutA, layoutB int) {
	for _, add := range []bool{false, true} {
		for _, pack := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d×%d×%d/layouts=%d,%d/add=%v/pack=%v", m, k, n, layoutA, layoutB, add, pack), func(t *testing.T) {
				a, b, dst := randomMatrix(r, m, k, layoutA), randomMatrix(r, k, n, layoutB), randomMatrix(r, m, n, 0)
				before := dst.clone()
				if pack {
					buffer := make([]float32, PackedSize(k, n))
					for i := range buffer {
						buffer[i] = nan
					}
					MulPacked(dst, a, Pack(buffer, b), add)
				} else {
					Mul(dst, a, b, add)
				}
				checkProduct(t, dst, before, a, b, add)
			})
		}
	}
}
