package learn

import (
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
)

// TestGradients compares the gradient of a loss with respect to every variable
// with central finite differences. It is the relaxed path, whose forward pass is
// differentiable; the graph runs in float64, which leaves no room for mistakes.
func TestGradients(t *testing.T) {
	for _, r := range []Relaxation{StraightThrough, Soft, Gumbel, Threshold} {
		for _, f := range forms() {
			t.Run(fmt.Sprintf("%s/%s", r, f), func(t *testing.T) {
				layer := f.small(r).Temperature(Temperature{Initial: 0.8}).Entropy(0.3)
				layer.relaxedPath = true
				checkGradients(t, newRig(t, layer, dtypes.Float64, distinct(t, occurrences, 7, 4)))
			})
		}
	}
}

// TestGradientsOfVariants does the same for what TestGradients keeps fixed.
func TestGradientsOfVariants(t *testing.T) {
	affine := form{Mean, 4, false}
	falling := Temperature{Kind: InverseTime, Initial: 2, Steps: 10, Rate: 0.5, Lower: 0.1}
	for name, layer := range map[string]*KD{
		"without norms":           affine.small(StraightThrough).Norms(false, false),
		"without logits' norm":    affine.small(StraightThrough).Norms(false, true),
		"without embedding norm":  affine.small(StraightThrough).Norms(true, false),
		"falling temperature":     affine.small(StraightThrough).Temperature(falling),
		"falling, Gumbel":         affine.small(Gumbel).Temperature(falling),
		"digits dropped":          affine.small(StraightThrough).DropDigits(0.3),
		"digits dropped, LSTM":    form{LSTM, 4, false}.small(Soft).DropDigits(0.3),
		"threshold without norms": affine.small(Threshold).Norms(false, false),
	} {
		t.Run(name, func(t *testing.T) {
			layer.relaxedPath = true
			checkGradients(t, newRig(t, layer, dtypes.Float64, distinct(t, occurrences, 7, 4)))
		})
	}
}

// checkGradients compares, for each variable, the derivatives along two
// directions through all its elements and along its largest element.
func checkGradients(t *testing.T, r *rig) {
	t.Helper()
	o := r.run()
	for _, path := range r.paths {
		gradient, at := o.gradients[path], r.get(path)
		if rows, ok := o.rows[path]; ok {
			sameValues(t, "gradient by rows of "+path, rows, gradient, 1e-12)
		}
		directions := [][]float64{fluctuate(len(at), 5), fluctuate(len(at), 9), largest(gradient)}
		for i, direction := range directions {
			const step = 2e-6
			r.set(path, add(at, direction, step))
			above := r.loss()
			r.set(path, add(at, direction, -step))
			below := r.loss()
			want := (above - below) / (2 * step)
			if got := dot(gradient, direction); !(math.Abs(got-want) <= 1e-6*(1+math.Abs(want))) {
				t.Errorf("%s, direction %d: the gradient gives %.9g, finite differences %.9g", path, i, got, want)
			}
		}
		r.set(path, at)
		if dot(gradient, gradient) < 1e-12 && !vanishes(r.layer, path) {
			t.Errorf("%s: the gradient vanishes", path)
		}
	}
}

// vanishes reports whether a variable has no effect: it adds the same to all
// symbols before a batch norm.
func vanishes(e Embedding, path string) bool {
	l, ok := e.(*KD)
	return ok && l.f.norm && (path == "/layer/bias" || path == "/layer/code_norm/offset")
}

// largest returns the direction of the largest element.
func largest(x []float64) []float64 {
	best := 0
	for i := range x {
		if math.Abs(x[i]) > math.Abs(x[best]) {
			best = i
		}
	}
	direction := make([]float64, len(x))
	direction[best] = 1
	return direction
}
