package lstm

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// withGradient returns y with gradients of one's own: gradients gets that of y
// and returns those of the parameters, in their order.
//
// GoMLX has gradients of one's own for the identity alone. So the parameters
// are tied to y by a term that is zero: on its way back the gradient comes by y
// first, where it is noted, and then by each parameter, where what comes by is
// replaced.
func withGradient(y *Node, gradients func(dy *Node) []*Node, parameters ...*Node) *Node {
	var found []*Node
	tie := ScalarZero(y.Graph(), y.DType())
	for i, p := range parameters {
		p = IdentityWithCustomGradient(p, func(_, _ *Node) *Node { return found[i] })
		tie = Add(tie, MulScalar(first(p), 0))
	}
	return IdentityWithCustomGradient(Add(StopGradient(y), tie), func(_, dy *Node) *Node {
		found = gradients(dy)
		return dy
	})
}

// first returns the first element of x as a scalar.
func first(x *Node) *Node {
	start := make([]SliceAxisSpec, x.Rank())
	for i := range start {
		start[i] = AxisRange(0, 1)
	}
	return Reshape(Slice(x, start...))
}
