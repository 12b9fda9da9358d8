package kdcode

import (
	"math"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/simd"
)

// lstm is the recurrent part of the LSTM composition; codefile.LSTM has the
// equations. Weights are kept transposed, output by output, so that a gate is
// a product of a matrix with a vector.
type lstm struct {
	h, codeDim int
	recurrent  []float32 // [4h, h]
	input      []float32 // [4h, d'], or nil
	bias       []float32 // [4h]
	state      []float32 // h_0 ‖ m_0 [2h], or nil
}

func newLSTM(w *codefile.LSTM, codeDim int) *lstm {
	l := &lstm{h: w.Hidden, codeDim: codeDim, bias: w.Bias, state: w.State}
	l.recurrent = transposeGates(w.Recurrent, w.Hidden, w.Hidden)
	if w.Input != nil {
		l.input = transposeGates(w.Input, codeDim, w.Hidden)
	}
	return l
}

// transposeGates turns [4, in, out] into [4·out, in].
func transposeGates(w []float32, in, out int) []float32 {
	t := make([]float32, len(w))
	for g := range 4 {
		for i := range in {
			for o := range out {
				t[(g*out+o)*in+i] = w[(g*in+i)*out+o]
			}
		}
	}
	return t
}

// scratch returns the floats that run needs: h_j, m_j, Σ h_j and two times
// the four gates.
func (l *lstm) scratch() int { return 11 * l.h }

// run feeds the code embeddings of digits through the LSTM. It returns
// Σ_j h_j, which lies in scratch, and -1, or the place of a digit ≥ K.
func (l *lstm) run(scratch []float32, c *composer, digits []uint16) ([]float32, int) {
	h := l.h
	out, memory, sum := scratch[:h], scratch[h:2*h], scratch[2*h:3*h]
	gates, added := scratch[3*h:7*h], scratch[7*h:11*h]
	clear(scratch[:3*h])
	if l.state != nil {
		copy(scratch, l.state)
	}
	for j, k := range digits {
		x := c.row(j, k)
		if x == nil {
			return nil, j
		}
		simd.MatVec(gates, l.recurrent, out)
		simd.Add(gates, l.bias)
		if l.input != nil {
			simd.MatVec(added, l.input, x)
			simd.Add(gates, added)
		} else {
			for g := range 4 {
				simd.Add(gates[g*h:][:h], x)
			}
		}
		l.step(out, memory, gates)
		simd.Add(sum, out)
	}
	return sum, -1
}

// step applies the gates t, i, o and the candidate m.
func (l *lstm) step(out, memory, gates []float32) {
	h := l.h
	for u := range h {
		t, i, o, m := gates[u], gates[h+u], gates[2*h+u], gates[3*h+u]
		mem := sigmoid(t)*float64(memory[u]) + sigmoid(i)*math.Tanh(float64(m))
		memory[u] = float32(mem)
		out[u] = float32(sigmoid(o) * math.Tanh(mem))
	}
}

func sigmoid(x float32) float64 { return 1 / (1 + math.Exp(-float64(x))) }
