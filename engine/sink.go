package engine

import (
	"unsafe"

	"github.com/gomlx/compute"

	"github.com/kdcode/kdcode/internal/simd"
)

// sinkPlan is a reduction over rows or over everything.
type sinkPlan struct {
	op      compute.OpType
	width   int // elements of an accumulator: columns, or some rows of them; 0 for everything
	cols    int // of the result; 1 for everything
	partial int // the storage of the accumulators, one a chunk
	result  operand
}

// begin clears the accumulator of a chunk.
func (s *sinkPlan) begin(x *execution, chunk int) {
	if s.width == 0 {
		*s.total(x, chunk) = float64(neutral(s.op))
		return
	}
	fill(s.accumulator(x, chunk), neutral(s.op))
}

func (s *sinkPlan) accumulator(x *execution, chunk int) []float32 {
	return unsafe.Slice((*float32)(unsafe.Add(x.base[s.partial], chunk*s.width*4)), s.width)
}

func (s *sinkPlan) total(x *execution, chunk int) *float64 {
	return (*float64)(unsafe.Add(x.base[s.partial], chunk*8))
}

// addRows adds elements from… of the space to the accumulator's columns.
func (s *sinkPlan) addRows(x *execution, chunk, from int, values []float32) {
	acc := s.accumulator(x, chunk)
	for pos := from % s.width; len(values) > 0; pos = 0 {
		n := min(len(values), s.width-pos)
		simd.Zip(zipOf(s.op), acc[pos:pos+n], acc[pos:pos+n], values[:n])
		values = values[n:]
	}
}

func (s *sinkPlan) addAll(x *execution, chunk int, values []float32) {
	t := s.total(x, chunk)
	switch v := float64(reduceSlice(s.op, values)); s.op {
	case compute.OpTypeReduceSum:
		*t += v
	case compute.OpTypeReduceMax:
		*t = max(*t, v)
	default:
		*t = min(*t, v)
	}
}

// finish puts the chunks' accumulators together, in their order.
func (s *sinkPlan) finish(x *execution, chunks int) {
	dst := unsafe.Slice((*float32)(unsafe.Add(x.base[s.result.storage], s.result.offset*4)), s.cols)
	if s.width == 0 {
		t := *s.total(x, 0)
		for c := 1; c < chunks; c++ {
			switch v := *s.total(x, c); s.op {
			case compute.OpTypeReduceSum:
				t += v
			case compute.OpTypeReduceMax:
				t = max(t, v)
			default:
				t = min(t, v)
			}
		}
		dst[0] = float32(t)
		return
	}
	first := true
	for c := range chunks {
		acc := s.accumulator(x, c)
		for ; len(acc) > 0; acc = acc[s.cols:] {
			if first {
				copy(dst, acc[:s.cols])
				first = false
				continue
			}
			simd.Zip(zipOf(s.op), dst, dst, acc[:s.cols])
		}
	}
}
