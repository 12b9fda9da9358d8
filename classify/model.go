package classify

import (
	"fmt"
	"slices"

	"github.com/kdcode/kdcode"
)

// Model is an open text classifier. It is immutable and safe for concurrent use.
type Model struct {
	table   *kdcode.Table
	class   *Classifier
	words   words
	indices map[string]int // label → class
}

// Open opens the classifier at path, a code file that kd train text or
// Classifier.AddTo made. The work does not grow with the number of words.
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

// New returns the classifier in the file of an open table, which must stay
// open as long as the Model is used. Closing the Model closes the table.
func New(t *kdcode.Table) (*Model, error) {
	c, err := readClassifier(t)
	if err != nil {
		return nil, err
	}
	w, err := newWords(t, c)
	if err != nil {
		return nil, err
	}
	m := &Model{table: t, class: c, words: w, indices: make(map[string]int)}
	for i, label := range c.Labels {
		m.indices[label] = i
	}
	return m, nil
}

// Close closes the table. Later predictions return kdcode.ErrClosed.
func (m *Model) Close() error { return m.table.Close() }

// Table returns the table of the words.
func (m *Model) Table() *kdcode.Table { return m.table }

// Labels returns the labels in the order of the classes, in a slice of the
// caller's own.
func (m *Model) Labels() []string { return slices.Clone(m.class.Labels) }

// Class returns the index of a label among Labels, and whether it is there.
func (m *Model) Class(label string) (int, bool) {
	i, ok := m.indices[label]
	return i, ok
}
