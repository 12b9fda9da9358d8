package learn

import (
	"github.com/gomlx/gomlx/ml/model"
)

// start is how the code logits start.
type start struct {
	scale float64 // 0 stands for the layer's initial scale
	alike bool    // one row for all symbols
}

// logits returns the variable of the code logits [N, D, K].
func (s start) logits(scope *model.Scope, scale float64, n, length, width int) *model.Variable {
	if s.scale != 0 {
		scale = s.scale
	}
	if !s.alike {
		return Uniform(scope, "logits", scale, n, length, width)
	}
	return variable(scope, "logits", []int{n, length, width}, func(values []float32) {
		rng := hostRNG(scope, "logits")
		row := length * width
		for i := range values {
			if i < row {
				values[i] = float32(scale) * (2*rng.Float32() - 1)
			} else {
				values[i] = values[i-row]
			}
		}
	})
}
