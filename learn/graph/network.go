package graph

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/kdcode/kdcode/learn"
)

// network is Kipf & Welling's two-layer graph convolutional network,
//
//	Z = softmax(Â·ReLU(Â·X·W0)·W1)
//
// with the features' embeddings as W0 [N, d], and W1 [d, C].
type network struct {
	features learn.Embedding
	weight   []float32 // [N]: what each feature counts in the layer's batch norms
	classes  int       // C
	dropout  float64   // of the inputs of both layers
	decay    float64   // weight of ΣW0²/2 in the loss
}

// scope names in the store.
const (
	featuresScope = "features"
	outputScope   = "output"
)

// embeddings builds W0 [N, d]. All features are composed in every step: L2 and
// the batch norms see them all.
func (n *network) embeddings(scope *model.Scope, g *Graph) *Node {
	return n.features.Embed(scope.At(featuresScope), learn.Symbols{
		IDs:    Iota(g, shapes.Make(dtypes.Int32, n.features.Symbols()), 0),
		Weight: Const(g, n.weight),
		All:    true,
	})
}

// logits builds the scores [nodes, C] of a field's nodes. The features x are its
// own, or what dropout left of them.
func (n *network) logits(scope *model.Scope, f *field, x matrix, w0 *Node) *Node {
	g := w0.Graph()
	at := scope.At(outputScope)
	hidden := constant(g, f.first).times(x.times(w0)) // [inner, d]
	hidden = layers.DropoutStatic(at, Max(hidden, ZerosLike(hidden)), n.dropout)
	w1 := learn.Uniform(at, "weight", Glorot(n.features.Dim(), n.classes), n.features.Dim(), n.classes)
	return constant(g, f.second).times(Dot(hidden, w1.NodeValue(g)).Product())
}

// train returns what builds the loss over a field's nodes: the mean negative log
// likelihood, and L2. Inputs are the rows, columns and values of X.
func (n *network) train(f *field) func(scope *model.Scope, inputs []*Node) *Node {
	return func(scope *model.Scope, inputs []*Node) *Node {
		w0 := n.embeddings(scope, inputs[0].Graph())
		x := matrix{f.x.height, inputs[0], inputs[1], inputs[2]}
		logits := n.logits(scope, f, x, w0)
		train.AddMainLoss(negativeLogLikelihood(logits, f.labels))
		train.AddRegularizationLoss(n.l2(w0))
		return logits
	}
}

// evaluate returns what builds the loss over a field's nodes, L2 included as in
// Kipf & Welling's code, and the scores [nodes, C].
func (n *network) evaluate(f *field) func(scope *model.Scope, g *Graph) (loss, logits *Node) {
	return func(scope *model.Scope, g *Graph) (loss, logits *Node) {
		w0 := n.embeddings(scope, g)
		logits = n.logits(scope, f, constant(g, f.x), w0)
		return Add(negativeLogLikelihood(logits, f.labels), n.l2(w0)), logits
	}
}

// l2 builds the decay of W0: weight·ΣW0²/2.
func (n *network) l2(w0 *Node) *Node { return MulScalar(ReduceAllSum(Square(w0)), n.decay/2) }

// negativeLogLikelihood builds its mean over nodes.
func negativeLogLikelihood(logits *Node, labels []int32) *Node {
	hot := OneHot(Const(logits.Graph(), labels), logits.Shape().Dimensions[1], logits.DType())
	return DivScalar(Neg(ReduceAllSum(Mul(hot, LogSoftmax(logits, -1)))), len(labels))
}

// matrix is a sparse matrix of that height in a graph; see coordinates.
type matrix struct {
	height             int
	rows, cols, values *Node // [nonzeros]
}

// constant returns m as part of the graph: it is not sent in every step.
func constant(g *Graph, m coordinates) matrix {
	return matrix{m.height, Const(g, m.rows), Const(g, m.cols), Const(g, m.values)}
}

// times builds the product with a dense matrix [width, d]: [height, d]. Both
// ways it costs what the nonzeros times d do.
func (m matrix) times(dense *Node) *Node {
	values := ConvertDType(m.values, dense.DType())
	each := Mul(Gather(dense, InsertAxes(m.cols, -1)), InsertAxes(values, -1)) // [nonzeros, d]
	zero := Zeros(dense.Graph(), shapes.Make(dense.DType(), m.height, dense.Shape().Dimensions[1]))
	return ScatterSum(zero, InsertAxes(m.rows, -1), each, true, false)
}
