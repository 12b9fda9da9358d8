// Package tabletest makes models for tests, and composes their vectors in
// float64 by the plain definition, for comparison with the fast code.
package tabletest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/kdcode/kdcode/codefile"
)

// Shape is the shape of a made-up model.
type Shape struct {
	N, K, D, Dim, CodeDim int
	Composition           codefile.Composition
	DType                 codefile.DType
	Shared                bool
	Hidden                int  // of an LSTM
	Input, State          bool // whether the LSTM has them
	NoProjection          bool // an LSTM without H
	NoBias                bool
	NoSymbols             bool
}

// String names the shape, as the name of a subtest.
func (s Shape) String() string {
	return fmt.Sprintf("%s,N=%d,K=%d,D=%d,d=%d,d'=%d,%s,shared=%t,input=%t,state=%t,projected=%t,bias=%t",
		s.Composition, s.N, s.K, s.D, s.Dim, s.CodeDim, s.DType, s.Shared, s.Input, s.State, !s.NoProjection, !s.NoBias)
}

// Shapes are the shapes of the conformance suite: every composition in every
// form, with small, odd and large K and D.
func Shapes() []Shape {
	base := []Shape{
		{N: 50, K: 32, D: 32, Dim: 100, CodeDim: 100, Composition: codefile.Sum},
		{N: 17, K: 3, D: 5, Dim: 7, CodeDim: 7, Composition: codefile.Sum},
		{N: 9, K: 2, D: 1, Dim: 1, CodeDim: 1, Composition: codefile.Sum},
		{N: 5, K: 65536, D: 2, Dim: 3, CodeDim: 3, Composition: codefile.Sum},
		{N: 5, K: 6, D: 1024, Dim: 17, CodeDim: 17, Composition: codefile.Sum},
		{N: 20, K: 16, D: 4, Dim: 700, CodeDim: 700, Composition: codefile.Sum},
		{N: 40, K: 8, D: 25, Dim: 50, CodeDim: 2, Composition: codefile.Concat},
		{N: 40, K: 33, D: 3, Dim: 60, CodeDim: 20, Composition: codefile.Concat},
		{N: 40, K: 32, D: 8, Dim: 300, CodeDim: 40, Composition: codefile.Affine},
		{N: 40, K: 5, D: 8, Dim: 30, CodeDim: 4, Composition: codefile.Affine, NoBias: true},
		{N: 30, K: 8, D: 6, Dim: 20, CodeDim: 12, Hidden: 12, Composition: codefile.Recur},
		{N: 30, K: 8, D: 6, Dim: 20, CodeDim: 10, Hidden: 14, Composition: codefile.Recur, Input: true, State: true, NoBias: true},
		{N: 30, K: 7, D: 6, Dim: 12, CodeDim: 12, Hidden: 12, Composition: codefile.Recur, State: true, NoProjection: true},
	}
	var all []Shape
	for _, s := range base {
		for _, s.DType = range codefile.DTypes {
			for _, s.Shared = range []bool{false, true} {
				s.NoSymbols = s.DType == codefile.Float16 && s.Shared
				all = append(all, s)
			}
		}
	}
	return all
}

// Model returns a random model of that shape. The same seed gives the same.
func Model(s Shape, seed uint64) *codefile.Model {
	r := rand.New(rand.NewPCG(seed, 0))
	floats := func(n int) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		return v
	}
	m := &codefile.Model{Codes: codefile.NewCodes(s.N, s.K, s.D), Composition: s.Composition}
	digits := make([]uint16, s.D)
	for i := range s.N {
		for j := range digits {
			digits[j] = uint16(r.IntN(s.K))
		}
		m.Codes.Set(i, digits)
	}
	rows := s.K
	if !s.Shared {
		rows *= s.D
	}
	m.Embeddings = codefile.Embeddings{Values: floats(rows * s.CodeDim), Dim: s.CodeDim, Shared: s.Shared, DType: s.DType}
	summed := s.CodeDim
	if s.Composition == codefile.Recur {
		summed = s.Hidden
		m.LSTM = &codefile.LSTM{Hidden: s.Hidden, Recurrent: floats(4 * s.Hidden * s.Hidden), Bias: floats(4 * s.Hidden)}
		if s.Input {
			m.LSTM.Input = floats(4 * s.CodeDim * s.Hidden)
		}
		if s.State {
			m.LSTM.State = floats(2 * s.Hidden)
		}
	}
	if s.Composition == codefile.Affine || s.Composition == codefile.Recur {
		if !s.NoProjection {
			m.Projection = floats(s.Dim * summed)
		}
		if !s.NoBias {
			m.Bias = floats(s.Dim)
		}
	}
	if !s.NoSymbols {
		for i := range s.N {
			m.Symbols = append(m.Symbols, Symbol(i))
		}
	}
	return m
}

// Symbol returns the made-up symbol of an id: short ones, long ones, one that
// is empty, and some that are not UTF-8.
func Symbol(id int) string {
	switch {
	case id == 3:
		return ""
	case id == 4:
		return fmt.Sprintf("%0200d", id)
	case id%10 == 7:
		return fmt.Sprintf("\xff wort mit leerzeichen %d", id)
	}
	return fmt.Sprintf("w%d", id)
}

// Vector composes the vector of digits by the definition, in float64.
func Vector(m *codefile.Model, digits []uint16) []float64 {
	row := func(j int) []float64 {
		at := int(digits[j])
		if !m.Embeddings.Shared {
			at += j * m.Codes.K
		}
		return wide(m.Embeddings.Values[at*m.Embeddings.Dim:][:m.Embeddings.Dim])
	}
	sum := make([]float64, m.Embeddings.Dim)
	switch {
	case m.Composition == codefile.Concat:
		var v []float64
		for j := range digits {
			v = append(v, row(j)...)
		}
		return v
	case m.LSTM != nil:
		sum = lstm(m.LSTM, m.Embeddings.Dim, len(digits), row)
	default:
		for j := range digits {
			for i, x := range row(j) {
				sum[i] += x
			}
		}
	}
	v := sum
	if m.Projection != nil {
		v = make([]float64, m.Dim())
		for i := range v {
			for c, x := range sum {
				v[i] += float64(m.Projection[i*len(sum)+c]) * x
			}
		}
	}
	for i, b := range m.Bias {
		v[i] += float64(b)
	}
	return v
}

func wide(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

// lstm returns Σ_j h_j, gate by gate and unit by unit as the paper writes it.
func lstm(l *codefile.LSTM, codeDim, steps int, row func(j int) []float64) []float64 {
	n := l.Hidden
	h, m, sum := make([]float64, n), make([]float64, n), make([]float64, n)
	if l.State != nil {
		h, m = wide(l.State[:n]), wide(l.State[n:])
	}
	sigma := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	for j := range steps {
		x := row(j)
		gate := func(g, u int) float64 {
			a := float64(l.Bias[g*n+u])
			for i := range h {
				a += h[i] * float64(l.Recurrent[(g*n+i)*n+u])
			}
			if l.Input == nil {
				return a + x[u]
			}
			for i := range x {
				a += x[i] * float64(l.Input[(g*codeDim+i)*n+u])
			}
			return a
		}
		next := make([]float64, n)
		for u := range next {
			m[u] = sigma(gate(0, u))*m[u] + sigma(gate(1, u))*math.Tanh(gate(3, u))
			next[u] = sigma(gate(2, u)) * math.Tanh(m[u])
		}
		h = next
		for u := range sum {
			sum[u] += h[u]
		}
	}
	return sum
}
