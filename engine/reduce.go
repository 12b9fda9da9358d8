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
		return simd.Max(x)
	case compute.OpTypeReduceMin:
		return simd.Min(x)
	}
	return simd.Sum(x)
}

// argRows sets each of dst to where in its row of x the extreme is.
func argRows(isMin bool, dst []int32, x []float32, cols int) {
	for i := range dst {
		if row := x[i*cols : (i+1)*cols]; isMin {
			dst[i] = int32(simd.ArgMin(row))
		} else {
			dst[i] = int32(simd.ArgMax(row))
		}
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
