package codefile

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"strconv"

	"github.com/kdcode/kdcode/internal/atomicfile"
	"github.com/kdcode/kdcode/internal/safetensors"
)

// WriteFile writes the model to the file at path. The file appears whole or
// not at all: until it is complete and synced, an old one stays in place.
func WriteFile(path string, m *Model) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	if _, err := m.WriteTo(w); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return f.Commit()
}

// WriteTo writes the model as a code file. An affine composition is folded
// into a sum where that makes the file no larger.
func (m *Model) WriteTo(w io.Writer) (int64, error) {
	if err := m.check(); err != nil {
		return 0, err
	}
	m = m.foldWhereNoLarger()
	tensors, err := m.tensors()
	if err != nil {
		return 0, err
	}
	header, err := m.header(tensors)
	if err != nil {
		return 0, err
	}
	n, err := header.WriteTo(w)
	for _, t := range header.Tensors {
		if err != nil {
			break
		}
		var k int
		k, err = w.Write(tensors[t.Name].Data)
		n += int64(k)
	}
	return n, err
}

// tensors returns everything that the file will hold.
func (m *Model) tensors() (map[string]Tensor, error) {
	all := maps.Clone(m.Tensors)
	if all == nil {
		all = map[string]Tensor{}
	}
	k, d := m.Codes.K, m.Codes.D
	all[tensorCodes] = Tensor{string(safetensors.U8), []int{m.Codes.N(), m.Codes.RowBytes()}, m.Codes.Packed}

	values, scales := m.Embeddings.encode(k)
	all[tensorEmbeddings] = Tensor{string(tensorTypes[m.Embeddings.dtype()]), m.Embeddings.shape(k, d), values}
	if scales != nil {
		all[tensorScale] = Tensor{string(safetensors.F32), m.Embeddings.scaleShape(k, d), scales}
	}
	if m.Projection != nil {
		all[tensorProjection] = FloatTensor(m.Projection, m.Dim(), m.summedDim())
	}
	if m.Bias != nil {
		all[tensorBias] = FloatTensor(m.Bias, m.Dim())
	}
	if l := m.LSTM; l != nil {
		all[tensorRecurrent] = FloatTensor(l.Recurrent, 4, l.Hidden, l.Hidden)
		all[tensorLSTMBias] = FloatTensor(l.Bias, 4, l.Hidden)
		if l.Input != nil {
			all[tensorInput] = FloatTensor(l.Input, 4, m.Embeddings.Dim, l.Hidden)
		}
		if l.State != nil {
			all[tensorState] = FloatTensor(l.State, 2, l.Hidden)
		}
	}
	if len(m.Symbols) > 0 {
		t, err := encodeSymbols(m.Symbols)
		if err != nil {
			return nil, err
		}
		all[tensorSymbols] = BytesTensor(t.blob)
		all[tensorOffsets] = Tensor{string(safetensors.I64), []int{len(t.offsets) / 8}, t.offsets}
		all[tensorIndex] = Tensor{string(safetensors.I32), []int{len(t.index) / 4}, t.index}
	}
	return all, nil
}

func (e *Embeddings) dtype() DType {
	if e.DType == "" {
		return Float32
	}
	return e.DType
}

// header returns the header of a file of those tensors, checksums included.
func (m *Model) header(tensors map[string]Tensor) (*safetensors.Header, error) {
	metadata := maps.Clone(m.Metadata)
	if metadata == nil {
		metadata = map[string]string{}
	}
	metadata[keyFormat] = formatName
	metadata[keyVersion] = strconv.Itoa(Version)
	metadata[keyWays] = strconv.Itoa(m.Codes.K)
	metadata[keyCodeLength] = strconv.Itoa(m.Codes.D)
	metadata[keyDim] = strconv.Itoa(m.Dim())
	metadata[keyCodeDim] = strconv.Itoa(m.Embeddings.Dim)
	metadata[keyComposition] = string(m.Composition)
	if m.TrainedParameters > 0 {
		metadata[keyParameters] = strconv.FormatInt(m.TrainedParameters, 10)
	}
	metadata[keyHeaderSum] = noSum

	entries := make([]safetensors.Tensor, 0, len(tensors))
	for name, t := range tensors {
		e, err := t.entry(name)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
		metadata[prefixSum+name] = checksum(t.Data)
	}
	h, err := safetensors.NewHeader(metadata, entries)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrModel, err)
	}
	sum, err := headerSum(h.JSON, noSum)
	if err != nil {
		return nil, err
	}
	field := []byte(`"` + keyHeaderSum + `":"`)
	copy(h.JSON[bytes.Index(h.JSON, field)+len(field):], sum)
	return h, nil
}
