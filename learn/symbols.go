package learn

import (
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// Symbols are the symbols of a batch in a graph, each distinct one once.
type Symbols struct {
	// IDs [U] are the symbols. Where Weight is not zero they differ.
	IDs *Node

	// Weight [U] says how often each occurs in the batch. Zero is padding. It
	// makes means over the U slots means over the batch's occurrences. Nil
	// stands for ones, of symbols that may repeat: right for evaluation only.
	Weight *Node

	// Position [...] says where in IDs each occurrence's symbol is. The
	// embeddings are then those of the occurrences: [..., d]. Nil asks for
	// those of the U symbols.
	Position *Node

	// All says that IDs are 0 … N−1: tables are then read and trained as a whole,
	// which takes less than by their rows.
	All bool
}

// place returns the embeddings v [U, d] where the symbols occur.
func (s Symbols) place(v *Node) *Node {
	if s.Position == nil {
		return v
	}
	return Gather(v, InsertAxes(s.Position, -1))
}

// weightOf returns the weights as [U], ones where there are none.
func (s Symbols) weightOf(dtype dtypes.DType) *Node {
	if s.Weight == nil {
		return OnesLike(ConvertDType(s.IDs, dtype))
	}
	return ConvertDType(s.Weight, dtype)
}

// Embedding is a layer in the place of an embedding table of N symbols.
type Embedding interface {
	// Symbols returns N, and Dim d.
	Symbols() int
	Dim() int

	// Embed builds the embeddings of a batch's symbols: [U, d], or where the
	// symbols occur. Its variables are below scope. In training it adds its
	// regularisers to the loss.
	Embed(scope *model.Scope, s Symbols) *Node

	// Size returns how large the layer is by the paper's count.
	Size() Size
}

// Size is the size of an embedding layer by the paper's count.
type Size struct {
	Parameters int64 // trained parameters, batch norms included, codes not
	CodeBits   int64 // N·D·log2 K
	Symbols    int   // N
	Dim        int   // d
}

// codeBits returns N·D·log2 K, rounded up.
func codeBits(n, ways, length int) int64 {
	return int64(math.Ceil(float64(n) * float64(length) * math.Log2(float64(ways))))
}

// Bits returns the layer's size in bits.
func (s Size) Bits() int64 { return s.CodeBits + 32*s.Parameters }

// Full returns the size of the full table in bits.
func (s Size) Full() int64 { return 32 * int64(s.Symbols) * int64(s.Dim) }

// Ratio returns how many times smaller than the full table the layer is.
func (s Size) Ratio() float64 { return float64(s.Full()) / float64(s.Bits()) }

// Embed builds the embeddings of ids [...]: [..., d]. In training each distinct
// id is composed once, found by comparing all pairs: for batches of many
// thousands of ids use [Occurrences].
func Embed(e Embedding, scope *model.Scope, ids *Node) *Node {
	dims := ids.Shape().Dimensions
	flat := Reshape(ids, ids.Shape().Size())
	s := Symbols{IDs: flat}
	if scope.IsTraining(ids.Graph()) {
		s.Position, s.Weight = firstOccurrences(flat)
	}
	return Reshape(e.Embed(scope, s), append(slices.Clone(dims), e.Dim())...)
}

// firstOccurrences returns where each of ids [U] occurs first, and how often:
// the count stands at the first occurrence, zeros at the others.
func firstOccurrences(ids *Node) (first, weight *Node) {
	same := ConvertDType(Equal(InsertAxes(ids, 0), InsertAxes(ids, 1)), dtypes.Float32) // [U, U]
	first = ArgMax(same, -1)                                                            // the first of equal ones
	isFirst := Equal(first, Iota(ids.Graph(), first.Shape(), 0))
	weight = Mul(ReduceSum(same, -1), ConvertDType(isFirst, dtypes.Float32))
	return first, weight
}
