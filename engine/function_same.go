package engine

import "github.com/gomlx/compute"

// Operations that differ in their name alone.

type value = compute.Value

func (f *function) Abs(x value) (value, error) {
	return f.unary(compute.OpTypeAbs, compute.Function.Abs, x)
}

func (f *function) BitCount(x value) (value, error) {
	return f.unary(compute.OpTypeBitCount, compute.Function.BitCount, x)
}

func (f *function) BitwiseNot(x value) (value, error) {
	return f.unary(compute.OpTypeBitwiseNot, compute.Function.BitwiseNot, x)
}

func (f *function) Ceil(x value) (value, error) {
	return f.unary(compute.OpTypeCeil, compute.Function.Ceil, x)
}

func (f *function) Clz(x value) (value, error) {
	return f.unary(compute.OpTypeClz, compute.Function.Clz, x)
}

func (f *function) Conj(x value) (value, error) {
	return f.unary(compute.OpTypeConj, compute.Function.Conj, x)
}

func (f *function) Cos(x value) (value, error) {
	return f.unary(compute.OpTypeCos, compute.Function.Cos, x)
}

func (f *function) Erf(x value) (value, error) {
	return f.unary(compute.OpTypeErf, compute.Function.Erf, x)
}

func (f *function) Exp(x value) (value, error) {
	return f.unary(compute.OpTypeExp, compute.Function.Exp, x)
}

func (f *function) Expm1(x value) (value, error) {
	return f.unary(compute.OpTypeExpm1, compute.Function.Expm1, x)
}

func (f *function) Floor(x value) (value, error) {
	return f.unary(compute.OpTypeFloor, compute.Function.Floor, x)
}

func (f *function) Imag(x value) (value, error) {
	return f.unary(compute.OpTypeImag, compute.Function.Imag, x)
}

func (f *function) IsFinite(x value) (value, error) {
	return f.unary(compute.OpTypeIsFinite, compute.Function.IsFinite, x)
}

func (f *function) IsNaN(x value) (value, error) {
	return f.unary(compute.OpTypeIsNaN, compute.Function.IsNaN, x)
}

func (f *function) Log(x value) (value, error) {
	return f.unary(compute.OpTypeLog, compute.Function.Log, x)
}

func (f *function) Log1p(x value) (value, error) {
	return f.unary(compute.OpTypeLog1p, compute.Function.Log1p, x)
}

func (f *function) LogicalNot(x value) (value, error) {
	return f.unary(compute.OpTypeLogicalNot, compute.Function.LogicalNot, x)
}

func (f *function) Logistic(x value) (value, error) {
	return f.unary(compute.OpTypeLogistic, compute.Function.Logistic, x)
}

func (f *function) Neg(x value) (value, error) {
	return f.unary(compute.OpTypeNeg, compute.Function.Neg, x)
}

func (f *function) Real(x value) (value, error) {
	return f.unary(compute.OpTypeReal, compute.Function.Real, x)
}

func (f *function) Round(x value) (value, error) {
	return f.unary(compute.OpTypeRound, compute.Function.Round, x)
}

func (f *function) Rsqrt(x value) (value, error) {
	return f.unary(compute.OpTypeRsqrt, compute.Function.Rsqrt, x)
}

func (f *function) Sign(x value) (value, error) {
	return f.unary(compute.OpTypeSign, compute.Function.Sign, x)
}

func (f *function) Sin(x value) (value, error) {
	return f.unary(compute.OpTypeSin, compute.Function.Sin, x)
}

func (f *function) Sqrt(x value) (value, error) {
	return f.unary(compute.OpTypeSqrt, compute.Function.Sqrt, x)
}

func (f *function) Tanh(x value) (value, error) {
	return f.unary(compute.OpTypeTanh, compute.Function.Tanh, x)
}

func (f *function) Identity(x value) (value, error) {
	return f.unary(compute.OpTypeIdentity, compute.Function.Identity, x)
}

func (f *function) DynamicShape(x value) (value, error) {
	return f.unary(compute.OpTypeDynamicShape, compute.Function.DynamicShape, x)
}

func (f *function) Add(x, y value) (value, error) {
	return f.binary(compute.OpTypeAdd, compute.Function.Add, x, y)
}

func (f *function) Atan2(x, y value) (value, error) {
	return f.binary(compute.OpTypeAtan2, compute.Function.Atan2, x, y)
}

func (f *function) BitwiseAnd(x, y value) (value, error) {
	return f.binary(compute.OpTypeBitwiseAnd, compute.Function.BitwiseAnd, x, y)
}

func (f *function) BitwiseOr(x, y value) (value, error) {
	return f.binary(compute.OpTypeBitwiseOr, compute.Function.BitwiseOr, x, y)
}

func (f *function) BitwiseXor(x, y value) (value, error) {
	return f.binary(compute.OpTypeBitwiseXor, compute.Function.BitwiseXor, x, y)
}

func (f *function) Complex(x, y value) (value, error) {
	return f.binary(compute.OpTypeComplex, compute.Function.Complex, x, y)
}

func (f *function) Div(x, y value) (value, error) {
	return f.binary(compute.OpTypeDiv, compute.Function.Div, x, y)
}

func (f *function) Equal(x, y value) (value, error) {
	return f.binary(compute.OpTypeEqual, compute.Function.Equal, x, y)
}

func (f *function) EqualTotalOrder(x, y value) (value, error) {
	return f.binary(compute.OpTypeEqualTotalOrder, compute.Function.EqualTotalOrder, x, y)
}

func (f *function) GreaterOrEqual(x, y value) (value, error) {
	return f.binary(compute.OpTypeGreaterOrEqual, compute.Function.GreaterOrEqual, x, y)
}

