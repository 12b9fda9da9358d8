package learn

import (
	"fmt"
	"math"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/kdcode/kdcode/codefile"
)

// Names of the variables that hold the range of the numbers.
const (
	scalarLow  = "low"
	scalarHigh = "high"
)

// ScalarQuantized is a table whose every number is stored in a few bits, and
// which is trained to be: quantization-aware training after Jacob et al.
// (2018). The forward pass sees the quantized numbers, the gradient passes as
// if they were not, except where a number is out of range.
type ScalarQuantized struct {
	n, dim, bits int
	scale        float64
}

// NewScalar returns the table of n symbols and embeddings of width dim, of 2 to
// 8 bits a number.
func NewScalar(n, dim, bits int) *ScalarQuantized {
	return &ScalarQuantized{n: n, dim: dim, bits: bits, scale: 0.1}
}

// InitScale sets s: initial values are uniform(−s, s). It is 0.1 by default.
func (l *ScalarQuantized) InitScale(s float64) *ScalarQuantized { l.scale = s; return l }

// Symbols returns N.
func (l *ScalarQuantized) Symbols() int { return l.n }

// Dim returns d.
func (l *ScalarQuantized) Dim() int { return l.dim }

// Size returns the layer's size: the bits of all numbers, and the range.
func (l *ScalarQuantized) Size() Size {
	return Size{Parameters: 2, CodeBits: int64(l.bits) * int64(l.n) * int64(l.dim), Symbols: l.n, Dim: l.dim}
}

// Check returns an error unless the settings are possible.
func (l *ScalarQuantized) Check() error {
	if l.bits < 2 || l.bits > 8 {
		return fmt.Errorf("learn: %d bits a number: 2 to 8 are possible", l.bits)
	}
	return checkShape(l.n, l.dim)
}

// top returns the highest level.
func (l *ScalarQuantized) top() float64 { return float64(int(1)<<l.bits - 1) }

// Embed builds the embeddings of a batch's symbols: see [Embedding].
func (l *ScalarQuantized) Embed(scope *model.Scope, s Symbols) *Node {
	if err := l.Check(); err != nil {
		panic(err)
	}
	x := Rows(Uniform(scope, "table", l.scale, l.n, l.dim), s)
	low, high := l.valueRange(scope, x, s)
	step, zero := l.levels(low, high)

	level := ClipScalar(Round(Add(Div(x, step), zero)), 0, l.top())
	y := StopGradient(Mul(Sub(level, zero), step))
	lowest := Mul(Neg(zero), step)
	highest := Mul(Sub(Scalar(x.Graph(), x.DType(), l.top()), zero), step)
	inside := ConvertDType(LogicalAnd(GreaterOrEqual(x, lowest), LessOrEqual(x, highest)), x.DType())
	// The difference is zero forward, exactly, and has the gradient of x.
	return s.place(Add(y, Mul(inside, Sub(x, StopGradient(x)))))
}

// leastStep keeps a table of zeros from a division by zero.
const leastStep = 1e-12

// levels returns the distance of two levels and the level of zero, which is
// whole: zero stays zero.
func (l *ScalarQuantized) levels(low, high *Node) (step, zero *Node) {
	step = MaxScalar(DivScalar(Sub(high, low), l.top()), leastStep)
	return step, Round(Div(Neg(low), step))
}

// valueRange returns the range to quantize in, zero within it: moving averages
// of the least and the largest number of the rows x [U, d], into which training
// takes the batch's. Padding does not count.
func (l *ScalarQuantized) valueRange(scope *model.Scope, x *Node, s Symbols) (low, high *Node) {
	g := x.Graph()
	lowVar := Filled(scope, scalarLow, float32(-l.scale)).SetTrainable(false)
	highVar := Filled(scope, scalarHigh, float32(l.scale)).SetTrainable(false)
	low, high = lowVar.NodeValue(g), highVar.NodeValue(g)
	if !scope.IsTraining(g) {
		return low, high
	}
	occurs := (&rowsUse{symbols: s, rows: x}).occurs()
	seen := StopGradient(Mul(x, occurs)) // zero is in the range anyway
	zero := ScalarZero(g, x.DType())
	low = movingAverage(low, Min(ReduceAllMin(seen), zero))
	high = movingAverage(high, Max(ReduceAllMax(seen), zero))
	lowVar.SetNodeValue(low)
	highVar.SetNodeValue(high)
	return low, high
}

// movingAverage returns the average with a new value taken in. Averages start
// at the range of the initial values, so there is no bias to correct.
func movingAverage(average, now *Node) *Node {
	return Add(MulScalar(average, normMomentum), MulScalar(now, 1-normMomentum))
}

// Export returns the trained layer as the content of a code file: a digit for
// each number, of K = 2^bits levels that all digits share.
func (l *ScalarQuantized) Export(scope *model.Scope) (*codefile.Model, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	if l.dim > codefile.MaxD {
		return nil, fmt.Errorf("learn: a code file holds scalar-quantized vectors up to width %d, not %d: use product quantization or DPQ for wider ones", codefile.MaxD, l.dim)
	}
	step, zero, err := l.trainedLevels(scope)
	if err != nil {
		return nil, err
	}
	table, err := valueOf(scope, "table", l.n, l.dim)
	if err != nil {
		return nil, err
	}
	values := make([]float32, int(l.top())+1)
	for k := range values {
		values[k] = (float32(k) - zero) * step
	}
	codes := codefile.NewCodes(l.n, len(values), l.dim)
	err = tensors.ConstFlatData(table, func(x []float32) {
		eachSymbol(l.n, func(i int, digits []uint16, _ []float64) {
			for j, x := range x[i*l.dim:][:l.dim] {
				level := math.RoundToEven(float64(x/step + zero))
				digits[j] = uint16(min(max(level, 0), l.top()))
			}
			codes.Set(i, digits)
		}, l.dim, 0)
	})
	return &codefile.Model{
		Codes:             codes,
		Embeddings:        codefile.Embeddings{Values: values, Dim: 1, Shared: true},
		Composition:       codefile.Concat,
		TrainedParameters: l.Size().Parameters,
		Metadata:          map[string]string{"made_by": "kdcode/learn", "layer": "scalar", "bits": fmt.Sprint(l.bits)},
	}, err
}

// trainedLevels is levels of the trained range, in the graph's float32, so that
// numbers between two levels go to the same one.
func (l *ScalarQuantized) trainedLevels(scope *model.Scope) (step, zero float32, err error) {
	low, err := Values(scope, scalarLow)
	if err != nil {
		return 0, 0, err
	}
	high, err := Values(scope, scalarHigh)
	if err != nil {
		return 0, 0, err
	}
	step = max((high[0]-low[0])/float32(l.top()), leastStep)
	return step, float32(math.RoundToEven(float64(-low[0] / step))), nil
}
