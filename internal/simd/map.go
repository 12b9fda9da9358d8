package simd

import "math"

// A MapOp is a function of one float.
type MapOp uint8

// The functions that Map knows.
const (
	MapExp MapOp = iota
	MapExpm1
	MapLog
	MapLog1p
	MapTanh
	MapLogistic // 1/(1+e⁻ˣ)
	MapSqrt
	MapRsqrt // 1/√x
	MapReciprocal
	MapNeg
	MapAbs
	MapSign // -1, 0 or 1; 0 for NaN
	MapFloor
	MapCeil
	MapRound // to even
	mapOps
)

// Map sets every float of dst to a function of the one in x:
//
//	dst[i] = op(x[i])
//
// MapSqrt, MapReciprocal and those from MapNeg on return the same bits at every
// level. MapTanh and MapLogistic are within 3 units of the last place of the exact
// result, the others within 2, subnormal numbers included.
//
// It panics unless dst and x are equally long. They may be the same slice, but
// not overlap otherwise.
func Map(op MapOp, dst, x []float32) {
	if op >= mapOps || len(dst) != len(x) {
		panic("simd: Map: lengths do not match, or no such op")
	}
	mapFloats(op, dst, x)
}

// mapPortable specifies Map.
func mapPortable(op MapOp, dst, x []float32) {
	f := mapFunctions[op]
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = float32(f(float64(x[i])))
	}
}

// Of float64 functions, rounding to float32 gives the same as functions of
// float32 with one rounding: Sqrt and the reciprocal are exact to twice the
// digits and more.
var mapFunctions = [mapOps]func(float64) float64{
	MapExp:        math.Exp,
	MapExpm1:      math.Expm1,
	MapLog:        math.Log,
	MapLog1p:      math.Log1p,
	MapTanh:       math.Tanh,
	MapLogistic:   logistic,
	MapSqrt:       math.Sqrt,
	MapRsqrt:      func(x float64) float64 { return 1 / math.Sqrt(x) },
	MapReciprocal: func(x float64) float64 { return 1 / x },
	MapNeg:        func(x float64) float64 { return -x },
	MapAbs:        math.Abs,
	MapSign:       sign,
	MapFloor:      math.Floor,
	MapCeil:       math.Ceil,
	MapRound:      math.RoundToEven,
}

// logistic does not overflow for large negative x.
func logistic(x float64) float64 {
	if x < 0 {
		z := math.Exp(x)
		return z / (1 + z)
	}
	return 1 / (1 + math.Exp(-x))
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}
