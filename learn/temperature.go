package learn

import (
	"fmt"
	"math"

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
	Lower   float64 // τ never falls below; 0 stands for 1e-6
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
		return max(t.initial()*math.Pow(t.Rate, s), t.lower())
	case InverseTime:
		return max(t.initial()/(1+t.Rate*s), t.lower())
	}
	return t.initial()
}

func (t Temperature) check() error {
	switch {
	case t.Kind < Constant || t.Kind > InverseTime:
		return fmt.Errorf("learn: there is no temperature of kind %d", t.Kind)
	case t.Initial < 0 || t.Lower < 0:
		return fmt.Errorf("learn: a temperature of %g, falling to %g: it must stay above zero", t.initial(), t.Lower)
	case t.Kind == Exponential && t.Rate <= 0:
		return fmt.Errorf("learn: an exponential temperature at rate %g: it must be above zero", t.Rate)
	case t.Kind == InverseTime && t.Rate < 0:
		return fmt.Errorf("learn: an inverse-time temperature at rate %g: it must not be below zero", t.Rate)
	}
	return nil
}

// scheduled reports whether τ is a function of the step: the norm of the logits
// then has no scale of its own to undo it with.
func (t Temperature) scheduled() bool { return t.Kind != Constant }

func (t Temperature) initial() float64 {
	if t.Initial == 0 {
		return 1
	}
	return t.Initial
}

// lower returns the lower bound. It is above zero, so that logits/τ is finite.
func (t Temperature) lower() float64 { return max(t.Lower, 1e-6) }

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
	// Divided as integers: a rounded quotient could miss the edge of a stair.
	stair := ConvertDType(Div(step, Scalar(g, step.DType(), max(t.Steps, 1))), dtypes.Float32)
	var tau *Node
	if t.Kind == Exponential {
		tau = MulScalar(Pow(Scalar(g, dtypes.Float32, t.Rate), stair), t.initial())
	} else {
		tau = Div(Scalar(g, dtypes.Float32, t.initial()), OnePlus(MulScalar(stair, t.Rate)))
	}
	tau = MaxScalar(tau, t.lower())
	return Div(logits, ConvertDType(tau, dtype))
}
