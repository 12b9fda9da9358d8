package learn

import (
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/train/optimizer"
)

// Temperature is a schedule of τ over the training steps. The zero value is the
// constant 1.
type Temperature struct {
	Kind    TemperatureKind
	Initial float64 // τ at step 0; 0 stands for 1
	Steps   int     // a stair's length in steps
	Rate    float64 // see the kinds
	Lower   float64 // τ never falls below
}

// TemperatureKind is how a temperature falls, as a function of the stair
// s = ⌊step/Steps⌋.
type TemperatureKind int

const (
	Constant    TemperatureKind = iota // τ = Initial
	Exponential                        // τ = Initial · Rate^s
	InverseTime                        // τ = Initial / (1 + Rate·s)
)

// At returns τ at a step.
func (t Temperature) At(step int) float64 {
	switch s := float64(step / max(t.Steps, 1)); t.Kind {
	case Exponential:
		return max(t.initial()*pow(t.Rate, s), t.Lower)
	case InverseTime:
		return max(t.initial()/(1+t.Rate*s), t.Lower)
	}
	return t.initial()
}

// scheduled reports whether τ is a function of the step or not 1: the norm of
// the logits then has no scale of its own to undo it with.
func (t Temperature) scheduled() bool { return t.Kind != Constant }

func (t Temperature) initial() float64 {
	if t.Initial == 0 {
		return 1
	}
	return t.Initial
}

// divide returns logits/τ at the graph's global step.
func (t Temperature) divide(logits *Node) *Node {
	if !t.scheduled() {
		if t.initial() == 1 {
			return logits
		}
		return DivScalar(logits, t.initial())
	}
	g, dtype := logits.Graph(), logits.DType()
	step := optimizer.GetGlobalStepVar(storeOf(g)).NodeValue(g)
	stair := Floor(DivScalar(ConvertDType(step, dtypes.Float32), float32(max(t.Steps, 1))))
	var tau *Node
	if t.Kind == Exponential {
		tau = MulScalar(Pow(Scalar(g, dtypes.Float32, t.Rate), stair), t.initial())
	} else {
		tau = Div(Scalar(g, dtypes.Float32, t.initial()), OnePlus(MulScalar(stair, t.Rate)))
	}
	tau = MaxScalar(tau, float32(t.Lower))
	return Div(logits, ConvertDType(tau, dtype))
}
