package simd

import "math"

// Softmax sets dst to e^x[i] / Σ_j e^x[j]. It panics unless they are equally
// long; they may be the same slice.
func Softmax(dst, x []float32) {
	if len(dst) != len(x) {
		panic("simd: Softmax: lengths do not match")
	}
	if len(x) == 0 {
		return
	}
	total := expSum(dst, x, Max(x))
	scale := [1]float32{1 / total}
	Zip(ZipMul, dst, dst, scale[:])
}

// LogSoftmax sets dst to x[i] - log Σ_j e^x[j]. It panics unless they are
// equally long; they may be the same slice.
func LogSoftmax(dst, x []float32) {
	if len(dst) != len(x) {
		panic("simd: LogSoftmax: lengths do not match")
	}
	if len(x) == 0 {
		return
	}
	total := [1]float32{LogSumExp(x)}
	Zip(ZipSub, dst, x, total[:])
}

// LogSumExp returns log Σ e^x[i]: -Inf for no floats.
func LogSumExp(x []float32) float32 {
	most := Max(x)
	if math.IsInf(float64(most), -1) {
		return most
	}
	return most + float32(math.Log(float64(sumExp(x, most))))
}

// SoftmaxGrad sets dst to the gradient of a loss with respect to x, from y =
// Softmax(x) and the gradient dy with respect to y:
//
//	dst[i] = y[i]·(dy[i] - Σ_j y[j]·dy[j])
//
// It panics unless they are equally long. dst may be the same slice as another.
func SoftmaxGrad(dst, y, dy []float32) {
	if len(dst) != len(y) || len(dst) != len(dy) {
		panic("simd: SoftmaxGrad: lengths do not match")
	}
	softmaxGrad(dst, y, dy, Dot(y, dy))
}

// LogSoftmaxGrad sets dst to the gradient of a loss with respect to x, from y =
// LogSoftmax(x) and the gradient dy with respect to y:
//
//	dst[i] = dy[i] - e^y[i]·Σ_j dy[j]
//
// It panics unless they are equally long. dst may be the same slice as another.
func LogSoftmaxGrad(dst, y, dy []float32) {
	if len(dst) != len(y) || len(dst) != len(dy) {
		panic("simd: LogSoftmaxGrad: lengths do not match")
	}
	logSoftmaxGrad(dst, y, dy, Sum(dy))
}

// expSumPortable specifies expSum.
func expSumPortable(dst, x []float32, shift float32) float32 {
	x = x[:len(dst)]
	var total float32
	for i := range dst {
		dst[i] = float32(math.Exp(float64(x[i] - shift)))
		total += dst[i]
	}
	return total
}

// sumExpPortable specifies sumExp.
func sumExpPortable(x []float32, shift float32) float32 {
	var total float32
	for _, v := range x {
		total += float32(math.Exp(float64(v - shift)))
	}
	return total
}

// softmaxGradPortable specifies softmaxGrad.
func softmaxGradPortable(dst, y, dy []float32, s float32) {
	y, dy = y[:len(dst)], dy[:len(dst)]
	for i := range dst {
		dst[i] = y[i] * (dy[i] - s)
	}
}

// logSoftmaxGradPortable specifies logSoftmaxGrad.
func logSoftmaxGradPortable(dst, y, dy []float32, s float32) {
	y, dy = y[:len(dst)], dy[:len(dst)]
	for i := range dst {
		dst[i] = dy[i] - float32(math.Exp(float64(y[i])))*s
	}
}
