package learn

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

const (
	normMomentum = 0.99
	normEpsilon  = 1e-3

	// Names of the statistics' variables.
	normMean     = "mean"
	normVariance = "variance"
)

// batchNorm normalises x [U, ..., F] per feature, over all other axes. It is
// not GoMLX's, because each of the U symbols counts as often as it occurs:
// weight [U]. With affine it has a trained scale and offset.
func batchNorm(scope *model.Scope, x, weight *Node, affine bool) *Node {
	g := x.Graph()
	n := x.Shape().Dimensions[x.Rank()-1]
	mean, variance := normStatistics(scope, x, weight)
	y := Div(Sub(x, rowOf(mean, x)), rowOf(Sqrt(AddScalar(variance, normEpsilon)), x))
	if affine {
		scale := Filled(scope, "scale", 1, n).NodeValue(g)
		offset := Filled(scope, "offset", 0, n).NodeValue(g)
		y = Add(Mul(y, rowOf(scale, x)), rowOf(offset, x))
	}
	return y
}

// normStatistics returns the mean and variance [F] to normalise with: the
// batch's own in training, where they also enter the moving averages; those
// averages in evaluation.
func normStatistics(scope *model.Scope, x, weight *Node) (mean, variance *Node) {
	g := x.Graph()
	n := x.Shape().Dimensions[x.Rank()-1]
	meanVar := Filled(scope, normMean, 0, n).SetTrainable(false)
	varianceVar := Filled(scope, normVariance, 1, n).SetTrainable(false)
	batches := Filled(scope, "batches", 0).SetTrainable(false)
	if !scope.IsTraining(g) {
		return meanVar.NodeValue(g), varianceVar.NodeValue(g)
	}
	mean = weightedMean(x, weight)
	variance = weightedMean(Square(Sub(x, rowOf(mean, x))), weight)

	// The first batches are averaged plainly: a moving average that starts at
	// (0, 1) is off by a seventh after 200 steps.
	one := ScalarOne(g, x.DType())
	count := Add(batches.NodeValue(g), one)
	momentum := Min(Scalar(g, x.DType(), normMomentum), OneMinus(Reciprocal(count)))
	occurs := GreaterThan(ReduceAllSum(weight), ScalarZero(g, x.DType())) // a batch of padding alone enters nothing
	momentum = Where(occurs, momentum, one)
	batches.SetNodeValue(Where(occurs, count, batches.NodeValue(g)))
	enter := func(average *model.Variable, now *Node) {
		old := average.NodeValue(g)
		average.SetNodeValue(Add(Mul(old, momentum), Mul(StopGradient(now), OneMinus(momentum))))
	}
	enter(meanVar, mean)
	enter(varianceVar, variance)
	return mean, variance
}

// weightedMean returns the mean [F] of x [U, ..., F] over all axes but the last,
// each of the U counted weight times.
func weightedMean(x, weight *Node) *Node {
	n := x.Shape().Dimensions[x.Rank()-1]
	rows := x.Shape().Dimensions[0]
	between := x.Shape().Size() / (rows * n)
	sum := Dot(weight, Reshape(x, rows, between*n)).Product() // [between·F]
	sum = ReduceSum(Reshape(sum, between, n), 0)
	return Div(sum, MulScalar(totalWeight(weight), between))
}

// totalWeight returns Σ weight, at least 1: a batch of padding alone has no
// mean.
func totalWeight(weight *Node) *Node {
	total := ReduceAllSum(weight)
	return Max(total, OnesLike(total))
}

// meanOver returns the mean of x [U, ...] over all its elements, each of the U
// counted weight times.
func meanOver(x, weight *Node) *Node {
	rows := x.Shape().Dimensions[0]
	rest := x.Shape().Size() / rows
	each := ReduceSum(Reshape(x, rows, rest), 1) // [U]
	return Div(ReduceAllSum(Mul(each, weight)), MulScalar(totalWeight(weight), rest))
}

// rowOf returns f [F] as [1, …, F], of the rank of x.
func rowOf(f, x *Node) *Node {
	return ExpandLeftToRank(f, x.Rank())
}
