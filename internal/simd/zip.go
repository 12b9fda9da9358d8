package simd

// A ZipOp is a function of two floats.
type ZipOp uint8

// The functions that Zip knows.
const (
	ZipAdd ZipOp = iota
	ZipSub
	ZipMul
	ZipDiv
	ZipMax // NaN where one is, and 0 above -0
	ZipMin // NaN where one is, and -0 below 0
	zipOps
)

// A form says which of two operands are vectors. The others are one float, which
// goes with every one of the vector.
type form uint8

const (
	bothVectors form = iota
	rightScalar
	leftScalar
	bothScalars
	noForm
)

// formOf returns the form of two operands where the result has n floats.
func formOf(n int, x, y []float32) form {
	switch {
	case len(x) == n && len(y) == n:
		return bothVectors
	case len(x) == n && len(y) == 1:
		return rightScalar
	case len(x) == 1 && len(y) == n:
		return leftScalar
	case len(x) == 1 && len(y) == 1:
		return bothScalars
	}
	return noForm
}

// Zip sets every float of dst to a function of those in x and y:
//
//	dst[i] = op(x[i], y[i])
//
// One of x and y may be a single float, which then goes with every one of the
// other. Results are the same bits at every level, but for which NaN a NaN is.
//
// It panics unless x and y are as long as dst, or one of them a single float.
// dst may be the same slice as either, but not overlap them otherwise.
func Zip(op ZipOp, dst, x, y []float32) {
	f := formOf(len(dst), x, y)
	if op >= zipOps || f >= bothScalars {
		panic("simd: Zip: lengths do not match, or no such op")
	}
	zip(op, f, dst, x, y)
}

// zipPortable specifies Zip.
func zipPortable(op ZipOp, f form, dst, x, y []float32) {
	switch op {
	case ZipAdd:
		zipWith(f, dst, x, y, func(x, y float32) float32 { return x + y })
	case ZipSub:
		zipWith(f, dst, x, y, func(x, y float32) float32 { return x - y })
	case ZipMul:
		zipWith(f, dst, x, y, func(x, y float32) float32 { return x * y })
	case ZipDiv:
		zipWith(f, dst, x, y, func(x, y float32) float32 { return x / y })
	case ZipMax:
		zipWith(f, dst, x, y, func(x, y float32) float32 { return max(x, y) })
	case ZipMin:
		zipWith(f, dst, x, y, func(x, y float32) float32 { return min(x, y) })
	}
}

// zipWith is zipPortable for one op.
func zipWith[T any](f form, dst []T, x, y []float32, op func(x, y float32) T) {
	switch f {
	case bothVectors:
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = op(x[i], y[i])
		}
	case rightScalar:
		x, y := x[:len(dst)], y[0]
		for i := range dst {
			dst[i] = op(x[i], y)
		}
	case leftScalar:
		x, y := x[0], y[:len(dst)]
		for i := range dst {
			dst[i] = op(x, y[i])
		}
	}
}
