package engine

import (
	"math"
	"unsafe"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"

	"github.com/kdcode/kdcode/internal/simd"
)

// block is some consecutive elements of an operand: as many as the result has,
// or one that goes with all of them.
type block struct {
	at unsafe.Pointer
	n  int
}

// as returns the elements of a block.
func as[T any](b block) []T { return unsafe.Slice((*T)(b.at), b.n) }

// kernel computes a block of an element-wise operation. dst may be one of the
// operands, if that is of the same width.
type kernel func(dst, x, y, z block)

// kernelKey names a kernel by the types of its first operand and of its result.
// Conversions have both, other operations follow from one.
type kernelKey struct {
	op       compute.OpType
	from, to dtypes.DType
}

var (
	kernels     = map[kernelKey]kernel{}
	elementwise = map[compute.OpType]bool{}
)

// isElementwise reports whether an operation goes element by element, on
// operands of its result's shape or repeated to it.
func isElementwise(op compute.OpType) bool { return elementwise[op] }

// kernelOf returns the kernel of an element-wise node, nil where there is none.
func kernelOf(n *node) kernel {
	if n.op == opCopy {
		return copyKernel(n.shape.DType)
	}
	if !elementwise[n.op] {
		return nil
	}
	from := n.inputs[0].shape.DType
	if n.op == compute.OpTypeWhere {
		from = n.shape.DType
	}
	if n.op == compute.OpTypeConvertDType && from == n.shape.DType {
		return copyKernel(from)
	}
	return kernels[kernelKey{n.op, from, n.shape.DType}]
}

// copyKernel copies elements of any type, by their width.
func copyKernel(t dtypes.DType) kernel {
	if t.IsPacked() {
		return nil
	}
	switch t.Size() {
	case 1:
		return copyBlock[uint8]
	case 2:
		return copyBlock[uint16]
	case 4:
		return copyBlock[uint32]
	case 8:
		return copyBlock[uint64]
	}
	return nil
}

func copyBlock[T any](dst, x, _, _ block) {
	d, s := as[T](dst), as[T](x)
	if len(s) == len(d) {
		copy(d, s)
		return
	}
	fill(d, s[0])
}

func init() {
	floatKernels()
	integerKernels[int32](dtypes.Int32)
	integerKernels[int64](dtypes.Int64)
	integerKernels[uint32](dtypes.Uint32)
	integerKernels[uint64](dtypes.Uint64)
	boolKernels()
	conversions()
	for k := range kernels {
		elementwise[k.op] = true
	}
}

func register(op compute.OpType, from, to dtypes.DType, k kernel) {
	kernels[kernelKey{op, from, to}] = k
}

// zips are the operations on two floats that a chain may have.
var zips = map[compute.OpType]simd.ZipOp{
	compute.OpTypeAdd: simd.ZipAdd, compute.OpTypeSub: simd.ZipSub, compute.OpTypeMul: simd.ZipMul,
	compute.OpTypeDiv: simd.ZipDiv, compute.OpTypeMax: simd.ZipMax, compute.OpTypeMin: simd.ZipMin,
}

// isZip reports whether a node's kernel is one of zips.
func isZip(n *node) bool {
	_, ok := zips[n.op]
	return ok && n.shape.DType == dtypes.Float32
}

