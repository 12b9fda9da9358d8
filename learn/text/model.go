package text

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/kdcode/kdcode/classify"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/learn"
)

// classifier is the model: softmax(W·mean(v) + b).
type classifier struct {
	words   learn.Embedding
	labels  int     // C
	dropout float64 // of the mean, in training
}

// scope names in the store.
const (
	wordsScope      = "words"
	classifierScope = "classifier"
)

// logits builds the scores [B, C] of a batch.
func (c *classifier) logits(scope *model.Scope, ids, weight, bag *Node) *Node {
	g := ids.Graph()
	v := c.words.Embed(scope.At(wordsScope), learn.Symbols{IDs: ids, Weight: weight}) // [U, d]
	mean := Dot(bag, v).Product()                                                     // [B, d]
	at := scope.At(classifierScope)
	if c.dropout > 0 {
		mean = layers.DropoutStatic(at, mean, c.dropout)
	}
	w := learn.Uniform(at, "weight", 0.1, c.words.Dim(), c.labels).NodeValue(g)
	b := learn.Filled(at, "bias", 0, 1, c.labels).NodeValue(g)
	return Add(Dot(mean, w).Product(), b)
}

// train builds the loss of a batch: the mean negative log likelihood.
func (c *classifier) train(scope *model.Scope, inputs []*Node) *Node {
	logits := c.logits(scope, inputs[0], inputs[1], inputs[2])
	nll := negativeLogLikelihood(logits, inputs[3], inputs[4])
	train.AddMainLoss(Div(ReduceAllSum(nll), ReduceAllSum(inputs[4])))
	return logits
}

// evaluate builds a batch's sum of negative log likelihoods, and how many of
// its texts are classified rightly.
func (c *classifier) evaluate(scope *model.Scope, inputs []*Node) []*Node {
	label, counts := inputs[3], inputs[4]
	logits := c.logits(scope, inputs[0], inputs[1], inputs[2])
	right := ConvertDType(Equal(ArgMax(logits, -1), label), dtypes.Float32)
	return []*Node{ReduceAllSum(negativeLogLikelihood(logits, label, counts)), ReduceAllSum(Mul(right, counts))}
}

// negativeLogLikelihood returns it for each text [B].
func negativeLogLikelihood(logits, label, counts *Node) *Node {
	hot := OneHot(label, logits.Shape().Dimensions[1], logits.DType())
	return Neg(Mul(ReduceSum(Mul(hot, LogSoftmax(logits, -1)), -1), counts))
}

// export returns the trained classifier as the content of a code file.
func (c *classifier) export(store *model.Store, words, labels []string) (*codefile.Model, error) {
	e, ok := c.words.(learn.Exporter)
	if !ok {
		return nil, fmt.Errorf("text: the embedding %T cannot be written as a code file", c.words)
	}
	m, err := e.Export(store.Scope("/" + wordsScope))
	if err != nil {
		return nil, err
	}
	m.Symbols = words
	at := store.Scope("/" + classifierScope)
	w, err := learn.Values(at, "weight") // [d, C]
	if err != nil {
		return nil, err
	}
	b, err := learn.Values(at, "bias")
	if err != nil {
		return nil, err
	}
	head := classify.Classifier{Labels: labels, Weight: make([]float32, len(w)), Bias: b}
	for i, x := range w {
		head.Weight[i%c.labels*c.words.Dim()+i/c.labels] = x
	}
	return m, head.AddTo(m)
}
