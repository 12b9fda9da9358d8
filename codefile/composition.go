package codefile

import (
	"errors"
	"fmt"
)

// Composition is the kind of function that composes the code embeddings
// W^1[c_1] … W^D[c_D] of a code c into a vector.
type Composition string

const (
	Sum    Composition = "sum"    // Σ_j W^j[c_j]
	Affine Composition = "affine" // H·(Σ_j W^j[c_j]) + b
	Concat Composition = "concat" // W^1[c_1] ‖ … ‖ W^D[c_D]
	Recur  Composition = "lstm"   // H·(Σ_j h_j) + b over an LSTM's outputs h_j
)

// Compositions are all kinds, in the order of the documentation.
var Compositions = []Composition{Sum, Affine, Concat, Recur}

// ParseComposition returns the kind of that name.
func ParseComposition(name string) (Composition, error) {
	for _, c := range Compositions {
		if string(c) == name {
			return c, nil
		}
	}
	return "", fmt.Errorf("composition %q is none of %v", name, Compositions)
}

// LSTM holds the weights of an LSTM composition. Gates stand in the order t
// (forget), i (input), o (output), m (candidate), the paper's names:
//
//	g_j = x_g + h_{j-1}·U_g + b_g            for each gate g
//	m_j = σ(t_j)∘m_{j-1} + σ(i_j)∘tanh(m'_j)
//	h_j = σ(o_j)∘tanh(m_j)
//
// where x_g is the code embedding itself (the paper's appendix, d' = h) or,
// with input weights, W^j[c_j]·V_g (the authors' code).
type LSTM struct {
	Hidden    int       // h
	Recurrent []float32 // U [4, h, h]
	Bias      []float32 // b [4, h]
	Input     []float32 // V [4, d', h], or nil
	State     []float32 // h_0 and m_0 [2, h], or nil for zeros
}

// check returns an error unless the weights' sizes fit code embeddings of
// width codeDim.
func (l *LSTM) check(codeDim int) error {
	h := l.Hidden
	switch {
	case h < 1:
		return fmt.Errorf("%w: an LSTM of width %d", ErrModel, h)
	case len(l.Recurrent) != 4*h*h:
		return fmt.Errorf("%w: %d recurrent weights instead of 4·h·h = %d", ErrModel, len(l.Recurrent), 4*h*h)
	case len(l.Bias) != 4*h:
		return fmt.Errorf("%w: %d LSTM biases instead of 4·h = %d", ErrModel, len(l.Bias), 4*h)
	case l.Input == nil && codeDim != h:
		return fmt.Errorf("%w: an LSTM without input weights needs code embeddings as wide as its state, not %d and %d", ErrModel, codeDim, h)
	case l.Input != nil && len(l.Input) != 4*codeDim*h:
		return fmt.Errorf("%w: %d LSTM input weights instead of 4·d'·h = %d", ErrModel, len(l.Input), 4*codeDim*h)
	case l.State != nil && len(l.State) != 2*h:
		return fmt.Errorf("%w: an initial state of %d numbers instead of 2·h = %d", ErrModel, len(l.State), 2*h)
	}
	return errors.Join(checkFinite("LSTM's recurrent weights", l.Recurrent), checkFinite("LSTM's biases", l.Bias),
		checkFinite("LSTM's input weights", l.Input), checkFinite("LSTM's initial state", l.State))
}
