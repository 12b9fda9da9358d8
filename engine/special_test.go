package engine

import (
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// specialFloats are where functions and conversions have their corners: NaN,
// infinities, zeros, subnormal numbers, ties of rounding, and what overflows.
var specialFloats = []float32{
	float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 0, float32(math.Copysign(0, -1)),
	1e-45, -1e-45, 1.1754942e-38, -1.1754942e-38, 1.1754944e-38, math.MaxFloat32, -math.MaxFloat32,
	0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 1, -1, 2, -2, 3, 17, -17, 0.49999997, -0.99999994, 1e-10, -1e-10,
	88.7, 89, -87.4, -88, -103, -104, 8388607.5, -8388607.5, 16777217, 2147483648, 4294967296, 9.3e18, 1.9e19,
}

var specialIntegers = []int64{0, 1, -1, math.MaxInt64, math.MinInt64, math.MaxInt32, math.MinInt32, math.MaxUint32, 1 << 24, 1<<24 + 1,
	1<<53 + 1, 1<<62 + 1, 33554435, -33554435, 1<<63 - 513, 1<<61 + 1<<37 + 1} // some are halfway between floats

// near reports whether two floats are within some units of the last place, both
// NaN, or zeros of any sign.
func near(a, b float32, units int64) bool {
	if sameFloat(a, b) {
		return true
	}
	x, y := int64(math.Float32bits(a)), int64(math.Float32bits(b))
	return math.Signbit(float64(a)) == math.Signbit(float64(b)) && max(x-y, y-x) <= units && a == a && b == b
}

// sameSpecial compares a graph with that of the Go backend to some units of the
// last place.
func sameSpecial(t *testing.T, units int64, build func(f compute.Function) []value, input any) {
	t.Helper()
	got, want := runOn(t, newBackend(t), build, []any{input}), runOn(t, theirs(t), build, []any{input})
	for k := range want {
		y, ok := want[k].([]float32)
		if !ok {
			if fmt.Sprint(got[k]) != fmt.Sprint(want[k]) {
				t.Errorf("output %d: %v, want %v", k, got[k], want[k])
			}
			continue
		}
		for i, x := range got[k].([]float32) {
			if !near(x, y[i], units) {
				t.Errorf("output %d, element %d: %g, want %g", k, i, x, y[i])
			}
		}
	}
}

// TestSpecial compares all operations with kernels on such values.
func TestSpecial(t *testing.T) {
	n := len(specialFloats)
	x := func(f compute.Function) value { return must(f.Parameter("x", floats(n), nil)) }
	t.Run("functions", func(t *testing.T) {
		sameSpecial(t, 16, func(f compute.Function) []value {
			v := x(f)
			var all []value
			for _, op := range append([]func(compute.Function, compute.Value) (compute.Value, error){
				compute.Function.Exp, compute.Function.Expm1, compute.Function.Log, compute.Function.Log1p, compute.Function.Tanh,
				compute.Function.Logistic, compute.Function.Sqrt, compute.Function.Rsqrt, compute.Function.Erf, compute.Function.Sin,
				compute.Function.Cos, compute.Function.IsFinite, compute.Function.IsNaN,
			}, wholeUnaries...) {
				all = append(all, must(op(f, v)))
			}
			return all
		}, specialFloats)
	})
	t.Run("pairs", func(t *testing.T) {
		sameSpecial(t, 1, func(f compute.Function) []value {
			v := x(f)
			row := must(f.BroadcastInDim(v, floats(n, n), []int{1}))
			column := must(f.BroadcastInDim(v, floats(n, n), []int{0}))
			var all []value
			for _, op := range append(append([]func(compute.Function, compute.Value, compute.Value) (compute.Value, error){
				compute.Function.Div, compute.Function.Pow}, binaries...), wholeComparers...) {
				all = append(all, must(op(f, row, column)))
				for _, c := range specialFloats[:5] {
					number := must(f.Constant([]float32{c}))
					all = append(all, must(op(f, v, number)), must(op(f, number, v)))
				}
			}
			return append(all, must(f.Clamp(row, column, must(f.Constant([]float32{1})))), must(f.Where(must(f.LessThan(row, column)), row, column)))
		}, specialFloats)
	})
	for _, cols := range []int{1, 2, 7, 16, 17, 33, 130} {
		t.Run(fmt.Sprint("rows of ", cols), func(t *testing.T) {
			rows := random(n*cols, 1)
			for i, v := range specialFloats {
				rows[i*cols+i*7%cols] = v
			}
			sameSpecial(t, 0, func(f compute.Function) []value {
				v := must(f.Parameter("rows", floats(n, cols), nil))
				middle := must(f.Reshape(v, 2, n/2, cols))
				all := []value{must(f.ArgMinMax(v, 1, dtypes.Int32, true)), must(f.ArgMinMax(v, 1, dtypes.Int32, false))}
				for _, op := range reducers[1:] { // not sums: their order differs
					all = append(all, must(op(f, v, 0)), must(op(f, v, 1)), must(op(f, v)), must(op(f, middle, 1)))
				}
				return all
			}, rows)
		})
	}
	for _, from := range []dtypes.DType{dtypes.Int32, dtypes.Int64, dtypes.Uint32, dtypes.Uint64} {
		t.Run(from.String(), func(t *testing.T) {
			sameSpecial(t, 0, func(f compute.Function) []value {
				v := must(f.Parameter("x", shapes.Make(dtypes.Int64, len(specialIntegers)), nil))
				if from != dtypes.Int64 {
					v = must(f.ConvertDType(v, from))
				}
				all := []value{must(f.BitwiseNot(v))}
				for _, to := range varied {
					if to != from {
						all = append(all, must(f.ConvertDType(v, to)))
					}
				}
				row, column := must(f.Reshape(v, 1, len(specialIntegers))), must(f.Reshape(v, len(specialIntegers), 1))
				for _, op := range append(append(bitwise, binaries...), wholeComparers...) {
					all = append(all, must(op(f, row, column)))
				}
				return all
			}, specialIntegers)
		})
	}
	t.Run("conversions", func(t *testing.T) {
		sameSpecial(t, 0, func(f compute.Function) []value {
			v, all := x(f), []value(nil)
			for _, to := range varied {
				if to != dtypes.Float32 {
					all = append(all, must(f.ConvertDType(v, to)))
				}
			}
			return all
		}, specialFloats)
	})
}
