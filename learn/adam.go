package learn

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"
)

// momentsScope is where Adam's moments are kept, at their variables' paths.
const momentsScope = "/" + optimizer.Scope + "/moments"

// adamCorrection returns √(1−β2^t) / (1−β1^t), for the moments' start at zero.
// Lazy rows use the global step, as TensorFlow's lazy Adam does.
func adamCorrection(step *Node) *Node {
	g := step.Graph()
	fade := func(beta float64) *Node { return OneMinus(Pow(Scalar(g, step.DType(), beta), step)) }
	return Div(Sqrt(fade(beta2)), fade(beta1))
}

// adam moves the variable, or its rows, by a step of Adam at the corrected
// rate. The moments change by differences, so that rows can be added to.
func (p *param) adam(scope *model.Scope, rate *Node) {
	mVar, vVar := moments(scope, p.variable)
	settle(mVar, p.value.Graph())
	settle(vVar, p.value.Graph())
	m, v := p.read(mVar), p.read(vVar)
	toM := MulScalar(Sub(p.gradient, m), 1-beta1)
	toV := MulScalar(Sub(Square(p.gradient), v), 1-beta2)
	step := Div(Add(m, toM), AddScalar(Sqrt(Add(v, toV)), adamEpsilon))
	p.add(p.variable, Neg(Mul(step, rate)))
	p.add(mVar, toM)
	p.add(vVar, toV)
}

// moments returns Adam's first and second moment of a variable.
func moments(scope *model.Scope, of *model.Variable) (m, v *model.Variable) {
	at := scope.Store().Scope(model.JoinPath(momentsScope, of.Path()))
	dims := of.Shape().Dimensions
	m = Filled(at, "m", 0, dims...).SetTrainable(false)
	v = Filled(at, "v", 0, dims...).SetTrainable(false)
	return m, v
}
