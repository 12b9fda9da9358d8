package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/kdcode/kdcode/internal/parallel"
)

// nan fills what is between the elements of a matrix: it would show in any sum
// that it got into.
var nan = math.Float32frombits(0x7fc0dead)

// The ways a matrix of a test lies: row by row, column by column, or with gaps in
// both directions.
const (
	byRows = iota
	byCols
	withGaps
	layouts
)

func randomMatrix(r *rand.Rand, rows, cols, layout int) Matrix {
	m := Matrix{Rows: rows, Cols: cols, RowStride: cols + r.IntN(4), ColStride: 1}
	switch layout {
	case byCols:
		m.RowStride, m.ColStride = 1, rows+r.IntN(4)
	case withGaps:
		m.ColStride = 2 + r.IntN(2)
		m.RowStride *= m.ColStride
	}
	if m.empty() {
		return m
	}
	m.Data = make([]float32, (rows-1)*m.RowStride+(cols-1)*m.ColStride+1)
	m.fill(r)
	return m
}

// Rows returns a matrix that lies row by row.
func Rows(data []float32, rows, cols int) Matrix {
	return Matrix{Data: data, Rows: rows, Cols: cols, RowStride: cols, ColStride: 1}
}

// T returns the transposed view.
func (m Matrix) T() Matrix {
	return Matrix{Data: m.Data, Rows: m.Cols, Cols: m.Rows, RowStride: m.ColStride, ColStride: m.RowStride}
}

// fill makes the elements random, what is between them nan.
func (m Matrix) fill(r *rand.Rand) {
	for i := range m.Data {
		m.Data[i] = nan
	}
	for i := range m.Rows {
		for j := range m.Cols {
			m.Data[i*m.RowStride+j*m.ColStride] = r.Float32()*2 - 1
		}
	}
}

func (m Matrix) at(i, j int) float64 { return float64(m.Data[i*m.RowStride+j*m.ColStride]) }

func (m Matrix) clone() Matrix {
	m.Data = append([]float32(nil), m.Data...)
	return m
}

// vectors returns the rows of m.
func vectors(m Matrix) [][]float64 {
	all := make([][]float64, m.Rows)
	for i := range all {
		all[i] = make([]float64, m.Cols)
		for j := range all[i] {
			all[i][j] = m.at(i, j)
		}
	}
	return all
}

// dot returns the sum of products, and that of their sizes.
func dot(x, y []float64) (sum, size float64) {
	for i := range x {
		sum += x[i] * y[i]
		size += math.Abs(x[i] * y[i])
	}
	return sum, size
}

// checkProduct compares with the product in float64, and what lies between the
// rows of dst with what it was before.
func checkProduct(t *testing.T, what string, got, before, a, b Matrix, add bool) {
	t.Helper()
	x, y := vectors(a), vectors(b.T())
	for i := range got.Rows {
		for j := range got.Cols {
			var want, terms float64
			if add {
				want = before.at(i, j)
				terms = math.Abs(want)
			}
			sum, size := dot(x[i], y[j])
			want += sum
			terms += size
			if got := got.at(i, j); !(math.Abs(got-want) <= float64(a.Cols+2)*0x1p-24*terms) {
				t.Fatalf("%s: [%d, %d] = %v, want %v", what, i, j, got, want)
			}
		}
	}
	for at := range got.Data {
		if at%got.RowStride >= got.Cols && math.Float32bits(got.Data[at]) != math.Float32bits(before.Data[at]) {
			t.Fatalf("%s: float %d between the rows of dst was written", what, at)
		}
	}
}

// testMul does one product in all ways.
func testMul(t *testing.T, r *rand.Rand, m, k, n, layoutA, layoutB int) {
	t.Helper()
	for _, add := range []bool{false, true} {
		for _, packed := range []bool{false, true} {
			a, b, dst := randomMatrix(r, m, k, layoutA), randomMatrix(r, k, n, layoutB), randomMatrix(r, m, n, byRows)
			before := dst.clone()
			if packed {
				buffer := make([]float32, PackedSize(k, n))
				for i := range buffer {
					buffer[i] = nan
				}
				MulPacked(dst, a, Pack(buffer, b), add)
			} else {
				Mul(dst, a, b, add)
			}
			what := fmt.Sprintf("%d×%d×%d, layouts %d and %d, add %v, packed %v", m, k, n, layoutA, layoutB, add, packed)
			checkProduct(t, what, dst, before, a, b, add)
		}
	}
}

