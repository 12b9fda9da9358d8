package simd

// A CompareOp is a comparison of two floats. With NaN all are false but
// CompareNotEqual.
type CompareOp uint8

// The comparisons that Compare knows.
const (
	CompareEqual CompareOp = iota
	CompareNotEqual
	CompareLess
	CompareLessEqual
	CompareGreater
	CompareGreaterEqual
	compareOps
)

// Compare sets every element of dst to whether a comparison holds:
//
//	dst[i] = x[i] ⋈ y[i]
//
// One of x and y may be a single float, which then goes with every one of the
// other. It panics unless lengths fit as in Zip.
func Compare(op CompareOp, dst []bool, x, y []float32) {
	f := formOf(len(dst), x, y)
	if op >= compareOps || f >= bothScalars {
		panic("simd: Compare: lengths do not match, or no such op")
	}
	compare(op, f, dst, x, y)
}

// comparePortable specifies Compare.
func comparePortable(op CompareOp, f form, dst []bool, x, y []float32) {
	switch op {
	case CompareEqual:
		zipWith(f, dst, x, y, func(x, y float32) bool { return x == y })
	case CompareNotEqual:
		zipWith(f, dst, x, y, func(x, y float32) bool { return x != y })
	case CompareLess:
		zipWith(f, dst, x, y, func(x, y float32) bool { return x < y })
	case CompareLessEqual:
		zipWith(f, dst, x, y, func(x, y float32) bool { return x <= y })
	case CompareGreater:
		zipWith(f, dst, x, y, func(x, y float32) bool { return x > y })
	case CompareGreaterEqual:
		zipWith(f, dst, x, y, func(x, y float32) bool { return x >= y })
	}
}

// Select sets every float of dst to the one of x where mask is true, else to
// that of y:
//
//	dst[i] = mask[i] ? x[i] : y[i]
//
// Each of x and y may be a single float. It panics unless mask is as long as
// dst, and x and y are or have one float. dst may be the same slice as either.
func Select(dst []float32, mask []bool, x, y []float32) {
	f := formOf(len(dst), x, y)
	if len(mask) != len(dst) || f == noForm {
		panic("simd: Select: lengths do not match")
	}
	selectFloats(f, dst, mask, x, y)
}

// selectPortable specifies Select.
func selectPortable(f form, dst []float32, mask []bool, x, y []float32) {
	mask = mask[:len(dst)]
	var a, b float32
	if f == leftScalar || f == bothScalars {
		a = x[0]
	}
	if f == rightScalar || f == bothScalars {
		b = y[0]
	}
	for i, m := range mask {
		if f == bothVectors || f == rightScalar {
			a = x[i]
		}
		if f == bothVectors || f == leftScalar {
			b = y[i]
		}
		dst[i] = b
		if m {
			dst[i] = a
		}
	}
}