func (f *function) GreaterOrEqualTotalOrder(x, y value) (value, error) {
	return f.binary(compute.OpTypeGreaterOrEqualTotalOrder, compute.Function.GreaterOrEqualTotalOrder, x, y)
}

func (f *function) GreaterThan(x, y value) (value, error) {
	return f.binary(compute.OpTypeGreaterThan, compute.Function.GreaterThan, x, y)
}

func (f *function) GreaterThanTotalOrder(x, y value) (value, error) {
	return f.binary(compute.OpTypeGreaterThanTotalOrder, compute.Function.GreaterThanTotalOrder, x, y)
}

func (f *function) LessOrEqual(x, y value) (value, error) {
	return f.binary(compute.OpTypeLessOrEqual, compute.Function.LessOrEqual, x, y)
}

func (f *function) LessOrEqualTotalOrder(x, y value) (value, error) {
	return f.binary(compute.OpTypeLessOrEqualTotalOrder, compute.Function.LessOrEqualTotalOrder, x, y)
}

func (f *function) LessThan(x, y value) (value, error) {
	return f.binary(compute.OpTypeLessThan, compute.Function.LessThan, x, y)
}

func (f *function) LessThanTotalOrder(x, y value) (value, error) {
	return f.binary(compute.OpTypeLessThanTotalOrder, compute.Function.LessThanTotalOrder, x, y)
}

func (f *function) LogicalAnd(x, y value) (value, error) {
	return f.binary(compute.OpTypeLogicalAnd, compute.Function.LogicalAnd, x, y)
}

func (f *function) LogicalOr(x, y value) (value, error) {
	return f.binary(compute.OpTypeLogicalOr, compute.Function.LogicalOr, x, y)
}

func (f *function) LogicalXor(x, y value) (value, error) {
	return f.binary(compute.OpTypeLogicalXor, compute.Function.LogicalXor, x, y)
}

func (f *function) Max(x, y value) (value, error) {
	return f.binary(compute.OpTypeMax, compute.Function.Max, x, y)
}

func (f *function) Min(x, y value) (value, error) {
	return f.binary(compute.OpTypeMin, compute.Function.Min, x, y)
}

func (f *function) Mul(x, y value) (value, error) {
	return f.binary(compute.OpTypeMul, compute.Function.Mul, x, y)
}

func (f *function) NotEqual(x, y value) (value, error) {
	return f.binary(compute.OpTypeNotEqual, compute.Function.NotEqual, x, y)
}

func (f *function) NotEqualTotalOrder(x, y value) (value, error) {
	return f.binary(compute.OpTypeNotEqualTotalOrder, compute.Function.NotEqualTotalOrder, x, y)
}

func (f *function) Pow(x, y value) (value, error) {
	return f.binary(compute.OpTypePow, compute.Function.Pow, x, y)
}

func (f *function) Rem(x, y value) (value, error) {
	return f.binary(compute.OpTypeRem, compute.Function.Rem, x, y)
}

func (f *function) ShiftLeft(x, y value) (value, error) {
	return f.binary(compute.OpTypeShiftLeft, compute.Function.ShiftLeft, x, y)
}

func (f *function) ShiftRightArithmetic(x, y value) (value, error) {
	return f.binary(compute.OpTypeShiftRightArithmetic, compute.Function.ShiftRightArithmetic, x, y)
}

func (f *function) ShiftRightLogical(x, y value) (value, error) {
	return f.binary(compute.OpTypeShiftRightLogical, compute.Function.ShiftRightLogical, x, y)
}

func (f *function) Sub(x, y value) (value, error) {
	return f.binary(compute.OpTypeSub, compute.Function.Sub, x, y)
}

func (f *function) ReduceBitwiseAnd(x value, axes ...int) (value, error) {
	return f.reduce(compute.OpTypeReduceBitwiseAnd, compute.Function.ReduceBitwiseAnd, x, axes)
}

func (f *function) ReduceBitwiseOr(x value, axes ...int) (value, error) {
	return f.reduce(compute.OpTypeReduceBitwiseOr, compute.Function.ReduceBitwiseOr, x, axes)
}

func (f *function) ReduceBitwiseXor(x value, axes ...int) (value, error) {
	return f.reduce(compute.OpTypeReduceBitwiseXor, compute.Function.ReduceBitwiseXor, x, axes)
}

func (f *function) ReduceLogicalAnd(x value, axes ...int) (value, error) {
	return f.reduce(compute.OpTypeReduceLogicalAnd, compute.Function.ReduceLogicalAnd, x, axes)
}

func (f *function) ReduceLogicalOr(x value, axes ...int) (value, error) {
	return f.reduce(compute.OpTypeReduceLogicalOr, compute.Function.ReduceLogicalOr, x, axes)
}

func (f *function) ReduceLogicalXor(x value, axes ...int) (value, error) {
	return f.reduce(compute.OpTypeReduceLogicalXor, compute.Function.ReduceLogicalXor, x, axes)
}

func (f *function) ReduceMax(x value, axes ...int) (value, error) {
	return f.reduce(compute.OpTypeReduceMax, compute.Function.ReduceMax, x, axes)
}

func (f *function) ReduceMin(x value, axes ...int) (value, error) {
	return f.reduce(compute.OpTypeReduceMin, compute.Function.ReduceMin, x, axes)
}

func (f *function) ReduceProduct(x value, axes ...int) (value, error) {
	return f.reduce(compute.OpTypeReduceProduct, compute.Function.ReduceProduct, x, axes)
}

func (f *function) ReduceSum(x value, axes ...int) (value, error) {
	return f.reduce(compute.OpTypeReduceSum, compute.Function.ReduceSum, x, axes)
}