// edges are shapes around those of vectors, tiles, panels, and blocks of depth.
var edges = [][3]int{
	{0, 0, 0}, {0, 3, 4}, {3, 0, 4}, {3, 4, 0}, {1, 1, 1}, {1, 7, 1}, {1, 300, 33}, {2, 3, 5},
	{5, 2, 16}, {6, 17, 17}, {7, 16, 32}, {13, 15, 31}, {14, 32, 64}, {15, 31, 65}, {20, 40, 100},
	{29, 256, 3}, {30, 257, 47}, {49, 3, 49}, {50, 1, 70}, {63, 64, 1}, {31, 600, 40}, {200, 8, 200},
	{2, 2, maxCols + 1}, {maxRows + 1, 2, 2}, {maxRows + 1, maxDepth + 44, 3}, {maxRows + 1, 2, 40}, {500, 2, 300}, {130, 3, 1024},
}

func TestMul(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := random(1)
		for i, s := range edges {
			if testing.Short() && s[0]*s[1]*s[2] > 10000 {
				continue // slow under the race detector
			}
			for layout := range layouts {
				testMul(t, r, s[0], s[1], s[2], layout, (layout+i)%layouts)
			}
		}
		for range 50 {
			testMul(t, r, r.IntN(60), r.IntN(80), r.IntN(90), r.IntN(layouts), r.IntN(layouts))
		}
	})
}

func FuzzMul(f *testing.F) {
	for i, s := range edges {
		f.Add(uint16(s[0]), uint16(s[1]), uint16(s[2]), uint8(i), uint64(i))
	}
	f.Fuzz(func(t *testing.T, m, k, n uint16, layout uint8, seed uint64) {
		r := random(seed)
		testMul(t, r, int(m%100), int(k%600), int(n%100), int(layout%layouts), int(layout/layouts%layouts))
	})
}

// TestSpecial holds that infinities and NaNs stay in their rows and columns.
func TestSpecial(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		const m, k, n = 17, 40, 37
		r := random(2)
		a, b, dst := randomMatrix(r, m, k, byRows), randomMatrix(r, k, n, byCols), randomMatrix(r, m, n, byRows)
		a.Data[3*a.RowStride] = nan
		b.Data[5*b.ColStride+7] = float32(math.Inf(1))
		Mul(dst, a, b, false)
		for i := range m {
			for j := range n {
				special := math.IsNaN(dst.at(i, j)) || math.IsInf(dst.at(i, j), 0)
				if special != (i == 3 || j == 5) {
					t.Fatalf("[%d, %d] = %v", i, j, dst.at(i, j))
				}
			}
		}
	})
}

func equalBits(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Fatalf("%s: float %d is %v, not %v", what, i, got[i], want[i])
		}
	}
}

// TestSameBits holds that a product does not depend on how it is divided: not on
// the processors, the rows beside a row, packing, nor the width of vectors.
func TestSameBits(t *testing.T) {
	const m, k, n = 31, 600, 133
	r := random(3)
	a, b := randomMatrix(r, m, k, byRows), randomMatrix(r, k, n, byRows)
	var assembly []float32
	atLevels(t, func(t *testing.T) {
		product := func(f func(dst Matrix)) []float32 {
			dst := Rows(make([]float32, m*n), m, n)
			f(dst)
			return dst.Data
		}
		want := product(func(dst Matrix) { Mul(dst, a, b, false) })
		equalBits(t, "one processor", product(func(dst Matrix) {
			// A For within a For is not divided.
			parallel.For(2*parallel.Threads(), 1, func(from, _ int) {
				if from == 0 {
					Mul(dst, a, b, false)
				}
			})
		}), want)
		equalBits(t, "row by row", product(func(dst Matrix) {
			for i := range m {
				Mul(dst.part(span{i, i + 1}, span{0, n}), a.part(span{i, i + 1}, span{0, k}), b, false)
			}
		}), want)
		equalBits(t, "packed", product(func(dst Matrix) {
			MulPacked(dst, a, Pack(make([]float32, PackedSize(k, n)), b), false)
		}), want)
		if active != portable {
			if assembly == nil {
				assembly = want
			}
			equalBits(t, "at another level", want, assembly)
		}
	})
}

