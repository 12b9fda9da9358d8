package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
)

// Operations of this package's own.
const (
	opPick     = compute.OpTypeLast + 1 + iota // one of the results of another node
	opOneHot                                   // vectors of an index [..., 1]
	opCopy                                     // the value, in memory of its own
	opMatMul                                   // [M, K]·[K, N], or [B, M, K]·[B, K, N]
	opTakeRows                                 // rows of a table [V, ...] by indices [M]
	opAddRows                                  // a table [V, ...], with rows [M, ...] added at indices [M]
)

// node is a value of a computation: an operation on other values.
type node struct {
	id     int
	rank   int // where it stood in the graph that was built: of the node it stands for
	op     compute.OpType
	inputs []*node
	attrs  any // what else the operation takes: see the types below
	shape  shapes.Shape

	users int    // in the graph that was built
	place *place // in the concatenation that it is an operand of

	fn       *function   // where it was built
	closures []*function // of If, While, Sort and Call
	results  []*node     // of an operation with several: its opPick nodes
	build    build       // the operation in another builder
	shadow   compute.Value
}

// build makes an operation in a builder of the Go backend.
type build func(f compute.Function, in []compute.Value, closures []compute.Function) ([]compute.Value, error)

// Attributes of operations. Nodes of other operations have theirs in build
// alone: they are never looked at, only delegated.
type (
	parameter struct {
		name  string
		index int
	}
	constant  struct{ flat any }
	axes      []int // of reductions and transpositions
	pick      int   // which result
	broadcast struct {
		axes []int // the output's axis of each of the operand's
	}
	slice   struct{ starts, limits, strides []int }
	counted struct{ axis int }
	pad     []compute.PadAxis
	concat  struct{ axis int }
	dot     struct {
		lhsContract, lhsBatch, rhsContract, rhsBatch []int
		config                                       compute.DotGeneralConfig
	}
	argMinMax struct {
		axis  int
		isMin bool
	}
	gather struct {
		indexVectorAxis                                                 int
		offsetOutputAxes, collapsedSliceAxes, startIndexMap, sliceSizes []int
	}
	scatter struct {
		indexVectorAxis                                                int
		updateWindowAxes, insertedWindowAxes, scatterAxesToOperandAxes []int
	}
	softmax struct{ axis int }
	oneHot  struct{ depth int }
	byIndex struct {
		hot bool // of one-hot vectors: those of an index outside the table are zero
	}
)

// String is for messages and the inspection of plans.
func (n *node) String() string {
	var in []string
	for _, x := range n.inputs {
		in = append(in, fmt.Sprintf("%%%d", x.id))
	}
	s := fmt.Sprintf("%%%d = %s(%s) %s", n.id, opName(n.op), strings.Join(in, ", "), n.shape)
	switch a := n.attrs.(type) {
	case nil:
	case constant:
		if n.shape.Size() <= 4 {
			s += fmt.Sprintf(" %v", a.flat)
		}
	default:
		s += fmt.Sprintf(" %+v", a)
	}
	return s
}

func opName(op compute.OpType) string {
	switch op {
	case opPick:
		return "Pick"
	case opOneHot:
		return "OneHot"
	case opCopy:
		return "Copy"
	case opMatMul:
		return "MatMul"
	case opTakeRows:
		return "TakeRows"
	case opAddRows:
		return "AddRows"
	}
	return op.String()
}

// reachable returns the nodes of a function that outputs need, operands
// first. Nodes that closures capture count as operands of their node.
func reachable(outputs []*node) []*node {
	var order []*node
	seen := map[*node]bool{}
	var visit func(n *node)
	visit = func(n *node) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, x := range n.operands() {
			visit(x)
		}
		order = append(order, n)
	}
	for _, n := range outputs {
		visit(n)
	}
	return order
}

// operands returns the inputs, and what the closures capture of the function.
func (n *node) operands() []*node {
	if len(n.closures) == 0 {
		return n.inputs
	}
	all := slices.Clone(n.inputs)
	for _, c := range n.closures {
		all = append(all, c.captures()...)
	}
	return all
}
