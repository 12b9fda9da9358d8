package learn

import (
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// Relaxation is how the choice of a digit is made differentiable. At inference
// every relaxation takes the argmax.
type Relaxation int

const (
	// StraightThrough takes the one-hot argmax forward and the gradient of
	// softmax(π/τ) backward.
	StraightThrough Relaxation = iota

	// Soft takes softmax(π/τ) both ways. Training then sees codes that
	// inference does not have.
	Soft

	// Gumbel is StraightThrough on log softmax(π) with Gumbel noise: it draws a
	// digit rather than taking the best.
	Gumbel

	// Threshold is for K = 2: one logit a digit, sigmoid(π/τ), and the digit is
	// whether π is above zero.
	Threshold
)

// String returns the name that the command's flags use.
func (r Relaxation) String() string {
	return [...]string{"ste", "soft", "gumbel", "threshold"}[r]
}

// relaxed is a batch's choice of digits.
type relaxed struct {
	codes *Node // [U, D, K]: o, or ô where the relaxation is soft
	soft  *Node // [U, D, K]: ô, for the entropy
}

// relax turns logits [U, D, K], normalised but not tempered ([U, D, 1] for
// Threshold), into codes. With through, the codes are ô: the relaxed path
// whose gradient the straight-through estimator borrows.
func (r Relaxation) relax(scope *model.Scope, logits *Node, t Temperature, through bool) relaxed {
	g := logits.Graph()
	training := scope.IsTraining(g)
	if r == Threshold {
		return thresholded(t.divide(logits), training, through)
	}
	if r == Gumbel && training {
		logits = Add(LogSoftmax(logits, -1), gumbelNoise(scope, logits))
	}
	tempered := t.divide(logits)
	soft := Softmax(tempered, -1)
	if through || r == Soft && training {
		return relaxed{soft, soft}
	}
	hard := oneHot(tempered)
	if !training {
		return relaxed{hard, soft}
	}
	return relaxed{straightThrough(hard, soft), soft}
}

// oneHot returns the one-hot argmax of the last axis.
func oneHot(x *Node) *Node {
	return OneHot(ArgMax(x, -1), x.Shape().Dimensions[x.Rank()-1], x.DType())
}

// straightThrough returns hard, with the gradient of soft.
func straightThrough(hard, soft *Node) *Node {
	return Add(StopGradient(Sub(hard, soft)), soft)
}

// thresholded is the choice between two ways by one logit [U, D, 1].
func thresholded(logits *Node, training, through bool) relaxed {
	one := Sigmoid(logits)
	soft := Concatenate([]*Node{OneMinus(one), one}, -1) // [U, D, 2]
	if through {
		return relaxed{soft, soft}
	}
	above := ConvertDType(GreaterThan(logits, ZerosLike(logits)), logits.DType())
	hard := Concatenate([]*Node{OneMinus(above), above}, -1)
	if !training {
		return relaxed{hard, soft}
	}
	return relaxed{straightThrough(hard, soft), soft}
}

// gumbelNoise draws −log(−log u) for each logit.
func gumbelNoise(scope *model.Scope, logits *Node) *Node {
	const tiny = 1e-10 // keeps both logarithms finite
	u := scope.RandomUniform(logits.Graph(), logits.Shape())
	return Neg(Log(AddScalar(Neg(Log(AddScalar(u, tiny))), tiny)))
}

// entropy returns the entropy [U, D] of ô [U, D, K].
func entropy(soft *Node) *Node {
	return Neg(ReduceSum(Mul(soft, Log(AddScalar(soft, 1e-10))), -1))
}

// dropDigits zeroes digits' choices [U, D, K] with a probability in training, and
// scales up those that stay, so that sums keep their size.
func dropDigits(scope *model.Scope, codes *Node, rate float64) *Node {
	g := codes.Graph()
	if rate == 0 || !scope.IsTraining(g) {
		return codes
	}
	shape := codes.Shape().Clone()
	shape.Dimensions[len(shape.Dimensions)-1] = 1
	keep := scope.RandomBernoulli(Scalar(g, dtypes.Float32, 1-rate), shape)
	return Mul(codes, DivScalar(ConvertDType(keep, codes.DType()), 1-rate))
}
