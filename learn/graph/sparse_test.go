package graph

import (
	"math"
	"slices"
	"testing"
)

func TestNormalizeRows(t *testing.T) {
	x := newSparse(3, [][]entry{{{2, 1}, {0, 3}}, nil, {{1, 2}, {2, -2}}, {{1, 0.25}}})
	n := x.NormalizeRows()
	if want := []float32{0.75, 0.25, 0, 0, 1}; !slices.Equal(n.Values, want) {
		t.Errorf("%v, want %v", n.Values, want)
	}
	if !slices.Equal(x.Values, []float32{3, 1, 2, -2, 0.25}) {
		t.Errorf("the matrix itself has changed: %v", x.Values)
	}
	rows, cols, _ := n.Coordinates()
	if !slices.Equal(rows, []int32{0, 0, 2, 2, 3}) || !slices.Equal(cols, []int32{0, 2, 1, 2, 1}) {
		t.Errorf("rows %v, columns %v", rows, cols)
	}
}

// A path of three nodes and one alone, by hand.
func TestNormalizedAdjacency(t *testing.T) {
	d := &Dataset{Nodes: 4, Edges: undirected([][2]int{{2, 1}, {0, 1}, {1, 0}, {1, 1}})}
	rows, cols, values := d.NormalizedAdjacency()
	side := float32(1 / math.Sqrt(6))
	if !slices.Equal(rows, []int32{0, 0, 1, 1, 1, 2, 2, 3}) || !slices.Equal(cols, []int32{0, 1, 0, 1, 2, 1, 2, 3}) ||
		!slices.Equal(values, []float32{0.5, side, side, 1.0 / 3, side, side, 0.5, 1}) {
		t.Errorf("%v %v %v", rows, cols, values)
	}
}
