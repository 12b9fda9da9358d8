package learn

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/kdcode/kdcode/learn/internal/lstm"
)

// Composition is f: how the D code embeddings become an embedding.
type Composition int

const (
	// Mean is the mean of the D code embeddings (the authors' code; the paper
	// writes the sum). If d' ≠ d it goes through a batch norm and H [d', d]
	// with a bias: the paper's linear composition with a hidden layer.
	Mean Composition = iota

	// Sum is as Mean, without the division by D.
	Sum

	// Concat is the D code embeddings side by side, d' = d/D.
	Concat

	// LSTM is H times the mean of an LSTM's outputs over the D code embeddings,
	// as the authors' code has it: input weights, a trained initial state.
	LSTM

	// PaperLSTM is the LSTM of the paper's appendix: a code embedding, as wide
	// as the state, is added to each gate; the outputs are summed. No input
	// weights, and the state starts at zero.
	PaperLSTM
)

// String returns the name that the command's flags use.
func (c Composition) String() string {
	return [...]string{"mean", "sum", "concat", "lstm", "paper-lstm"}[c]
}

// composer builds f for one layer.
type composer struct {
	kind    Composition
	dim     int     // d
	ways    int     // K
	length  int     // D
	codeDim int     // d'
	hidden  int     // h, LSTM only
	shared  bool    // one set of code embeddings for all D
	norm    bool    // batch norms on the way
	scale   float64 // initial values are uniform(−scale, scale)

	normScale float64 // what the embedding norm's scale starts at; 0 stands for 1
}

// projects reports whether f ends in a dense layer.
func (c *composer) projects() bool {
	switch c.kind {
	case Mean, Sum:
		return c.codeDim != c.dim
	case LSTM:
		return true
	case PaperLSTM:
		return c.codeDim != c.dim
	}
	return false
}

// compose returns f(codes) [U, d] of codes [U, D, K].
func (c *composer) compose(scope *model.Scope, codes, weight *Node) *Node {
	w := c.codeEmbeddings(scope).NodeValue(codes.Graph())
	var v *Node
	switch c.kind {
	case Mean:
		v = DivScalar(c.sum(codes, w), c.length)
		v = c.project(scope, v, weight, true)
	case Sum:
		v = c.project(scope, c.sum(codes, w), weight, true)
	case Concat:
		v = Reshape(c.chosen(codes, w), codes.Shape().Dimensions[0], c.dim)
	case LSTM, PaperLSTM:
		v = c.recur(scope.At("lstm"), codes, w)
		v = c.project(scope, v, weight, false)
	}
	if c.norm {
		at := scope.At("embedding_norm")
		if c.normScale != 0 { // the norm's own would be 1
			Filled(at, "scale", float32(c.normScale), c.dim)
		}
		v = batchNorm(at, v, weight, true)
	}
	return v
}

// codeEmbeddings returns W [D, K, d'], or [K, d'] where shared.
func (c *composer) codeEmbeddings(scope *model.Scope) *model.Variable {
	return Uniform(scope, "code_embeddings", c.scale, c.embeddingsShape()...)
}

// embeddingsShape returns the shape of W.
func (c *composer) embeddingsShape() []int {
	if c.shared {
		return []int{c.ways, c.codeDim}
	}
	return []int{c.length, c.ways, c.codeDim}
}

// sum returns Σ_j o_j·W^j [U, d'], as one product.
func (c *composer) sum(codes, w *Node) *Node {
	if c.shared {
		return Dot(ReduceSum(codes, 1), w).Product()
	}
	n := codes.Shape().Dimensions[0]
	return Dot(Reshape(codes, n, c.length*c.ways), Reshape(w, c.length*c.ways, c.codeDim)).Product()
}

// chosen returns the code embeddings o_j·W^j, [U, D, d'].
func (c *composer) chosen(codes, w *Node) *Node {
	if c.shared {
		return Einsum("ujk,kw->ujw", codes, w)
	}
	return Einsum("ujk,jkw->ujw", codes, w)
}

// project returns H·v + b where the widths ask for it.
func (c *composer) project(scope *model.Scope, v, weight *Node, linear bool) *Node {
	if !c.projects() {
		return v
	}
	g, width := v.Graph(), v.Shape().Dimensions[1]
	if linear && c.norm {
		v = batchNorm(scope.At("code_norm"), v, weight, true)
	}
	v = Dot(v, Uniform(scope, "projection", c.scale, width, c.dim).NodeValue(g)).Product()
	if linear {
		v = Add(v, rowOf(Filled(scope, "bias", 0, c.dim).NodeValue(g), v))
	}
	return v
}

