package quantize

import (
	"bytes"
	"fmt"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/simd"
)

// decoded are the vectors of a model, as they come back from its file.
type decoded struct {
	codes  codefile.Codes
	W      []float32 // [D, K, d'], padded rows of stride floats
	stride int
	part   int // d'
	concat bool
}

// decode returns the vectors of a model after its numbers were stored in its
// DType: a Source. The composition is a sum, affine or concat.
func decode(m *codefile.Model) (*decoded, error) {
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		return nil, err
	}
	r, err := codefile.NewReader(file.Bytes())
	if err != nil {
		return nil, err
	}
	if m, err = r.Model(); err != nil {
		return nil, err
	}
	if m, err = asSum(m); err != nil {
		return nil, err
	}
	d := &decoded{codes: m.Codes, part: m.Embeddings.Dim, stride: simd.Stride(m.Embeddings.Dim), concat: m.Composition == codefile.Concat}
	d.W = simd.AlignedFloats(len(m.Embeddings.Values) / d.part * d.stride)
	for i := 0; i*d.part < len(m.Embeddings.Values); i++ {
		copy(d.W[i*d.stride:], m.Embeddings.Values[i*d.part:][:d.part])
	}
	return d, nil
}

// asSum returns the model with an affine map folded into the code embeddings,
// and a shared set of them repeated for each digit.
func asSum(m *codefile.Model) (*codefile.Model, error) {
	switch m.Composition {
	case codefile.Affine:
		var err error
		if m, err = m.Fold(); err != nil {
			return nil, err
		}
	case codefile.Recur:
		return nil, fmt.Errorf("%w: codes of an lstm composition are learned with a task, by kd train", ErrInput)
	}
	if m.Embeddings.Shared {
		own := *m
		own.Embeddings.Shared = false
		own.Embeddings.Values = nil
		for range m.Codes.D {
			own.Embeddings.Values = append(own.Embeddings.Values, m.Embeddings.Values...)
		}
		m = &own
	}
	return m, nil
}

func (d *decoded) Len() int { return d.codes.N() }

func (d *decoded) Dim() int {
	if d.concat {
		return d.part * d.codes.D
	}
	return d.part
}

func (d *decoded) Rows(dst []float32, first, n int) error {
	digits := make([]uint16, d.codes.D)
	width := d.Dim()
	for i := range n {
		d.codes.Get(digits, first+i)
		row := dst[i*width:][:width]
		if !d.concat {
			simd.SumRows(row, d.W, d.stride, d.codes.K, digits)
			continue
		}
		for j, k := range digits {
			copy(row[j*d.part:][:d.part], d.W[(j*d.codes.K+int(k))*d.stride:])
		}
	}
	return nil
}

// relativeError is Σ‖v−v̂‖² / Σ‖v‖² of a model.
func relativeError(src Source, m *codefile.Model) (float64, error) {
	back, err := decode(m)
	if err != nil {
		return 0, err
	}
	var l loss
	err = eachPair(src, back, func(v, w []float32) error { l.add(v, w); return nil })
	return l.relative(), err
}
