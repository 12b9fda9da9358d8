package learn

import (
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	. "github.com/gomlx/gomlx/support/exceptions"
)

// Optimizer trains different variables by different rules, and tables by their
// rows: of a table read by [Rows], only the rows of the batch's symbols are
// read and written, unless the graph reads it a second time. It is a GoMLX
// optimizer, for a train.Trainer.
//
// The learning rate is GoMLX's variable of that name ([optimizer.LearningRateVar]),
// so that a schedule can change it between steps; each rule multiplies it by
// its own factor.
type Optimizer struct {
	codes, rest Rule
	rate        float64
}

// Rule is how a group of variables is trained. The zero value is SGD.
type Rule struct {
	Adam  bool
	Scale float64 // of the learning rate; 0 stands for 1
	Clip  float64 // of the group's gradient, by its norm; 0 is none
}

// Mixed is the paper's recipe: lazy Adam at a hundredth of the learning rate
// for the codes' logits and their norm, SGD for the rest, its gradient clipped
// to a norm.
func Mixed(rate, clip float64) *Optimizer {
	return &Optimizer{codes: Rule{Adam: true, Scale: 0.01}, rest: Rule{Clip: clip}, rate: rate}
}

// LazyAdam trains everything by Adam, tables lazily.
func LazyAdam(rate float64) *Optimizer {
	return &Optimizer{codes: Rule{Adam: true}, rest: Rule{Adam: true}, rate: rate}
}

// SGD trains everything by gradient descent, clipped to a norm.
func SGD(rate, clip float64) *Optimizer {
	return &Optimizer{codes: Rule{Clip: clip}, rest: Rule{Clip: clip}, rate: rate}
}

// Codes sets the rule of the codes' logits (DPQ's queries are trained with the
// rest).
func (o *Optimizer) Codes(r Rule) *Optimizer { o.codes = r; return o }

// Rest sets the rule of everything else.
func (o *Optimizer) Rest(r Rule) *Optimizer { o.rest = r; return o }

const (
	beta1, beta2 = 0.9, 0.999
	adamEpsilon  = 1e-8
)

// param is a variable to train, or the rows of one.
type param struct {
	variable *model.Variable
	rows     *rowsUse // nil for a dense one
	value    *Node    // what the gradient is taken with respect to
	gradient *Node
}

// UpdateGraph builds one training step. It implements optimizer.Interface.
func (o *Optimizer) UpdateGraph(scope *model.Scope, g *Graph, loss *Node) {
	if !loss.Shape().IsScalar() {
		Panicf("learn: the loss must be a scalar, not %s", loss.Shape())
	}
	params := trainable(scope, g)
	values := make([]*Node, len(params))
	for i, p := range params {
		values[i] = p.value
	}
	for i, gradient := range Gradient(loss, values...) {
		params[i].gradient = gradient
	}
	rate := optimizer.LearningRateVar(scope, dtypes.Float32, o.rate).NodeValue(g)
	step := optimizer.IncrementGlobalStep(g, dtypes.Float32)

	if o.codes == o.rest { // one group, clipped by one norm
		o.rest.update(scope, params, rate, step)
		return
	}
	var codes, rest []*param
	for _, p := range params {
		if isCode(p.variable) {
			codes = append(codes, p)
		} else {
			rest = append(rest, p)
		}
	}
	o.codes.update(scope, codes, rate, step)
	o.rest.update(scope, rest, rate, step)
}

// Clear deletes the optimizer's variables. It implements optimizer.Interface.
func (o *Optimizer) Clear(scope *model.Scope) error {
	return scope.Store().Scope(momentsScope).DeleteVariablesInScope()
}

// isCode reports whether a variable makes codes: logits, or their norm. The
// layer itself may be in a scope called codes.
func isCode(v *model.Variable) bool {
	scope, name := model.SplitPath(v.Path())
	norm := name == "scale" || name == "offset"
	return name == "logits" && strings.HasSuffix(scope, "/codes") || norm && strings.HasSuffix(scope, "/codes/norm")
}

// trainable returns what a graph trains, in the order of the paths: that of the
// store is another after a checkpoint is read, and sums would round otherwise. A
// table of which more is read than one set of rows is trained as a whole.
func trainable(scope *model.Scope, g *Graph) []*param {
	rows := map[*model.Variable][]*rowsUse{}
	for _, u := range rowsOf(g) {
		rows[u.table] = append(rows[u.table], u)
	}
	var params []*param
	for v := range scope.Store().IterVariables() {
		if !v.Trainable || !v.InUseByGraph(g) {
			continue
		}
		if uses := rows[v]; len(uses) == 1 && readers(v.NodeValue(g)) == 1 {
			params = append(params, &param{variable: v, rows: uses[0], value: uses[0].rows})
		} else {
			params = append(params, &param{variable: v, value: v.NodeValue(g)})
		}
	}
	if len(params) == 0 {
		Panicf("learn: the graph has nothing to train")
	}
	slices.SortFunc(params, func(a, b *param) int { return strings.Compare(a.variable.Path(), b.variable.Path()) })
	return params
}

// readers returns how many nodes of the graph read x.
func readers(x *Node) int {
	n := 0
	for _, node := range x.Graph().Nodes() {
		if slices.Contains(node.Inputs(), x) {
			n++
		}
	}
	return n
}

// update applies the rule to its variables.
func (r Rule) update(scope *model.Scope, params []*param, rate, step *Node) {
	if r.Scale != 0 {
		rate = MulScalar(rate, r.Scale)
	}
	if r.Clip > 0 {
		clip(params, r.Clip)
	}
	if r.Adam {
		rate = Mul(rate, adamCorrection(step))
	}
	for _, p := range params {
		if r.Adam {
			p.adam(scope, rate)
		} else {
			p.add(p.variable, Neg(Mul(p.gradient, rate)))
		}
	}
}

// clip scales the gradients down where their norm together is above limit.
func clip(params []*param, limit float64) {
	var square *Node
	for _, p := range params {
		if s := ReduceAllSum(Square(p.gradient)); square == nil {
			square = s
		} else {
			square = Add(square, s)
		}
	}
	if square == nil {
		return
	}
	norm := Sqrt(square)
	factor := Div(Scalar(norm.Graph(), norm.DType(), limit), MaxScalar(norm, limit))
	for _, p := range params {
		p.gradient = Mul(p.gradient, factor)
	}
}

// add adds delta to a variable of the param's shape.
func (p *param) add(v *model.Variable, delta *Node) {
	if p.rows != nil {
		p.rows.add(v, delta)
		return
	}
	v.SetNodeValue(Add(v.NodeValue(delta.Graph()), delta))
}

// read returns the value, or the rows, of a variable of the param's shape.
func (p *param) read(v *model.Variable) *Node {
	g := p.value.Graph()
	if p.rows == nil {
		return v.NodeValue(g)
	}
	return Gather(v.NodeValue(g), InsertAxes(p.rows.symbols.IDs, -1))
}