// floatKernels registers those of float32, which are in assembly.
func floatKernels() {
	const f = dtypes.Float32
	for op, m := range map[compute.OpType]simd.MapOp{
		compute.OpTypeExp: simd.MapExp, compute.OpTypeExpm1: simd.MapExpm1, compute.OpTypeLog: simd.MapLog,
		compute.OpTypeLog1p: simd.MapLog1p, compute.OpTypeTanh: simd.MapTanh, compute.OpTypeLogistic: simd.MapLogistic,
		compute.OpTypeSqrt: simd.MapSqrt, compute.OpTypeRsqrt: simd.MapRsqrt, compute.OpTypeNeg: simd.MapNeg,
		compute.OpTypeAbs: simd.MapAbs, compute.OpTypeSign: simd.MapSign, compute.OpTypeFloor: simd.MapFloor,
		compute.OpTypeCeil: simd.MapCeil, compute.OpTypeRound: simd.MapRound,
	} {
		register(op, f, f, func(dst, x, _, _ block) { simd.Map(m, as[float32](dst), as[float32](x)) })
	}
	for op, m := range zips {
		register(op, f, f, func(dst, x, y, _ block) { simd.Zip(m, as[float32](dst), as[float32](x), as[float32](y)) })
	}
	for op, m := range map[compute.OpType]simd.CompareOp{
		compute.OpTypeEqual: simd.CompareEqual, compute.OpTypeNotEqual: simd.CompareNotEqual,
		compute.OpTypeLessThan: simd.CompareLess, compute.OpTypeLessOrEqual: simd.CompareLessEqual,
		compute.OpTypeGreaterThan: simd.CompareGreater, compute.OpTypeGreaterOrEqual: simd.CompareGreaterEqual,
	} {
		register(op, f, dtypes.Bool, func(dst, x, y, _ block) { simd.Compare(m, as[bool](dst), as[float32](x), as[float32](y)) })
	}
	register(compute.OpTypePow, f, f, zipKernel(func(x, y float32) float32 {
		return float32(math.Pow(float64(x), float64(y)))
	}))
	register(compute.OpTypeErf, f, f, mapKernel(func(x float32) float32 { return float32(math.Erf(float64(x))) }))
	register(compute.OpTypeSin, f, f, mapKernel(func(x float32) float32 { return float32(math.Sin(float64(x))) }))
	register(compute.OpTypeCos, f, f, mapKernel(func(x float32) float32 { return float32(math.Cos(float64(x))) }))
	register(compute.OpTypeIsNaN, f, dtypes.Bool, mapKernel(func(x float32) bool { return x != x }))
	register(compute.OpTypeIsFinite, f, dtypes.Bool, mapKernel(func(x float32) bool { return x-x == 0 }))
	register(compute.OpTypeWhere, f, f, func(dst, mask, x, y block) {
		if mask.n < dst.n { // one condition for all
			copyBlock[float32](dst, pickBlock(as[bool](mask)[0], x, y), block{}, block{})
			return
		}
		simd.Select(as[float32](dst), as[bool](mask), as[float32](x), as[float32](y))
	})
	register(compute.OpTypeClamp, f, f, clampBlock)
}

// clampBlock is min(max(x, low), high). It needs x and high at the same time, so
// that dst may be either.
func clampBlock(dst, low, x, high block) {
	d, l, s, h := as[float32](dst), as[float32](low), as[float32](x), as[float32](high)
	for i := range d {
		d[i] = min(max(s[min(i, len(s)-1)], l[min(i, len(l)-1)]), h[min(i, len(h)-1)])
	}
}

func pickBlock(yes bool, x, y block) block {
	if yes {
		return x
	}
	return y
}

// mapKernel and zipKernel make a kernel of a function of one or two elements.
func mapKernel[T, U any](f func(T) U) kernel {
	return func(dst, x, _, _ block) {
		d, s := as[U](dst), as[T](x)
		for i := range d {
			d[i] = f(s[i])
		}
	}
}

func zipKernel[T, U any](f func(x, y T) U) kernel {
	return func(dst, x, y, _ block) {
		d, s, t := as[U](dst), as[T](x), as[T](y)
		switch {
		case len(s) < len(d):
			for i := range d {
				d[i] = f(s[0], t[i])
			}
		case len(t) < len(d):
			for i := range d {
				d[i] = f(s[i], t[0])
			}
		default:
			for i := range d {
				d[i] = f(s[i], t[i])
			}
		}
	}
}

func whereKernel[T any]() kernel {
	return func(dst, mask, x, y block) {
		d, m, s, t := as[T](dst), as[bool](mask), as[T](x), as[T](y)
		at := func(b []T, i int) T { return b[min(i, len(b)-1)] }
		for i := range d {
			if m[min(i, len(m)-1)] {
				d[i] = at(s, i)
			} else {
				d[i] = at(t, i)
			}
		}
	}
}

type integer interface {
	int32 | int64 | uint32 | uint64
}

