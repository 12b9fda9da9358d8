package learn

import (
	"math"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"
)

const globalStep = "/" + optimizer.GlobalStepVariableName

func TestTemperatureAt(t *testing.T) {
	for _, c := range []struct {
		name string
		t    Temperature
		step int
		want float64
	}{
		{"zero value", Temperature{}, 1000, 1},
		{"constant", Temperature{Initial: 0.5}, 1000, 0.5},
		{"constant has no bound", Temperature{Initial: 0.5, Lower: 2}, 1000, 0.5},
		{"exponential, start", Temperature{Kind: Exponential, Initial: 2, Steps: 10, Rate: 0.5}, 0, 2},
		{"exponential, end of the stair", Temperature{Kind: Exponential, Initial: 2, Steps: 10, Rate: 0.5}, 9, 2},
		{"exponential, next stair", Temperature{Kind: Exponential, Initial: 2, Steps: 10, Rate: 0.5}, 10, 1},
		{"exponential, third stair", Temperature{Kind: Exponential, Initial: 2, Steps: 10, Rate: 0.5}, 29, 0.5},
		{"exponential, bound", Temperature{Kind: Exponential, Initial: 2, Steps: 10, Rate: 0.5, Lower: 0.3}, 1000, 0.3},
		{"exponential, no bound", Temperature{Kind: Exponential, Rate: 0.5}, 1000, 1e-6},
		{"inverse time, start", Temperature{Kind: InverseTime, Steps: 10, Rate: 0.5}, 9, 1},
		{"inverse time, next stair", Temperature{Kind: InverseTime, Steps: 10, Rate: 0.5}, 10, 1 / 1.5},
		{"inverse time, third stair", Temperature{Kind: InverseTime, Initial: 3, Steps: 10, Rate: 0.5}, 20, 1.5},
		{"inverse time, bound", Temperature{Kind: InverseTime, Steps: 10, Rate: 0.5, Lower: 0.4}, 100, 0.4},
		{"a step a stair", Temperature{Kind: InverseTime, Rate: 1}, 3, 0.25},
	} {
		if got := c.t.At(c.step); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: τ = %g at step %d, not %g", c.name, got, c.step, c.want)
		}
	}
}

// TestTemperatureInGraph checks that the graph divides by what At says.
func TestTemperatureInGraph(t *testing.T) {
	for _, schedule := range []Temperature{
		{},
		{Initial: 0.25},
		{Kind: Exponential, Initial: 1, Steps: 10, Rate: 0.9, Lower: 0.2},
		{Kind: Exponential, Initial: 5, Steps: 7, Rate: 0.97},
		{Kind: Exponential, Initial: 1, Steps: 1, Rate: 0.5},
		{Kind: InverseTime, Initial: 1, Steps: 10, Rate: 0.9, Lower: 0.1},
		{Kind: InverseTime, Initial: 2, Steps: 3, Rate: 0.01},
		{Kind: InverseTime, Rate: 1},
	} {
		store := model.NewStore()
		optimizer.GetGlobalStepVar(store)
		exec := model.MustNewExec(backend(t), store, func(_ *model.Scope, x *Node) *Node { return schedule.divide(x) })
		for _, at := range []int{0, 1, 2, 3, 6, 7, 9, 10, 11, 19, 20, 69, 70, 99, 100, 139, 140, 999, 1000, 4095, 4096, 123456, 16777217} {
			setValue(t, store, globalStep, tensors.FromValue(int64(at)))
			want := float32(1 / schedule.At(at))
			got := exec.MustCall1(float32(1)).Value().(float32)
			if !(math.Abs(float64(got-want)) <= 2e-5*float64(want)) {
				t.Errorf("%+v: the graph multiplies by %g at step %d, At says %g", schedule, got, at, want)
			}
		}
	}
}

// TestTemperatureMakesNoNaN checks a temperature that has fallen far below what
// the logits need.
func TestTemperatureMakesNoNaN(t *testing.T) {
	layer := form{Mean, 0, false}.small(StraightThrough).Entropy(0.1).Temperature(Temperature{Kind: Exponential, Rate: 0.1})
	r := newRig(t, layer, dtypes.Float32, distinct(t, occurrences, 7, 4))
	setValue(t, r.store, globalStep, tensors.FromValue(int64(1000)))
	o := r.run()
	for path, gradient := range o.gradients {
		sameValues(t, path, gradient, gradient, 0) // fails for NaN
	}
}

func TestTemperatureCheck(t *testing.T) {
	for _, c := range []struct {
		t    Temperature
		want string
	}{
		{Temperature{Kind: 7}, "no temperature of kind 7"},
		{Temperature{Initial: -1}, "must stay above zero"},
		{Temperature{Kind: InverseTime, Lower: -1}, "must stay above zero"},
		{Temperature{Kind: Exponential}, "exponential temperature at rate 0"},
		{Temperature{Kind: InverseTime, Rate: -0.1}, "inverse-time temperature at rate -0.1"},
	} {
		err := NewKD(3, 4).Temperature(c.t).Check()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, which does not say %q", c.t, err, c.want)
		}
	}
}
