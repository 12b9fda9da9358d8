package learn

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
)

// Guidance helps the codes along by continuous embeddings u, in training alone.
// The zero value is none.
type Guidance struct {
	kind guidanceKind

	// Mix is the probability with which a symbol of the batch takes f(c) and
	// not u (online only).
	Mix float64

	// Match weighs mean((f(c) − u)²).
	Match float64

	// AutoEncoder adds the auto-encoder of u (pre-trained only), Reconstruct
	// weighing mean((u − f(g(u)))²) and MatchLogits mean((π − g(u))²).
	AutoEncoder              bool
	Reconstruct, MatchLogits float64

	table []float32 // u [N, d], frozen
}

type guidanceKind int

const (
	unguided guidanceKind = iota
	odg
	pdg
)

// OnlineGuidance is the paper's ODG: u is trained beside the codes, and stands
// in for f(c) with probability 1 − mix.
func OnlineGuidance(mix, match float64) Guidance {
	return Guidance{kind: odg, Mix: mix, Match: match}
}

// PretrainedGuidance is the paper's PDG with the weights of its experiments:
// u [N, d] comes from the same model trained with a full embedding.
func PretrainedGuidance(u []float32, autoEncoder bool) Guidance {
	return Guidance{kind: pdg, Match: 1000, AutoEncoder: autoEncoder, Reconstruct: 100, MatchLogits: 10, table: u}
}

func (q Guidance) check(n, dim int) error {
	switch {
	case q.kind == odg && (q.Mix < 0 || q.Mix > 1):
		return fmt.Errorf("learn: online guidance takes f(c) with a probability, not %g", q.Mix)
	case q.kind == pdg && len(q.table) != n*dim:
		return fmt.Errorf("learn: guidance by %d values instead of N·d = %d·%d: is it the embedding of the same model?", len(q.table), n, dim)
	}
	return nil
}

func (q Guidance) usesAutoEncoder() bool { return q.kind == pdg && q.AutoEncoder }

// guide returns u [U, d] of the batch's symbols.
func (l *KD) guide(scope *model.Scope, s Symbols) *Node {
	if l.guidance.kind == odg {
		return Rows(Uniform(scope, "guide", l.f.scale, l.n, l.f.dim), s)
	}
	u := variable(scope, "guide", []int{l.n, l.f.dim}, func(values []float32) { copy(values, l.guidance.table) })
	return Gather(u.SetTrainable(false).NodeValue(s.IDs.Graph()), InsertAxes(s.IDs, -1))
}

// guided returns the embeddings that the task sees where the symbols occur, of
// v = f(c) [U, d], and adds the guidance's loss.
func (l *KD) guided(scope *model.Scope, s Symbols, v, weight *Node) *Node {
	g := v.Graph()
	if l.guidance.kind == unguided || !scope.IsTraining(g) {
		return s.place(v)
	}
	u := l.guide(scope, s)
	l.match(v, u, weight)
	if l.guidance.kind == pdg {
		return s.place(v)
	}
	// v = m∘u + (1−m)∘f(c): m is drawn for each occurrence.
	v, u = s.place(v), s.place(u)
	shape := v.Shape().Clone()
	shape.Dimensions[shape.Rank()-1] = 1
	fromCodes := ConvertDType(scope.RandomBernoulli(Scalar(g, dtypes.Float32, l.guidance.Mix), shape), v.DType())
	return Add(Mul(v, fromCodes), Mul(u, OneMinus(fromCodes)))
}

// match asks v = f(c) to be like u. u is not dragged along.
func (l *KD) match(v, u, weight *Node) {
	apart := meanOver(Square(Sub(v, StopGradient(u))), weight)
	train.AddRegularizationLoss(MulScalar(apart, l.guidance.Match))
}
