package kdcode

import (
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

// scratch returns the floats that run needs for a code: h_j, m_j, Σ h_j, two
// times the four gates, and a code embedding.
func (l *lstm) scratch() int { return 11*l.h + l.codeDim }

// run feeds the code embeddings of n codes through the LSTM, digit by digit. It
// returns Σ_j h_j of each code [n, h], which lies in scratch, and -1, or the place
// of a digit ≥ K.
func (l *lstm) run(scratch []float32, c *composer, digits []uint16) (sum []float32, bad int) {
	for at, k := range digits {
		if int(k) >= c.K {
			return nil, at
		}
	}
	n := len(digits) / c.D
	part := func(width int) []float32 { // of scratch, [n, width]
		p := scratch[:n*width]
		scratch = scratch[n*width:]
		return p
	}
	out, memory, sum := part(l.h), part(l.h), part(l.h)
	gates, added, x := part(4*l.h), part(4*l.h), part(l.codeDim)
	l.begin(out, memory)
	clear(sum)
	for j := range c.D {
		for i := range n {
			copy(x[i*l.codeDim:], c.row(j, digits[i*c.D+j]))
		}
		simd.MatVecs(gates, l.recurrent, out, n)
		l.feed(gates, added, x, n)
		for i := range n {
			l.step(out[i*l.h:][:l.h], memory[i*l.h:][:l.h], gates[i*4*l.h:][:4*l.h])
		}
		simd.Add(sum, out)
	}
	return sum, -1
}

// begin sets out and memory, [n, h] each, to the state before the first digit.
func (l *lstm) begin(out, memory []float32) {
	if l.state == nil {
		clear(out)
		clear(memory)
		return
	}
	for at := 0; at < len(out); at += l.h {
		copy(out[at:], l.state[:l.h])
		copy(memory[at:], l.state[l.h:])
	}
}

// feed adds to the gates [n, 4h] what code embeddings x [n, d'] and the bias add;
// added is as large as gates.
func (l *lstm) feed(gates, added, x []float32, n int) {
	if l.input != nil {
		simd.MatVecs(added, l.input, x, n)
		simd.Add(gates, added)
	}
	for i := range n {
		g := gates[i*4*l.h:][:4*l.h]
		simd.Add(g, l.bias)
		if l.input == nil {
			for at := 0; at < len(g); at += l.h {
				simd.Add(g[at:][:l.h], x[i*l.h:][:l.h])
			}
		}
	}
}

// step applies the gates t, i, o and the candidate m of one code.
func (l *lstm) step(out, memory, gates []float32) {
	h := l.h
	simd.Map(simd.MapLogistic, gates[:3*h], gates[:3*h])
	simd.Map(simd.MapTanh, gates[3*h:], gates[3*h:])
	t, i, o, m := gates[:h], gates[h:2*h], gates[2*h:3*h], gates[3*h:]
	simd.Zip(simd.ZipMul, memory, memory, t)
	simd.Zip(simd.ZipMul, m, m, i)
	simd.Add(memory, m)
	simd.Map(simd.MapTanh, out, memory)
	simd.Zip(simd.ZipMul, out, out, o)
}
