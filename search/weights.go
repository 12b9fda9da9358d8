package search

import (
	"errors"
	"math"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/internal/simd"
)

// weights are what partial scores are made of. For all compositions but lstm
// the score ⟨q,v⟩ is a sum over the digits: of sum, Σ_j ⟨q, W^j[c_j]⟩; of concat
// the same with a slice of q for each digit; of affine ⟨Hᵀq, Σ_j W^j[c_j]⟩ + ⟨q,b⟩.
type weights struct {
	K, D, codeDim int
	concat        bool
	shared        bool
	W             []float32 // [D, K, d'], or [K, d'] if shared
	transposed    []float32 // Hᵀ [d', d], or nil
	bias          []float32 // b [d], or nil

	// reach is Σ_j max_k ‖W^j[k]‖, through H and with b: no vector is longer,
	// and rounding errors are small parts of it.
	reach float64
}

// readWeights returns the weights of t, or nil where it is not linear.
func readWeights(t *kdcode.Table) (*weights, error) {
	info := t.Info()
	w := &weights{K: info.K, D: info.D, codeDim: info.CodeDim, shared: info.Shared}
	switch info.Composition {
	case "sum":
	case "concat":
		w.concat = true
	case "affine":
		H, err := floats(t, "projection")
		if err != nil {
			return nil, err
		}
		w.transposed = transpose(H, info.Dim, info.CodeDim)
		if w.bias, err = floats(t, "bias"); err != nil && !errors.Is(err, kdcode.ErrNotFound) {
			return nil, err
		}
	default:
		return nil, nil
	}
	w.W = t.CodeEmbeddings()
	w.measure()
	return w, nil
}

// floats returns a tensor of float32.
func floats(t *kdcode.Table, name string) ([]float32, error) {
	tensor, err := t.Tensor(name)
	if err != nil {
		return nil, err
	}
	return tensor.Floats()
}

// transpose turns [rows, columns] into [columns, rows].
func transpose(H []float32, rows, columns int) []float32 {
	t := make([]float32, len(H))
	for r := range rows {
		for c := range columns {
			t[c*rows+r] = H[r*columns+c]
		}
	}
	return t
}

// measure computes reach.
func (w *weights) measure() {
	var sum, squares float64
	for j := range w.D {
		longest := 0.0
		for k := range w.K {
			row := w.digit(j)[k*w.codeDim:][:w.codeDim]
			longest = max(longest, length(row))
		}
		sum += longest
		squares += longest * longest
	}
	w.reach = sum
	if w.concat {
		w.reach = math.Sqrt(squares)
	}
	if w.transposed != nil {
		w.reach *= length(w.transposed)
	}
	w.reach += length(w.bias)
}

// digit returns W^j, [K, d'].
func (w *weights) digit(j int) []float32 {
	if w.shared {
		j = 0
	}
	return w.W[j*w.K*w.codeDim:][:w.K*w.codeDim]
}

// partial writes the partial scores of q to dst, [D, K], and returns what is
// to be added to their sums.
func (w *weights) partial(dst, q []float32) (constant float32) {
	if w.bias != nil {
		constant = simd.Dot(w.bias, q)
	}
	if w.transposed != nil {
		through := make([]float32, w.codeDim)
		simd.MatVec(through, w.transposed, q)
		q = through
	}
	switch {
	case w.concat:
		for j := range w.D {
			simd.MatVec(dst[j*w.K:][:w.K], w.digit(j), q[j*w.codeDim:][:w.codeDim])
		}
	case w.shared:
		simd.MatVec(dst[:w.K], w.W, q)
		for j := 1; j < w.D; j++ {
			copy(dst[j*w.K:][:w.K], dst)
		}
	default:
		simd.MatVec(dst, w.W, q)
	}
	return constant
}
