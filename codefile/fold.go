package codefile

import "fmt"

// Fold returns the affine model as a sum: since H·Σ_j W^j[c_j] + b is
// Σ_j (H·W^j[c_j] + b/D), the code embeddings take the projection and the bias
// in. Lookup is then faster, and the file larger only if d > d'.
func (m *Model) Fold() (*Model, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	if m.Composition != Affine {
		return nil, fmt.Errorf("%w: only the composition affine can be folded into a sum, not %s", ErrModel, m.Composition)
	}
	return m.fold(), nil
}

// fold is Fold of a checked affine model.
func (m *Model) fold() *Model {
	f := m.clone()
	if f.TrainedParameters == 0 {
		f.TrainedParameters = m.parameters()
	}
	f.Composition, f.Projection, f.Bias = Sum, nil, nil
	codeDim, dim := m.Embeddings.Dim, m.Dim()
	f.Embeddings.Dim = dim
	f.Embeddings.Values = make([]float32, len(m.Embeddings.Values)/codeDim*dim)
	for row := 0; row*codeDim < len(m.Embeddings.Values); row++ {
		w := m.Embeddings.Values[row*codeDim:][:codeDim]
		v := f.Embeddings.Values[row*dim:][:dim]
		for i := range v {
			sum := 0.0
			for c, x := range m.Projection[i*codeDim:][:codeDim] {
				sum += float64(x) * float64(w[c])
			}
			if m.Bias != nil {
				sum += float64(m.Bias[i]) / float64(m.Codes.D)
			}
			v[i] = float32(sum)
		}
	}
	return f
}

// foldWhereNoLarger folds an affine model whose file does not grow by it, and
// whose products their type can hold.
func (m *Model) foldWhereNoLarger() *Model {
	if m.Composition != Affine {
		return m
	}
	e := m.Embeddings
	affine := e.bytes(m.Codes.K) + 4*int64(len(m.Projection)+len(m.Bias))
	e.Values = make([]float32, len(e.Values)/e.Dim*m.Dim())
	e.Dim = m.Dim()
	if e.bytes(m.Codes.K) > affine {
		return m
	}
	f := m.fold()
	if f.Embeddings.check(m.Codes.K, m.Codes.D) != nil {
		return m
	}
	return f
}
