package lm

import (
	"errors"
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/kdcode/kdcode/learn"
	"github.com/kdcode/kdcode/learn/internal/lstm"
)

const (
	depth        = 2 // LSTM layers
	wordsScope   = "words"
	lstmScope    = "lstm%d"
	softmaxScope = "softmax"
	stateScope   = "/state"
)

// network is the language model.
type network struct {
	words learn.Embedding
	size  Size
}

// train builds the loss of a batch: the sum over its T steps of the mean
// negative log likelihood, as the recipes' weights of guidance expect. The
// state is carried from batch to batch in variables, and stays where the graph
// runs.
func (n *network) train(scope *model.Scope, inputs []*Node) *Node {
	g, rows := inputs[0].Graph(), inputs[2].Shape().Dimensions[0]
	variables := n.state(scope.Store(), rows)
	state := make([]*Node, len(variables))
	for i, v := range variables {
		state[i] = v.NodeValue(g)
	}
	logits, state := n.logits(scope, inputs, state)
	for i, v := range variables {
		v.SetNodeValue(StopGradient(state[i]))
	}
	mean := ReduceAllMean(negativeLogLikelihood(logits, inputs[3]))
	train.AddMainLoss(MulScalar(mean, n.size.Steps))
	return mean
}

// evaluate builds the sum of a batch's negative log likelihoods, and the state
// after it.
func (n *network) evaluate(scope *model.Scope, inputs []*Node) []*Node {
	logits, state := n.logits(scope, inputs[:4], inputs[4:])
	return append([]*Node{ReduceAllSum(negativeLogLikelihood(logits, inputs[3]))}, state...)
}

// logits builds the scores [T·B, N] of the next words, and the state after the
// batch. The state is h and c [B, d] of each layer.
func (n *network) logits(scope *model.Scope, inputs, state []*Node) (*Node, []*Node) {
	g := inputs[0].Graph()
	position := inputs[2]
	rows, steps := position.Shape().Dimensions[0], position.Shape().Dimensions[1]
	s := learn.Symbols{IDs: inputs[0], Weight: inputs[1], Position: Reshape(Transpose(position, 0, 1), rows*steps)}
	x := n.words.Embed(scope.At(wordsScope), s) // [T·B, d]: steps first, so that a step is one slice
	x = n.dropout(scope, x)
	var after []*Node
	for layer := range depth {
		var h, c *Node
		x, h, c = n.lstm(scope.At(lstmScope, layer+1), x, state[2*layer], state[2*layer+1])
		after = append(after, h, c)
		x = n.dropout(scope, x)
	}
	x = lstm.FirstColumns(x, n.size.Dim)
	at := scope.At(softmaxScope)
	w := learn.Uniform(at, "weight", n.size.InitScale, n.size.Dim, n.words.Symbols()).NodeValue(g)
	b := learn.Filled(at, "bias", 0, 1, n.words.Symbols()).NodeValue(g)
	return Add(Dot(x, w).Product(), b), after
}

// lstm builds a layer over x [T·B, d or w], which starts from h and c [B, d]. It
// returns its outputs [T·B, w] and the state after them, through which no
// gradient flows.
func (n *network) lstm(scope *model.Scope, x, h, c *Node) (y, hAfter, cAfter *Node) {
	g, d := x.Graph(), n.size.Dim
	w := lstm.Width(d)
	weight := func(name string, rows int) *Node {
		return lstm.WidenGates(learn.Uniform(scope, name, n.size.InitScale, d, 4*d).NodeValue(g), rows, w)
	}
	bias := lstm.WidenGates(learn.Filled(scope, "bias", 0, 1, 4*d).NodeValue(g), 1, w)
	inputs := Add(Dot(x, weight("input", x.Shape().Dimensions[1])).Product(), bias)
	y, h, c = lstm.Unroll(inputs, weight("recurrent", w), lstm.Widen(h, 1, w), lstm.Widen(c, 1, w))
	return y, lstm.FirstColumns(h, d), lstm.FirstColumns(c, d)
}

func (n *network) dropout(scope *model.Scope, x *Node) *Node {
	return layers.DropoutStatic(scope, x, 1-n.size.Keep)
}

// negativeLogLikelihood returns that of each next word [T·B], given the scores
// [T·B, N] and the words [B, T].
func negativeLogLikelihood(logits, next *Node) *Node {
	flat := Reshape(Transpose(next, 0, 1), next.Shape().Size())
	hot := OneHot(flat, logits.Shape().Dimensions[1], logits.DType())
	return Neg(ReduceSum(Mul(hot, LogSoftmax(logits, -1)), -1))
}

// state returns the variables that carry the state of training.
func (n *network) state(store *model.Store, rows int) []*model.Variable {
	scope := store.Scope(stateScope)
	var all []*model.Variable
	for layer := range depth {
		for _, part := range []string{"h", "c"} {
			v := learn.Filled(scope, fmt.Sprintf("%s%d", part, layer+1), 0, rows, n.size.Dim)
			all = append(all, v.SetTrainable(false))
		}
	}
	return all
}

// forget sets the state of training to zero. That of a checkpoint may be of
// another shape, on which state panics: it is for graphs.
func (n *network) forget(store *model.Store, rows int) error {
	var err error
	caught := exceptions.TryCatch[error](func() {
		for _, v := range n.state(store, rows) {
			err = errors.Join(err, v.SetValue(n.zero(rows)))
		}
	})
	return errors.Join(err, caught)
}

func (n *network) zero(rows int) *tensors.Tensor {
	return tensors.FromShape(shapes.Make(dtypes.Float32, rows, n.size.Dim))
}
