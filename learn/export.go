package learn

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/kdcode/kdcode/codefile"
)

// Exporter is an [Embedding] that can be written as a code file.
type Exporter interface {
	Embedding

	// Export returns the trained layer, its variables below scope, as the
	// content of a code file: Table.Lookup gives what the layer gives in
	// evaluation. Batch norms are folded into the code embeddings.
	Export(scope *model.Scope) (*codefile.Model, error)
}

// Export returns the trained layer as the content of a code file.
func (l *KD) Export(scope *model.Scope) (*codefile.Model, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	codes, err := l.LearnedCodes(scope)
	if err != nil {
		return nil, err
	}
	f := l.composer()
	m := &codefile.Model{
		Codes:             codes,
		TrainedParameters: f.parameters(),
		Metadata:          map[string]string{"made_by": "kdcode/learn", "layer": "kd", "relaxation": l.relaxation.String(), "learned_composition": f.kind.String()},
	}
	if err := f.export(m, scope); err != nil {
		return nil, err
	}
	return m, nil
}

// export fills in the code embeddings and the composition.
func (c *composer) export(m *codefile.Model, scope *model.Scope) error {
	w, err := Values(scope, "code_embeddings", c.embeddingsShape()...)
	if err != nil {
		return err
	}
	norm, err := c.affineOf(scope, "embedding_norm", c.dim)
	if err != nil {
		return err
	}
	m.Embeddings = codefile.Embeddings{Values: w, Dim: c.codeDim, Shared: c.shared}
	switch {
	case c.kind == Concat:
		m.Composition = codefile.Concat
		c.foldConcat(m, norm)
		return nil
	case c.kind == LSTM || c.kind == PaperLSTM:
		return c.exportLSTM(m, scope, norm)
	case c.projects():
		return c.exportAffine(m, scope, norm)
	}
	m.Composition = codefile.Sum
	for i, x := range w {
		at := i % c.codeDim
		w[i] = float32(norm.scale[at]*float64(x)*c.factor() + norm.offset[at]/float64(c.length))
	}
	return nil
}

// factor returns what a sum over the D digits is multiplied with.
func (c *composer) factor() float64 {
	if c.kind == Mean || c.kind == LSTM {
		return 1 / float64(c.length)
	}
	return 1
}

// foldConcat applies the embedding's norm to code embeddings side by side. A
// shared set becomes one a digit, where the norm differs from digit to digit.
func (c *composer) foldConcat(m *codefile.Model, norm affine) {
	if !c.norm {
		return
	}
	e, set := &m.Embeddings, c.ways*c.codeDim
	if e.Shared {
		w := make([]float32, 0, c.length*set)
		for range c.length {
			w = append(w, e.Values...)
		}
		e.Values, e.Shared = w, false
	}
	for i, x := range e.Values {
		at := i/set*c.codeDim + i%c.codeDim
		e.Values[i] = float32(norm.scale[at]*float64(x) + norm.offset[at])
	}
}

// exportAffine folds both norms and the division by D into H and b.
func (c *composer) exportAffine(m *codefile.Model, scope *model.Scope, norm affine) error {
	before, err := c.affineOf(scope, "code_norm", c.codeDim)
	if err != nil {
		return err
	}
	h, err := Values(scope, "projection", c.codeDim, c.dim)
	if err != nil {
		return err
	}
	b, err := Values(scope, "bias", c.dim)
	if err != nil {
		return err
	}
	m.Composition = codefile.Affine
	m.Projection = make([]float32, c.dim*c.codeDim)
	m.Bias = make([]float32, c.dim)
	for i := range c.dim {
		bias := float64(b[i])
		for j := range c.codeDim {
			x := float64(h[j*c.dim+i])
			bias += x * before.offset[j]
			m.Projection[i*c.codeDim+j] = float32(norm.scale[i] * x * before.scale[j] * c.factor())
		}
		m.Bias[i] = float32(norm.scale[i]*bias + norm.offset[i])
	}
	return nil
}

