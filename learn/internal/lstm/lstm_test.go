package lstm

import (
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/kdcode/kdcode/engine/enginetest"
)

// TestLSTMGradient compares the gradient written out with GoMLX's own, of the
// same steps.
func TestLSTMGradient(t *testing.T) {
	const steps, rows, dim = 4, 3, 5
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(dims ...int) *tensors.Tensor {
		n := 1
		for _, d := range dims {
			n *= d
		}
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return tensors.FromFlatDataAndDimensions(x, dims...)
	}
	exec, err := NewExec(enginetest.Backend(t), func(in []*Node) []*Node {
		inputs, recurrent, h, c, mix := in[0], in[1], in[2], in[3], in[4]
		gradients := func(ours bool) []*Node {
			y, _, _ := Unroll(inputs, recurrent, h, c)
			if !ours {
				l := &layer{inputs: inputs, recurrent: recurrent, rows: rows, width: dim}
				y = l.run(h, c)
			}
			return append(Gradient(ReduceAllSum(Mul(y, mix)), inputs, recurrent, h, c), y)
		}
		return append(gradients(true), gradients(false)...)
	})
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Call(random(steps*rows, 4*dim), random(dim, 4*dim), random(rows, dim), random(rows, dim), random(steps*rows, dim))
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"of the inputs", "of the recurrent weights", "of h", "of c", "the outputs"} {
		got, want := tensors.MustCopyFlatData[float64](out[i]), tensors.MustCopyFlatData[float64](out[i+5])
		for j := range want {
			if math.Abs(got[j]-want[j]) > 1e-12*(1+math.Abs(want[j])) {
				t.Fatalf("%s at %d: %g, want %g", name, j, got[j], want[j])
			}
		}
	}
}