// recur returns the mean (LSTM) or the sum (PaperLSTM) of the outputs over the
// D code embeddings, as [U, h]. Gates are in the order t (forget), i (input), o
// (output), m (candidate), the code file's.
func (c *composer) recur(scope *model.Scope, codes, w *Node) *Node {
	g, n, width := codes.Graph(), codes.Shape().Dimensions[0], lstm.Width(c.hidden)
	recurrent := gates(Uniform(scope, "recurrent", c.scale, 4, c.hidden, c.hidden).NodeValue(g))
	bias := Reshape(Filled(scope, "bias", 0, 4, c.hidden).NodeValue(g), 1, 4*c.hidden)
	h, m := c.initialState(scope, codes)
	inputs := Add(c.gateInputs(scope, codes, w, width), lstm.WidenGates(bias, 1, width))
	y, _, _ := lstm.Unroll(inputs, lstm.WidenGates(recurrent, width, width), lstm.Widen(h, 1, width), lstm.Widen(m, 1, width))
	sum := lstm.FirstColumns(ReduceSum(Reshape(y, c.length, n, width), 0), c.hidden)
	if c.kind == LSTM {
		sum = DivScalar(sum, c.length)
	}
	return sum
}

// gateInputs returns what the code embeddings o_j·W^j add to the gates, [D·U, 4w],
// a digit's one after the other.
func (c *composer) gateInputs(scope *model.Scope, codes, w *Node, width int) *Node {
	if c.kind == PaperLSTM {
		e := c.byDigit(codes, w)
		return lstm.WidenGates(Concatenate([]*Node{e, e, e, e}, -1), e.Shape().Dimensions[0], width)
	}
	input := gates(Uniform(scope, "input", c.scale, 4, c.codeDim, c.hidden).NodeValue(codes.Graph()))
	input = lstm.WidenGates(input, c.codeDim, width) // I [d', 4w]
	if n := codes.Shape().Dimensions[0]; c.inputsFirst(n, 4*width) {
		equation := "jkv,vw->jkw"
		if c.shared {
			equation = "kv,vw->kw"
		}
		return c.byDigit(codes, Einsum(equation, w, input))
	}
	return Dot(c.byDigit(codes, w), input).Product()
}

// inputsFirst reports whether o_j·(W^j·I) takes fewer multiplications than
// (o_j·W^j)·I, for n codes and I [d', width]. It mostly does: there are fewer code
// embeddings than codes in a batch.
func (c *composer) inputsFirst(n, width int) bool {
	embeddings, digits := c.ways, n*c.length
	if !c.shared {
		embeddings *= c.length
	}
	return embeddings*c.codeDim*width+digits*c.ways*width < digits*c.ways*c.codeDim+digits*c.codeDim*width
}

// byDigit returns o_j·W^j as [D·U, width] of w [D, K, width], or [K, width] where
// shared, a digit's one after the other.
func (c *composer) byDigit(codes, w *Node) *Node {
	equation := "ujk,jkw->juw"
	if c.shared {
		equation = "ujk,kw->juw"
	}
	e, width := Einsum(equation, codes, w), w.Shape().Dim(-1)
	return Reshape(e, e.Shape().Size()/width, width)
}

// gates returns the weights [4, k, h] of the gates side by side, [k, 4h]: one
// product for all of them.
func gates(w *Node) *Node {
	k, h := w.Shape().Dimensions[1], w.Shape().Dimensions[2]
	return Reshape(Transpose(w, 0, 1), k, 4*h)
}

// initialState returns the output and the memory before the first code
// embedding, [U, h] each.
func (c *composer) initialState(scope *model.Scope, codes *Node) (h, m *Node) {
	g, n := codes.Graph(), codes.Shape().Dimensions[0]
	if c.kind == PaperLSTM {
		zero := Zeros(g, withDims(codes, n, c.hidden))
		return zero, zero
	}
	state := Filled(scope, "state", 0, 2, c.hidden).NodeValue(g)
	at := func(i int) *Node {
		return BroadcastToDims(Reshape(Slice(state, AxisElem(i)), 1, c.hidden), n, c.hidden)
	}
	return at(0), at(1)
}

// parameters returns how many parameters f has, batch norms included.
func (c *composer) parameters() int64 {
	n := c.ways * c.codeDim
	if !c.shared {
		n *= c.length
	}
	summed := c.codeDim
	if c.kind == LSTM || c.kind == PaperLSTM {
		summed = c.hidden
		n += 4*c.hidden*c.hidden + 4*c.hidden
	}
	if c.kind == LSTM {
		n += 4*c.codeDim*c.hidden + 2*c.hidden
	}
	linear := c.kind == Mean || c.kind == Sum
	if c.projects() {
		n += summed * c.dim
		if linear {
			n += c.dim
		}
		if linear && c.norm {
			n += 2 * c.codeDim
		}
	}
	if c.norm {
		n += 2 * c.dim
	}
	return int64(n)
}
