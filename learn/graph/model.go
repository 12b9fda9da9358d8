package graph

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/kdcode/kdcode"
)

// Model is a trained network out of a code file. It evaluates without GoMLX's
// graphs, and is safe for concurrent use.
type Model struct {
	table  *kdcode.Table // W0 [N, d], by the features' names
	w1     []float32     // [d, C]
	labels []string
}

// Open opens the network at path, a code file of Result.Model.
func Open(path string) (*Model, error) {
	t, err := kdcode.Open(path)
	if err != nil {
		return nil, err
	}
	m, err := New(t)
	if err != nil {
		t.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// New returns the network in the file of an open table. Closing the Model closes
// the table.
func New(t *kdcode.Table) (*Model, error) {
	m := &Model{table: t}
	meta := t.Info().Metadata
	switch {
	case meta[keyTask] != "" && meta[keyTask] != taskGraph:
		return nil, fmt.Errorf("%w: the file was trained for the task %q; make a network with kd train graph", ErrNoNetwork, meta[keyTask])
	case !slices.Contains(t.Info().Tensors, tensorWeight):
		return nil, fmt.Errorf("%w: the file has a table of embeddings but no tensor %q; make a network with kd train graph", ErrNoNetwork, tensorWeight)
	case !t.HasSymbols():
		return nil, unusable(fmt.Errorf("the file has no symbols, so no features are known"))
	}
	labels, err := t.Tensor(tensorLabels)
	if err != nil {
		return nil, unusable(err)
	}
	if err := json.Unmarshal(labels.Data, &m.labels); err != nil {
		return nil, unusable(fmt.Errorf("tensor %q is no JSON array of strings: %v", tensorLabels, err))
	}
	w1, err := t.Tensor(tensorWeight)
	if err != nil {
		return nil, unusable(err)
	}
	if want := []int{t.Dim(), len(m.labels)}; !slices.Equal(w1.Shape, want) {
		return nil, unusable(fmt.Errorf("tensor %q has the shape %v, but the table and the labels need %v", tensorWeight, w1.Shape, want))
	}
	if m.w1, err = w1.Floats(); err != nil {
		return nil, unusable(fmt.Errorf("tensor %q: %w", tensorWeight, err))
	}
	return m, nil
}

func unusable(err error) error {
	return fmt.Errorf("%w: %w; make it again with kd train graph", ErrNoNetwork, err)
}

// Close closes the table. Later evaluations return kdcode.ErrClosed.
func (m *Model) Close() error { return m.table.Close() }

// Table returns the table of the features.
func (m *Model) Table() *kdcode.Table { return m.table }

// Labels returns the labels in the order of the scores, in a slice of the
// caller's own.
func (m *Model) Labels() []string { return slices.Clone(m.labels) }
