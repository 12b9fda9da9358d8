package classify

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
)

// What makes a code file a text classifier: tensors and metadata.
const (
	tensorWeight = "classifier.weight" // F32 W [C, d]
	tensorBias   = "classifier.bias"   // F32 b [C]
	tensorLabels = "classifier.labels" // U8, a JSON array of C strings

	keyTask      = "task"
	keyTokenizer = "tokenizer"
	taskText     = "text"
)

// Classifier is the part of a text classifier that is not its words: it
// scores a vector v of width d as W·v + b.
type Classifier struct {
	Labels []string  // C of them, all different
	Weight []float32 // W [C, d]
	Bias   []float32 // b [C]
}

// AddTo adds the classifier to a model of the words, as further tensors and
// metadata, so that codefile.WriteFile writes what Open opens.
func (c *Classifier) AddTo(m *codefile.Model) error {
	if err := c.check(m.Dim()); err != nil {
		return fmt.Errorf("classify: %w", err)
	}
	if len(m.Symbols) == 0 {
		return errors.New("classify: the model has no symbols: a classifier needs its words")
	}
	labels, err := json.Marshal(c.Labels)
	if err != nil {
		return fmt.Errorf("classify: labels: %w", err)
	}
	if m.Tensors == nil {
		m.Tensors = make(map[string]codefile.Tensor)
	}
	m.Tensors[tensorWeight] = codefile.FloatTensor(c.Weight, len(c.Labels), m.Dim())
	m.Tensors[tensorBias] = codefile.FloatTensor(c.Bias, len(c.Labels))
	m.Tensors[tensorLabels] = codefile.BytesTensor(labels)
	if m.Metadata == nil {
		m.Metadata = make(map[string]string)
	}
	m.Metadata[keyTask] = taskText
	m.Metadata[keyTokenizer] = TokenizerName
	return nil
}

// check says whether the parts fit each other and vectors of width dim.
func (c *Classifier) check(dim int) error {
	n := len(c.Labels)
	switch {
	case n == 0:
		return errors.New("a classifier without labels")
	case len(c.Weight) != n*dim:
		return fmt.Errorf("%d weights, but %d labels and vectors of %d need %d", len(c.Weight), n, dim, n*dim)
	case len(c.Bias) != n:
		return fmt.Errorf("%d biases for %d labels", len(c.Bias), n)
	case !finite(c.Weight) || !finite(c.Bias):
		return errors.New("a weight or bias is not finite: the training diverged")
	}
	seen := make(map[string]bool)
	for i, label := range c.Labels {
		switch {
		case label == "" || !utf8.ValidString(label):
			return fmt.Errorf("label %d is %q: labels are UTF-8 and not empty", i, label)
		case seen[label]:
			return fmt.Errorf("two labels are %q", label)
		}
		seen[label] = true
	}
	return nil
}

func finite(x []float32) bool {
	return !slices.ContainsFunc(x, func(v float32) bool { return math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) })
}

// readClassifier takes the classifier out of a table's file.
func readClassifier(t *kdcode.Table) (*Classifier, error) {
	meta := t.Info().Metadata
	switch {
	case meta[keyTask] != "" && meta[keyTask] != taskText:
		return nil, fmt.Errorf("%w: the file was trained for the task %q; make a classifier with kd train text", ErrNoClassifier, meta[keyTask])
	case !slices.Contains(t.Info().Tensors, tensorWeight):
		return nil, fmt.Errorf("%w: the file has a table of embeddings but no tensor %q; make a classifier with kd train text", ErrNoClassifier, tensorWeight)
	case meta[keyTokenizer] != TokenizerName:
		return nil, fmt.Errorf("%w: its texts were split by the tokenizer %q, but only %q is known here; use the kdcode that made it, or a newer one", ErrNoClassifier, meta[keyTokenizer], TokenizerName)
	case !t.HasSymbols():
		return nil, fmt.Errorf("%w: the file has no symbols, so no words are known; make it again with kd train text", ErrNoClassifier)
	}
	var c Classifier
	raw, err := t.Tensor(tensorLabels)
	if err != nil {
		return nil, unusable(err)
	}
	if err := json.Unmarshal(raw.Data, &c.Labels); err != nil {
		return nil, unusable(fmt.Errorf("tensor %q is no JSON array of strings: %v", tensorLabels, err))
	}
	if c.Weight, err = readFloats(t, tensorWeight, len(c.Labels), t.Dim()); err != nil {
		return nil, unusable(err)
	}
	if c.Bias, err = readFloats(t, tensorBias, len(c.Labels)); err != nil {
		return nil, unusable(err)
	}
	if err := c.check(t.Dim()); err != nil {
		return nil, unusable(err)
	}
	return &c, nil
}

func unusable(err error) error {
	return fmt.Errorf("%w: %w; make it again with kd train text", ErrNoClassifier, err)
}

func readFloats(t *kdcode.Table, name string, shape ...int) ([]float32, error) {
	raw, err := t.Tensor(name)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(raw.Shape, shape) {
		return nil, fmt.Errorf("tensor %q has the shape %v, but the labels and the table need %v", name, raw.Shape, shape)
	}
	values, err := raw.Floats()
	if err != nil {
		return nil, fmt.Errorf("tensor %q: %w", name, err)
	}
	return values, nil
}
