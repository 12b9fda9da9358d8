package engine

import (
	"math"

	"github.com/gomlx/compute"

	"github.com/kdcode/kdcode/internal/simd"
)

// neutral is what a reduction starts from.
func neutral(op compute.OpType) float32 {
	switch op {
	case compute.OpTypeReduceMax:
		return float32(math.Inf(-1))
	case compute.OpTypeReduceMin:
		return float32(math.Inf(1))
	}
	return 0
}

// zipOf returns the operation of two elements that a reduction repeats.
func zipOf(op compute.OpType) simd.ZipOp {
	switch op {
	case compute.OpTypeReduceMax:
		return simd.ZipMax
	case compute.OpTypeReduceMin:
		return simd.ZipMin
	}
	return simd.ZipAdd
}

// reduceSlice reduces a slice to a number.
func reduceSlice(op compute.OpType, x []float32) float32 {
	switch op {
	case compute.OpTypeReduceMax:
		m := x[0]
		for _, v := range x[1:] {
			m = max(m, v)
		}
		return m
	case compute.OpTypeReduceMin:
		m := x[0]
		for _, v := range x[1:] {
			m = min(m, v)
		}
		return m
	}
	var s [8]float32
	for ; len(x) >= 8; x = x[8:] {
		for i := range s {
			s[i] += x[i]
		}
	}
	for i, v := range x {
		s[i] += v
	}
	return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]))
}

// argRows sets each of dst to where in its row of x the extreme is: the first
// of equal ones.
func argRows(isMin bool, dst []int32, x []float32, cols int) {
	for i := range dst {
		row := x[i*cols : (i+1)*cols]
		best, at := row[0], 0
		for j, v := range row {
			if isMin && v < best || !isMin && v > best || v != v { // the last NaN, as GoMLX has it
				best, at = v, j
			}
		}
		dst[i] = int32(at)
	}
}

// middle reduces [A, R, C] to [A, C].
type middle struct {
	op      compute.OpType
	a, r, c int
	x, dst  operand
}

func (m *middle) run(x *execution) { x.split(m, m.a, 1+(1<<14)/(m.r*m.c)) }

func (m *middle) part(x *execution, from, to int) {
	src := x.floats(m.x, m.a*m.r*m.c)
	dst := x.floats(m.dst, m.a*m.c)
	for i := from; i < to; i++ {
		row := dst[i*m.c : (i+1)*m.c]
		copy(row, src[i*m.r*m.c:])
		for j := 1; j < m.r; j++ {
			simd.Zip(zipOf(m.op), row, row, src[(i*m.r+j)*m.c:][:m.c])
		}
	}
}