// exportLSTM folds the norm and the division by D into H and b.
func (c *composer) exportLSTM(m *codefile.Model, scope *model.Scope, norm affine) error {
	at := scope.At("lstm")
	m.Composition = codefile.Recur
	m.LSTM = &codefile.LSTM{Hidden: c.hidden}
	parts := []storedPart{
		{"recurrent", &m.LSTM.Recurrent, []int{4, c.hidden, c.hidden}},
		{"bias", &m.LSTM.Bias, []int{4, c.hidden}},
	}
	if c.kind == LSTM {
		parts = append(parts,
			storedPart{"input", &m.LSTM.Input, []int{4, c.codeDim, c.hidden}},
			storedPart{"state", &m.LSTM.State, []int{2, c.hidden}})
	}
	if err := readParts(at, parts); err != nil {
		return err
	}
	return c.foldLSTM(m, scope, norm)
}

func (c *composer) foldLSTM(m *codefile.Model, scope *model.Scope, norm affine) error {
	if !c.projects() && !c.norm {
		return nil
	}
	h := func(j, i int) float64 { // the identity, where f has no H of its own
		if j == i {
			return 1
		}
		return 0
	}
	if c.projects() {
		values, err := Values(scope, "projection", c.hidden, c.dim)
		if err != nil {
			return err
		}
		h = func(j, i int) float64 { return float64(values[j*c.dim+i]) }
	}
	m.Projection = make([]float32, c.dim*c.hidden)
	for i := range c.dim {
		for j := range c.hidden {
			m.Projection[i*c.hidden+j] = float32(norm.scale[i] * h(j, i) * c.factor())
		}
	}
	if c.norm {
		m.Bias = make([]float32, c.dim)
		for i, x := range norm.offset {
			m.Bias[i] = float32(x)
		}
	}
	return nil
}

// affine is what a batch norm is in evaluation: scale·x + offset.
type affine struct{ scale, offset []float64 }

// identity returns the norm of n features that changes nothing.
func identity(n int) affine { return affine{slices.Repeat([]float64{1}, n), make([]float64, n)} }

// affineOf returns the composition's batch norm of that name, the identity
// where the composition has none.
func (c *composer) affineOf(scope *model.Scope, name string, n int) (affine, error) {
	if !c.norm {
		return identity(n), nil
	}
	return normOf(scope.At("%s", name), n, true)
}

// normOf reads a batch norm.
func normOf(scope *model.Scope, n int, trained bool) (affine, error) {
	a := identity(n)
	mean, err := Values(scope, normMean, n)
	if err != nil {
		return a, err
	}
	variance, err := Values(scope, normVariance, n)
	if err != nil {
		return a, err
	}
	scale, offset := slices.Repeat([]float32{1}, n), make([]float32, n)
	if trained {
		if scale, err = Values(scope, "scale", n); err != nil {
			return a, err
		}
		if offset, err = Values(scope, "offset", n); err != nil {
			return a, err
		}
	}
	for i := range n {
		a.scale[i] = float64(scale[i]) / math.Sqrt(float64(variance[i])+normEpsilon)
		a.offset[i] = float64(offset[i]) - float64(mean[i])*a.scale[i]
	}
	return a, nil
}

// storedPart is a part of a code file, and the variable whose values it has.
type storedPart struct {
	name string
	to   *[]float32
	dims []int
}

// readParts fills in parts of a code file.
func readParts(scope *model.Scope, parts []storedPart) error {
	for _, p := range parts {
		var err error
		if *p.to, err = Values(scope, p.name, p.dims...); err != nil {
			return err
		}
	}
	return nil
}

// Values returns a copy of a variable's values. Where its shape is given, another
// is an error.
func Values(scope *model.Scope, name string, dims ...int) ([]float32, error) {
	v, err := valueOf(scope, name, dims...)
	if err != nil {
		return nil, err
	}
	return tensors.CopyFlatData[float32](v)
}

// valueOf returns a variable's tensor. Where its shape is given, another is an
// error.
func valueOf(scope *model.Scope, name string, dims ...int) (*tensors.Tensor, error) {
	v := scope.GetVariable(name)
	if v == nil {
		return nil, fmt.Errorf("learn: there is no variable %s: is the layer in another scope, or not trained yet?", model.JoinPath(scope.Scope(), name))
	}
	if len(dims) > 0 && !slices.Equal(v.Shape().Dimensions, dims) {
		return nil, fmt.Errorf("learn: the variable %s has the shape %v, not %v: has the layer other settings than the trained one?", v.Path(), v.Shape().Dimensions, dims)
	}
	return v.Value()
}
