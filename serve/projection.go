package serve

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/kdcode/kdcode/internal/simd"
)

// projection names the method.
const projection = "pca"

// The principal components are found by subspace iteration: a few directions
// more than the two wanted, turned towards the largest variance again and again.
const (
	directions = 10
	turns      = 25
)

// project returns the places of rows, of width d, along their two principal
// components, scaled to -1…1, and the share of the variance that each explains.
// Rows are made one long first: the length of a word's vector says how frequent
// it is, and would be all that the map shows. It changes rows.
func project(ctx context.Context, rows []float32, d int) (x, y []float64, explained [2]float64, err error) {
	n := len(rows) / d
	total := centre(rows, d)
	b := min(directions, d)
	q := make([]float32, b*d)
	random := rand.New(rand.NewPCG(7, 8)) // the same map each time
	for i := range q {
		q[i] = float32(random.NormFloat64())
	}
	for range turns {
		if err := ctx.Err(); err != nil {
			return nil, nil, explained, err
		}
		orthonormalise(q, d)
		q = turn(rows, q, d)
	}
	orthonormalise(q, d)
	axes, variances, err := ritz(rows, q, d)
	if err != nil {
		return nil, nil, explained, err
	}
	places := make([][]float64, 2)
	largest := 0.0
	for a := range places {
		places[a] = make([]float64, n)
		if a >= len(axes) { // of width 1
			continue
		}
		if total > 0 {
			explained[a] = variances[a] / total
		}
		for i := range n {
			places[a][i] = float64(simd.Dot(rows[i*d:][:d], axes[a]))
			largest = max(largest, math.Abs(places[a][i]))
		}
	}
	for _, place := range places {
		for i := range place {
			if largest > 0 {
				place[i] = math.Round(place[i]/largest*1e4) / 1e4 // finer than a screen
			}
		}
	}
	return places[0], places[1], explained, nil
}

// centre makes rows one long, moves their mean to zero, and returns the sum of
// their squares. Rows that are not finite become zero.
func centre(rows []float32, d int) float64 {
	n := len(rows) / d
	mean := make([]float32, d)
	for i := range n {
		row := rows[i*d:][:d]
		length := math.Sqrt(float64(simd.Dot(row, row)))
		if length == 0 || math.IsNaN(length) || math.IsInf(length, 0) {
			clear(row)
			continue
		}
		for j := range row {
			row[j] /= float32(length)
		}
		simd.Axpy(mean, 1/float32(n), row)
	}
	total := 0.0
	for i := range n {
		row := rows[i*d:][:d]
		simd.Axpy(row, -1, mean)
		total += float64(simd.Dot(row, row))
	}
	return total
}

// turn returns XᵀX·q: each direction, turned towards the larger variance.
func turn(rows, q []float32, d int) []float32 {
	turned := make([]float32, len(q))
	for at := 0; at < len(rows); at += d {
		row := rows[at:][:d]
		for k := 0; k < len(q); k += d {
			simd.Axpy(turned[k:][:d], simd.Dot(row, q[k:][:d]), row)
		}
	}
	return turned
}

// orthonormalise makes the directions one long and orthogonal to each other
// (modified Gram-Schmidt). One that depends on those before becomes zero.
func orthonormalise(q []float32, d int) {
	for k := 0; k < len(q); k += d {
		v := q[k:][:d]
		before := math.Sqrt(float64(simd.Dot(v, v)))
		for range 2 { // once more for what rounding left
			for i := 0; i < k; i += d {
				simd.Axpy(v, -simd.Dot(v, q[i:][:d]), q[i:][:d])
			}
		}
		length := math.Sqrt(float64(simd.Dot(v, v)))
		if length <= 1e-5*before {
			clear(v)
			continue
		}
		for j := range v {
			v[j] = float32(float64(v[j]) / length)
		}
	}
}

// ritz returns the two directions of the largest variance within those of q,
// and the sums of squares along them.
func ritz(rows, q []float32, d int) (axes [][]float32, variances []float64, err error) {
	b := len(q) / d
	turned := turn(rows, q, d)
	c := mat.NewSymDense(b, nil)
	for i := range b {
		for j := i; j < b; j++ {
			c.SetSym(i, j, float64(simd.Dot(q[i*d:][:d], turned[j*d:][:d])))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(c, true) {
		return nil, nil, errors.New("serve: the principal components were not found")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil) // rising
	for a := range min(2, b) {
		column := b - 1 - a
		axis := make([]float32, d)
		for i := range b {
			simd.Axpy(axis, float32(vectors.At(i, column)), q[i*d:][:d])
		}
		pointUp(axis)
		axes = append(axes, axis)
		variances = append(variances, max(0, values[column]))
	}
	return axes, variances, nil
}

// pointUp gives an axis the sign that makes its largest number positive: either
// would do, but a map should not flip when its file is replaced.
func pointUp(axis []float32) {
	largest := float32(0)
	for _, x := range axis {
		if math.Abs(float64(x)) > math.Abs(float64(largest)) {
			largest = x
		}
	}
	if largest < 0 {
		for i := range axis {
			axis[i] = -axis[i]
		}
	}
}
