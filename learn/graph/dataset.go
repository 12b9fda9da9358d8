package graph

import (
	"math"
	"slices"
	"strconv"
)

// Unknown is the label of a node whose class is not known.
const Unknown = -1

// Dataset is a graph whose nodes have features, and some of them labels.
type Dataset struct {
	Nodes    int
	Features int // N, the number of symbols
	Classes  int

	X      *Sparse  // the features of the nodes, [Nodes, Features]
	Edges  [][2]int // pairs of nodes, the smaller first; sorted, each once
	Labels []int    // the class of each node, or Unknown

	// Nodes to learn from, to stop by, and to measure with; all have labels.
	Train, Valid, Test []int

	// What the numbers are called; nil where the source has no names.
	NodeNames, FeatureNames, ClassNames []string
}

// nameOf returns what number i is called in names.
func nameOf(names []string, i int) string {
	if names == nil {
		return strconv.Itoa(i)
	}
	return names[i]
}

// undirected sorts pairs of nodes into Dataset.Edges: without direction, without
// repetition, without those from a node to itself. It changes pairs.
func undirected(pairs [][2]int) [][2]int {
	for i, p := range pairs {
		if p[0] > p[1] {
			pairs[i] = [2]int{p[1], p[0]}
		}
	}
	pairs = slices.DeleteFunc(pairs, func(p [2]int) bool { return p[0] == p[1] })
	slices.SortFunc(pairs, comparePairs)
	return slices.Compact(pairs)
}

func comparePairs(a, b [2]int) int {
	if a[0] != b[0] {
		return a[0] - b[0]
	}
	return a[1] - b[1]
}

// NormalizedAdjacency returns Â = D̃^{-1/2}·(A+I)·D̃^{-1/2} as coordinates and
// values, sorted by row, then column. A has a one for every edge, in both
// directions; D̃ is the diagonal of A+I's row sums.
func (d *Dataset) NormalizedAdjacency() (rows, cols []int32, values []float32) {
	neighbours := make([][]int32, d.Nodes) // with the node itself
	for i := range neighbours {
		neighbours[i] = append(neighbours[i], int32(i))
	}
	for _, e := range d.Edges {
		neighbours[e[0]] = append(neighbours[e[0]], int32(e[1]))
		neighbours[e[1]] = append(neighbours[e[1]], int32(e[0]))
	}
	n := d.Nodes + 2*len(d.Edges)
	rows, cols, values = make([]int32, 0, n), make([]int32, 0, n), make([]float32, 0, n)
	for i, of := range neighbours {
		slices.Sort(of)
		for _, j := range of {
			rows, cols = append(rows, int32(i)), append(cols, j)
			// One root of the product: exact wherever the degrees agree.
			product := float64(len(of)) * float64(len(neighbours[j]))
			values = append(values, float32(1/math.Sqrt(product)))
		}
	}
	return rows, cols, values
}
