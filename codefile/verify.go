package codefile

import "fmt"

// Verify reads the whole file: every checksum, every digit, and that every
// symbol is found under its id.
func (r *Reader) Verify() error {
	for _, t := range r.file.Tensors {
		if checksum(r.bytes(t.Name)) != r.file.Metadata[prefixSum+t.Name] {
			return fmt.Errorf("%w: the tensor %q (offset %d, %d bytes) does not match its checksum; copy or make the file again", ErrDamaged, t.Name, t.Offset, t.Size)
		}
	}
	if err := r.Codes().checkDigits(); err != nil {
		return fmt.Errorf("%w; make the file again", err)
	}
	if !r.HasSymbols {
		return nil
	}
	for id := range r.N {
		s, err := r.Symbol(id)
		if err != nil {
			return err
		}
		if found, ok := r.ID(string(s)); !ok || found != id {
			return fmt.Errorf("%w: the index does not lead to symbol %d, %q; make the file again", ErrDamaged, id, s)
		}
	}
	return nil
}

// Model returns all that the file holds, copied into memory.
func (r *Reader) Model() (*Model, error) {
	m := &Model{Codes: r.Codes(), Composition: r.Composition, LSTM: r.LSTM(), TrainedParameters: r.TrainedParameters, Metadata: r.Metadata}
	m.Codes.Packed = append([]byte(nil), m.Codes.Packed...)
	m.Embeddings = *r.embeddings()
	m.Embeddings.Values = make([]float32, r.EmbeddingRows()*r.CodeDim)
	r.Embeddings(m.Embeddings.Values, r.CodeDim)
	m.Projection, m.Bias = r.Projection()
	if r.HasSymbols {
		m.Symbols = make([]string, r.N)
		for id := range m.Symbols {
			s, err := r.Symbol(id)
			if err != nil {
				return nil, err
			}
			m.Symbols[id] = string(s)
		}
	}
	m.Tensors = map[string]Tensor{}
	for _, name := range r.Header.Tensors {
		t, err := r.Tensor(name)
		if err != nil {
			return nil, err
		}
		t.Data = append([]byte(nil), t.Data...)
		m.Tensors[name] = t
	}
	return m, nil
}
