package learn

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/kdcode/kdcode/codefile"
)

// Stored is a layer made of a code file's content: codes learned beforehand,
// by package quantize or another training. The codes stay. The code embeddings
// stay too, or are trained on from where they are: [Stored.Train]. To learn code
// embeddings anew, with batch norms, use [KD.Codes].
type Stored struct {
	m     *codefile.Model
	train bool
}

// NewStored returns the layer of a model, whose composition is a sum, an affine
// map or a concatenation. (The content of a file: [codefile.Reader.Model].)
func NewStored(m *codefile.Model) (*Stored, error) {
	l := &Stored{m: m}
	if err := l.Check(); err != nil {
		return nil, err
	}
	return l, nil
}

// Train says whether the code embeddings, H and b are trained.
func (l *Stored) Train(train bool) *Stored { l.train = train; return l }

// Symbols returns N.
func (l *Stored) Symbols() int { return l.m.Codes.N() }

// Dim returns d.
func (l *Stored) Dim() int { return l.m.Dim() }

// Size returns the layer's size by the paper's count, of the parameters stored.
func (l *Stored) Size() Size {
	m := l.m
	return Size{
		Parameters: int64(len(m.Embeddings.Values) + len(m.Projection) + len(m.Bias)),
		CodeBits:   codeBits(l.Symbols(), m.Codes.K, m.Codes.D),
		Symbols:    l.Symbols(),
		Dim:        l.Dim(),
	}
}

// Check returns an error unless the model can be a layer.
func (l *Stored) Check() error {
	m := l.m
	e, rows := m.Embeddings, m.Codes.K*m.Codes.D
	if e.Shared {
		rows = m.Codes.K
	}
	switch m.Composition {
	case codefile.Sum, codefile.Concat, codefile.Affine:
	default:
		return fmt.Errorf("learn: a layer cannot start from the composition %s: use the file's codes alone, by KD.Codes", m.Composition)
	}
	if m.Codes.D < 1 || e.Dim < 1 || rows*e.Dim != len(e.Values) {
		return fmt.Errorf("learn: %d numbers are not %d code embeddings of width %d", len(e.Values), rows, e.Dim)
	}
	if m.Composition == codefile.Affine && (len(m.Projection) == 0 || len(m.Projection)%e.Dim != 0) {
		return fmt.Errorf("learn: a projection of %d numbers does not fit code embeddings of width %d", len(m.Projection), e.Dim)
	}
	if m.Bias != nil && len(m.Bias) != l.Dim() {
		return fmt.Errorf("learn: %d biases for embeddings of width %d", len(m.Bias), l.Dim())
	}
	return checkShape(l.Symbols(), l.Dim())
}

// Embed builds the embeddings of a batch's symbols: see [Embedding].
func (l *Stored) Embed(scope *model.Scope, s Symbols) *Node {
	if err := l.Check(); err != nil {
		panic(err)
	}
	m := l.m
	chosen := l.chosen(scope, s) // [U, D, d']
	if m.Composition == codefile.Concat {
		return s.place(Reshape(chosen, chosen.Shape().Dimensions[0], l.Dim()))
	}
	v := ReduceSum(chosen, 1)
	if m.Composition == codefile.Affine {
		v = Einsum("uc,dc->ud", v, l.part(scope, "projection", m.Projection, l.Dim(), m.Embeddings.Dim).NodeValue(v.Graph()))
	}
	if m.Bias != nil {
		v = Add(v, rowOf(l.part(scope, "bias", m.Bias, l.Dim()).NodeValue(v.Graph()), v))
	}
	return s.place(v)
}

// chosen returns the code embeddings of the batch's codes. They are gathered:
// the codes do not change, so that no gradient has to pass through one-hots.
func (l *Stored) chosen(scope *model.Scope, s Symbols) *Node {
	g, c, e := s.IDs.Graph(), l.m.Codes, l.m.Embeddings
	rows := len(e.Values) / e.Dim // D·K, or K
	w := l.part(scope, "code_embeddings", e.Values, rows, e.Dim).NodeValue(g)
	codes := fixedCodes(scope, s, &c) // [U, D]
	if !e.Shared {
		set := Iota(g, withDims(codes, 1, c.D), 1)
		codes = Add(codes, MulScalar(set, c.K))
	}
	return Gather(w, InsertAxes(codes, -1))
}

// part returns a variable that starts at the stored values.
func (l *Stored) part(scope *model.Scope, name string, values []float32, dims ...int) *model.Variable {
	return given(scope, name, values, dims...).SetTrainable(l.train)
}

// CodesAndEntropy returns the codes, which are decided.
func (l *Stored) CodesAndEntropy(*model.Scope) (codefile.Codes, float64, error) {
	return l.m.Codes, 0, nil
}

// Export returns the layer as the content of a code file. Numbers are stored as
// float32, whatever they were.
func (l *Stored) Export(scope *model.Scope) (*codefile.Model, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	e := codefile.Embeddings{Dim: l.m.Embeddings.Dim, Shared: l.m.Embeddings.Shared}
	m := &codefile.Model{
		Codes:             l.m.Codes,
		Composition:       l.m.Composition,
		TrainedParameters: l.Size().Parameters,
		Metadata:          map[string]string{"made_by": "kdcode/learn", "layer": "stored"},
	}
	parts := []storedPart{{"code_embeddings", &e.Values, []int{len(l.m.Embeddings.Values) / e.Dim, e.Dim}}}
	if l.m.Composition == codefile.Affine {
		parts = append(parts, storedPart{"projection", &m.Projection, []int{l.Dim(), e.Dim}})
	}
	if l.m.Bias != nil {
		parts = append(parts, storedPart{"bias", &m.Bias, []int{l.Dim()}})
	}
	if err := readParts(scope, parts); err != nil {
		return nil, err
	}
	m.Embeddings = e
	return m, nil
}
