package learn

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/kdcode/kdcode/codefile"
)

// DPQ is differentiable product quantization, later work of the same author:
// each symbol has a query q of width d instead of logits, cut into D parts of
// width d/D. Each part chooses one of K values of that width, and the
// embedding is the chosen values side by side. The queries are needed in
// training alone.
type DPQ struct {
	n     int
	f     composer // Concat; its code embeddings are the values
	match Match

	// relaxedPath is as in KD.
	relaxedPath bool
}

// Match is how a query chooses among the K values of a digit.
type Match int

const (
	// SX takes the value whose key has the largest product with the query,
	// softmax with straight-through estimation. Keys are trained beside the
	// values.
	SX Match = iota

	// VQ takes the value nearest to the query. The gradient goes straight to
	// the query, and a regulariser draws the values to their queries.
	VQ
)

// String returns the name that the command's flags use.
func (m Match) String() string { return [...]string{"sx", "vq"}[m] }

// NewDPQ returns the layer of n symbols and embeddings of width dim, with
// K = 32, D = 50, SX, and values of their own for each digit.
func NewDPQ(n, dim int) *DPQ {
	return &DPQ{n: n, f: composer{kind: Concat, dim: dim, ways: 32, length: 50, scale: 0.1}}
}

// Ways sets K.
func (l *DPQ) Ways(k int) *DPQ { l.f.ways = k; return l }

// CodeLength sets D, which must divide d.
func (l *DPQ) CodeLength(d int) *DPQ { l.f.length = d; return l }

// Match sets how a query chooses.
func (l *DPQ) Match(m Match) *DPQ { l.match = m; return l }

// Shared makes all D digits share one set of K values.
func (l *DPQ) Shared(shared bool) *DPQ { l.f.shared = shared; return l }

// InitScale sets s: initial values are uniform(−s, s). It is 0.1 by default.
func (l *DPQ) InitScale(s float64) *DPQ { l.f.scale = s; return l }

// Symbols returns N.
func (l *DPQ) Symbols() int { return l.n }

// Dim returns d.
func (l *DPQ) Dim() int { return l.f.dim }

// Size returns the layer's size by the paper's count: codes and values, which
// is what inference needs.
func (l *DPQ) Size() Size {
	f := l.composer()
	return Size{Parameters: f.parameters(), CodeBits: codeBits(l.n, f.ways, f.length), Symbols: l.n, Dim: f.dim}
}

// composer returns the concatenation with its width d/D filled in.
func (l *DPQ) composer() *composer {
	f := l.f
	f.codeDim = f.dim / max(f.length, 1)
	return &f
}

// Check returns an error unless the settings fit together.
func (l *DPQ) Check() error {
	if l.match != SX && l.match != VQ {
		return fmt.Errorf("learn: DPQ matches by SX (%d) or VQ (%d), not by %d", SX, VQ, int(l.match))
	}
	// What a KD layer asks of concat is what is needed here, too.
	return (&KD{n: l.n, f: l.f}).Check()
}

// Embed builds the embeddings of a batch's symbols: see [Embedding].
func (l *DPQ) Embed(scope *model.Scope, s Symbols) *Node {
	if err := l.Check(); err != nil {
		panic(err)
	}
	f := l.composer()
	q := Rows(Uniform(scope, "queries", f.scale, l.n, f.dim), s)
	weight := s.weightOf(q.DType())
	q = Reshape(q, q.Shape().Dimensions[0], f.length, f.codeDim) // [U, D, d/D]
	if l.match == SX {
		scores := batchNorm(scope.At("score_norm"), products(q, l.keys(scope)), weight, false)
		codes := StraightThrough.relax(scope, scores, Temperature{}, l.relaxedPath).codes
		return s.place(f.compose(scope, codes, weight))
	}
	return s.place(l.nearest(scope, f, q, weight))
}

// keys returns the keys [D, K, d/D]. Shared values have keys of their own for
// each digit, too: they are not needed at inference, and choose better.
func (l *DPQ) keys(scope *model.Scope) *model.Variable {
	f := l.composer()
	return Uniform(scope, "keys", f.scale, f.length, f.ways, f.codeDim)
}

// products returns q·key for each key: [U, D, K].
func products(q *Node, keys *model.Variable) *Node {
	if keys.Shape().Rank() == 2 { // shared
		return Einsum("ujw,kw->ujk", q, keys.NodeValue(q.Graph()))
	}
	return Einsum("ujw,jkw->ujk", q, keys.NodeValue(q.Graph()))
}

// nearest returns the chosen values [U, d] of VQ, and adds its regulariser.
func (l *DPQ) nearest(scope *model.Scope, f *composer, q, weight *Node) *Node {
	g, values := q.Graph(), f.codeEmbeddings(scope)
	scores := StopGradient(closeness(q, values))
	codes := StopGradient(oneHot(batchNorm(scope.At("score_norm"), scores, weight, false)))
	value := f.chosen(codes, values.NodeValue(g)) // [U, D, d/D]
	if scope.IsTraining(g) {
		apart := meanOver(Square(Sub(value, StopGradient(q))), weight)
		if !f.shared { // a value of one digit is to follow its queries as fast as one of all digits
			apart = MulScalar(apart, f.length)
		}
		train.AddRegularizationLoss(apart)
		value = straightThrough(value, q)
	}
	return Reshape(value, q.Shape().Dimensions[0], f.dim)
}

// closeness returns −‖q − value‖² for each value, [U, D, K], without the
// differences, which would take d/D times the room.
func closeness(q *Node, values *model.Variable) *Node {
	squares := func(x *Node) *Node { return ReduceAndKeep(Square(x), ReduceSum, -1) }
	ofValues := Squeeze(squares(values.NodeValue(q.Graph())), -1) // [D, K] or [K]
	twice := MulScalar(products(q, values), 2)
	return Sub(Sub(twice, squares(q)), ExpandLeftToRank(ofValues, 3))
}

// Export returns the trained layer as the content of a code file.
func (l *DPQ) Export(scope *model.Scope) (*codefile.Model, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	codes, _, err := l.readCodes(scope, false)
	if err != nil {
		return nil, err
	}
	f := l.composer()
	m := &codefile.Model{
		Codes:             codes,
		TrainedParameters: f.parameters(),
		Metadata:          map[string]string{"made_by": "kdcode/learn", "layer": "dpq", "match": l.match.String()},
	}
	if err := f.export(m, scope); err != nil {
		return nil, err
	}
	return m, nil
}