func TestConcurrent(t *testing.T) {
	r := random(4)
	a, b := randomMatrix(r, 40, 300, byRows), randomMatrix(r, 300, 200, byCols)
	want := Rows(make([]float32, 40*200), 40, 200)
	Mul(want, a, b, false)
	var callers sync.WaitGroup
	for range 6 {
		callers.Go(func() {
			for range 20 {
				dst := Rows(make([]float32, 40*200), 40, 200)
				Mul(dst, a, b, false)
				equalBits(t, "beside others", dst.Data, want.Data)
			}
		})
	}
	callers.Wait()
}

func TestAllocations(t *testing.T) {
	r := random(5)
	a, b, dst := randomMatrix(r, 70, 300, byRows), randomMatrix(r, 300, 200, byCols), randomMatrix(r, 70, 200, byRows)
	buffer := make([]float32, PackedSize(300, 200))
	for name, f := range map[string]func(){
		"Mul":       func() { Mul(dst, a, b, false) },
		"MulPacked": func() { MulPacked(dst, a, Pack(buffer, b), true) },
		"MulBatch": func() {
			MulBatch(10, Batch{dst.part(span{0, 7}, span{0, 20}), 7 * dst.RowStride}, Batch{a.part(span{0, 7}, span{0, 30}), 2}, Batch{b.part(span{0, 30}, span{0, 20}), 0}, false)
		},
	} {
		if allocs := testing.AllocsPerRun(50, f); allocs != 0 {
			t.Errorf("%s allocates %v times", name, allocs)
		}
	}
}

func TestPanics(t *testing.T) {
	matrix := func(rows, cols int) Matrix { return Rows(make([]float32, rows*cols), rows, cols) }
	short := matrix(3, 4)
	short.Data = short.Data[:11]
	overlapping := matrix(2, 5)
	overlapping.RowStride = 4
	for name, f := range map[string]func(){
		"depths differ":       func() { Mul(matrix(2, 5), matrix(2, 3), matrix(4, 5), false) },
		"rows of dst":         func() { Mul(matrix(3, 5), matrix(2, 3), matrix(3, 5), false) },
		"columns of dst":      func() { Mul(matrix(2, 4), matrix(2, 3), matrix(3, 5), false) },
		"dst transposed":      func() { Mul(matrix(5, 2).T(), matrix(2, 3), matrix(3, 5), false) },
		"rows of dst overlap": func() { Mul(overlapping, matrix(2, 3), matrix(3, 5), false) },
		"dst too short":       func() { Mul(short, matrix(3, 2), matrix(2, 4), false) },
		"a too short":         func() { Mul(matrix(3, 5), short, matrix(4, 5), false) },
		"b too short":         func() { Mul(matrix(5, 4), matrix(5, 3), short, false) },
		"packed too short":    func() { Pack(make([]float32, 3), matrix(3, 4)) },
		"packed b too short":  func() { Pack(make([]float32, 1000), short) },
		"negative rows":       func() { Mul(Matrix{Rows: -1, Cols: 1}, Matrix{Rows: -1}, Matrix{Cols: 1}, false) },
		"batch too short": func() {
			MulBatch(3, Batch{matrix(2, 5), 10}, Batch{matrix(2, 3), 0}, Batch{matrix(3, 5), 0}, false)
		},
		"batch of dst overlaps": func() {
			MulBatch(2, Batch{matrix(4, 5).part(span{0, 2}, span{0, 5}), 5}, Batch{matrix(2, 3), 0}, Batch{matrix(3, 5), 0}, false)
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("does not panic")
				}
			}()
			f()
		})
	}
}
