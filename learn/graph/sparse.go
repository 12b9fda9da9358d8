package graph

import (
	"cmp"
	"slices"
)

// Sparse is a sparse matrix by rows: row i has Values[Start[i]:Start[i+1]] in
// the columns Columns[Start[i]:Start[i+1]], which rise.
type Sparse struct {
	Rows, Cols int
	Start      []int
	Columns    []int32
	Values     []float32
}

// entry is a value of a row.
type entry struct {
	column int32
	value  float32
}

// newSparse returns a matrix of rows, whose columns it sorts. No column stands
// twice in a row.
func newSparse(cols int, rows [][]entry) *Sparse {
	s := &Sparse{Rows: len(rows), Cols: cols, Start: make([]int, 1, len(rows)+1)}
	for _, row := range rows {
		slices.SortFunc(row, func(a, b entry) int { return cmp.Compare(a.column, b.column) })
		for _, e := range row {
			s.Columns = append(s.Columns, e.column)
			s.Values = append(s.Values, e.value)
		}
		s.Start = append(s.Start, len(s.Columns))
	}
	return s
}

// Row returns the columns and values of row i, which are s's own.
func (s *Sparse) Row(i int) ([]int32, []float32) {
	return s.Columns[s.Start[i]:s.Start[i+1]], s.Values[s.Start[i]:s.Start[i+1]]
}

// NormalizeRows returns the matrix with rows that sum to 1. Rows that sum to 0,
// as those without features, become 0. The result shares all but Values.
func (s *Sparse) NormalizeRows() *Sparse {
	n := *s
	n.Values = make([]float32, len(s.Values))
	for i := range s.Rows {
		_, values := s.Row(i)
		sum := 0.0
		for _, v := range values {
			sum += float64(v)
		}
		if sum == 0 {
			continue
		}
		_, normal := n.Row(i)
		for j, v := range values {
			normal[j] = float32(float64(v) / sum)
		}
	}
	return &n
}

// Coordinates returns the matrix as coordinates and values, sorted by row, then
// column. Columns and values are s's own.
func (s *Sparse) Coordinates() (rows, cols []int32, values []float32) {
	rows = make([]int32, 0, len(s.Columns))
	for i := range s.Rows {
		for range s.Start[i+1] - s.Start[i] {
			rows = append(rows, int32(i))
		}
	}
	return rows, s.Columns, s.Values
}