// integerKernels registers those of an integer type: they are for indices,
// counters and random bits, and plain loops.
func integerKernels[T integer](t dtypes.DType) {
	arithmetic := map[compute.OpType]func(x, y T) T{
		compute.OpTypeAdd:        func(x, y T) T { return x + y },
		compute.OpTypeSub:        func(x, y T) T { return x - y },
		compute.OpTypeMul:        func(x, y T) T { return x * y },
		compute.OpTypeMax:        func(x, y T) T { return max(x, y) },
		compute.OpTypeMin:        func(x, y T) T { return min(x, y) },
		compute.OpTypeBitwiseAnd: func(x, y T) T { return x & y },
		compute.OpTypeBitwiseOr:  func(x, y T) T { return x | y },
		compute.OpTypeBitwiseXor: func(x, y T) T { return x ^ y },
	}
	for op, f := range arithmetic {
		register(op, t, t, zipKernel(f))
	}
	comparisons := map[compute.OpType]func(x, y T) bool{
		compute.OpTypeEqual:          func(x, y T) bool { return x == y },
		compute.OpTypeNotEqual:       func(x, y T) bool { return x != y },
		compute.OpTypeLessThan:       func(x, y T) bool { return x < y },
		compute.OpTypeLessOrEqual:    func(x, y T) bool { return x <= y },
		compute.OpTypeGreaterThan:    func(x, y T) bool { return x > y },
		compute.OpTypeGreaterOrEqual: func(x, y T) bool { return x >= y },
	}
	for op, f := range comparisons {
		register(op, t, dtypes.Bool, zipKernel(f))
	}
	register(compute.OpTypeNeg, t, t, mapKernel(func(x T) T { return -x }))
	register(compute.OpTypeBitwiseNot, t, t, mapKernel(func(x T) T { return ^x }))
	register(compute.OpTypeWhere, t, t, whereKernel[T]())
	register(compute.OpTypeConvertDType, dtypes.Bool, t, mapKernel(func(x bool) T { return T(bit(x)) }))
	register(compute.OpTypeConvertDType, t, dtypes.Int32, mapKernel(func(x T) int32 { return int32(x) }))
	register(compute.OpTypeConvertDType, t, dtypes.Int64, mapKernel(func(x T) int64 { return int64(x) }))
}

func bit(x bool) uint8 {
	if x {
		return 1
	}
	return 0
}

func boolKernels() {
	const b = dtypes.Bool
	register(compute.OpTypeLogicalAnd, b, b, zipKernel(func(x, y bool) bool { return x && y }))
	register(compute.OpTypeLogicalOr, b, b, zipKernel(func(x, y bool) bool { return x || y }))
	register(compute.OpTypeLogicalXor, b, b, zipKernel(func(x, y bool) bool { return x != y }))
	register(compute.OpTypeEqual, b, b, zipKernel(func(x, y bool) bool { return x == y }))
	register(compute.OpTypeNotEqual, b, b, zipKernel(func(x, y bool) bool { return x != y }))
	register(compute.OpTypeLogicalNot, b, b, mapKernel(func(x bool) bool { return !x }))
	register(compute.OpTypeWhere, b, b, whereKernel[bool]())
}

// conversions registers those to float32.
func conversions() {
	const to = dtypes.Float32
	register(compute.OpTypeConvertDType, dtypes.Bool, to, func(dst, x, _, _ block) { simd.FromBool(as[float32](dst), as[bool](x)) })
	register(compute.OpTypeConvertDType, dtypes.Int32, to, func(dst, x, _, _ block) { simd.FromInt32(as[float32](dst), as[int32](x)) })
	register(compute.OpTypeConvertDType, dtypes.Int64, to, func(dst, x, _, _ block) { simd.FromInt64(as[float32](dst), as[int64](x)) })
	register(compute.OpTypeConvertDType, dtypes.Uint32, to, func(dst, x, _, _ block) { simd.FromUint32(as[float32](dst), as[uint32](x)) })
	register(compute.OpTypeConvertDType, dtypes.Uint64, to, mapKernel(func(x uint64) float32 { return float32(x) }))
}
