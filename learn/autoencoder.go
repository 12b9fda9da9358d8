package learn

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
)

// embedBeside builds the embeddings of a batch beside the auto-encoder of its
// guide: u → g → logits → codes → f → u. Both streams go through f as one
// batch, so that its batch norms see both.
func (l *KD) embedBeside(scope *model.Scope, s Symbols, logits, weight *Node) *Node {
	u := l.guide(scope, s)
	encoded := l.encode(scope, u, weight) // g(u) [U, D, K]
	twice := Concatenate([]*Node{weight, weight}, 0)
	both := l.decode(scope, l.composer(), Concatenate([]*Node{logits, encoded}, 0), twice)

	n := u.Shape().Dimensions[0]
	v := Slice(both, AxisRange(0, n))
	l.match(v, u, weight)
	reconstruction := meanOver(Square(Sub(u, Slice(both, AxisRange(n)))), weight)
	train.AddRegularizationLoss(MulScalar(reconstruction, l.guidance.Reconstruct))
	apart := meanOver(Square(Sub(logits, encoded)), weight)
	train.AddRegularizationLoss(MulScalar(apart, l.guidance.MatchLogits))
	return s.place(v)
}

// encode is g: one dense layer from u [U, d] to code logits [U, D, K], and a
// batch norm.
func (l *KD) encode(scope *model.Scope, u, weight *Node) *Node {
	g, encoder := u.Graph(), scope.At("encoder")
	n, width := u.Shape().Dimensions[0], l.f.length*l.logitsWidth()
	y := Dot(u, Uniform(encoder, "weight", l.f.scale, l.f.dim, width).NodeValue(g)).Product()
	y = Add(y, rowOf(Filled(encoder, "bias", 0, width).NodeValue(g), y))
	y = Reshape(y, n, l.f.length, l.logitsWidth())
	return batchNorm(encoder.At("norm"), y, weight, l.logitsAffine())
}
