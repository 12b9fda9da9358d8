package codefile

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
)

// Model is what a code file holds: the writer's input. Writing does not
// change it.
type Model struct {
	Codes       Codes
	Embeddings  Embeddings
	Composition Composition
	Projection  []float32 // H [d, d'] (affine) or [d, h] (lstm, may be nil: d = h)
	Bias        []float32 // b [d], may be nil; affine and lstm only
	LSTM        *LSTM     // lstm only
	Symbols     []string  // N of them, all different, or none

	// TrainedParameters is the number of parameters behind the vectors in
	// training, the paper's count (batch norms included). Zero means: those
	// stored.
	TrainedParameters int64
	Tensors           map[string]Tensor // further tensors
	Metadata          map[string]string // how it was made; keys are free but for the reserved ones
}

// Dim returns d, the width of the vectors.
func (m *Model) Dim() int {
	switch {
	case m.Composition == Concat:
		return m.Codes.D * m.Embeddings.Dim
	case m.Projection != nil && m.summedDim() > 0:
		return len(m.Projection) / m.summedDim()
	}
	return m.summedDim()
}

// summedDim returns the width of the sum that H is applied to: h or d'.
func (m *Model) summedDim() int {
	if m.LSTM != nil {
		return m.LSTM.Hidden
	}
	return m.Embeddings.Dim
}

// parameters returns the number of parameters stored.
func (m *Model) parameters() int64 {
	n := len(m.Embeddings.Values) + len(m.Projection) + len(m.Bias)
	if l := m.LSTM; l != nil {
		n += len(l.Recurrent) + len(l.Bias) + len(l.Input) + len(l.State)
	}
	return int64(n)
}

// check returns an error unless the model's parts fit together.
func (m *Model) check() error {
	if err := m.Codes.check(); err != nil {
		return err
	}
	if err := m.Embeddings.check(m.Codes.K, m.Codes.D); err != nil {
		return err
	}
	if err := m.checkComposition(); err != nil {
		return err
	}
	if n := len(m.Symbols); n != 0 && n != m.Codes.N() {
		return fmt.Errorf("%w: %d symbols for %d codes", ErrModel, n, m.Codes.N())
	}
	for name := range m.Tensors {
		if name == "" || name == "__metadata__" || slices.Contains(reservedTensors, name) {
			return fmt.Errorf("%w: a further tensor may not be called %q", ErrModel, name)
		}
		if !utf8.ValidString(name) { // JSON would make one of several
			return fmt.Errorf("%w: the name %q of a tensor is not UTF-8", ErrModel, name)
		}
	}
	for key := range m.Metadata {
		if isReserved(key) {
			return fmt.Errorf("%w: the metadata key %q is reserved", ErrModel, key)
		}
		if !utf8.ValidString(key) {
			return fmt.Errorf("%w: the metadata key %q is not UTF-8", ErrModel, key)
		}
	}
	return nil
}

func (m *Model) checkComposition() error {
	if _, err := ParseComposition(string(m.Composition)); err != nil {
		return fmt.Errorf("%w: %v", ErrModel, err)
	}
	if m.Composition == Sum || m.Composition == Concat {
		if m.Projection != nil || m.Bias != nil || m.LSTM != nil {
			return fmt.Errorf("%w: the composition %s has neither projection nor bias nor LSTM", ErrModel, m.Composition)
		}
		return nil
	}
	if (m.LSTM != nil) != (m.Composition == Recur) {
		return fmt.Errorf("%w: the composition is %s: LSTM weights belong to %s, and only to it", ErrModel, m.Composition, Recur)
	}
	if m.LSTM != nil {
		if err := m.LSTM.check(m.Embeddings.Dim); err != nil {
			return err
		}
	} else if len(m.Projection) == 0 {
		return fmt.Errorf("%w: the composition affine needs a projection", ErrModel)
	}
	if m.Projection != nil && (len(m.Projection) == 0 || len(m.Projection)%m.summedDim() != 0) {
		return fmt.Errorf("%w: a projection of %d numbers does not fit vectors of width %d", ErrModel, len(m.Projection), m.summedDim())
	}
	if m.Bias != nil && len(m.Bias) != m.Dim() {
		return fmt.Errorf("%w: %d biases for vectors of width %d", ErrModel, len(m.Bias), m.Dim())
	}
	if err := checkFinite("projection", m.Projection); err != nil {
		return err
	}
	return checkFinite("bias", m.Bias)
}

// clone returns a shallow copy with metadata and tensors of its own.
func (m *Model) clone() *Model {
	c := *m
	c.Metadata = maps.Clone(m.Metadata)
	c.Tensors = maps.Clone(m.Tensors)
	return &c
}
