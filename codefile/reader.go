package codefile

import (
	"bytes"
	"fmt"

	"github.com/kdcode/kdcode/internal/bitpack"
)

// Reader reads the parts of a code file from its bytes, which may be a memory
// map: they are aliased, not copied, and only the header is read at first.
type Reader struct {
	*Header
	data    []byte
	symbols symbolTable
	codes   []byte // from the first code to the end of the file
	row     int    // bytes of a code
	width   int    // bits of a digit
}

// NewReader checks the header of the code file that data holds.
func NewReader(data []byte) (*Reader, error) {
	h, err := ReadHeader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	r := &Reader{Header: h, data: data, width: bitpack.Width(h.K)}
	r.row = bitpack.RowBytes(h.D, r.width)
	t, _ := h.file.Tensor(tensorCodes)
	r.codes = data[t.Offset:]
	if h.HasSymbols {
		r.symbols = symbolTable{blob: r.bytes(tensorSymbols), offsets: r.bytes(tensorOffsets), index: r.bytes(tensorIndex)}
	}
	return r, nil
}

// bytes returns the bytes of a tensor, or nil.
func (r *Reader) bytes(name string) []byte {
	t, ok := r.file.Tensor(name)
	if !ok {
		return nil
	}
	return r.data[t.Offset : t.Offset+t.Size : t.Offset+t.Size]
}

// Codes returns the codes, which alias the file's bytes.
func (r *Reader) Codes() Codes {
	return Codes{K: r.K, D: r.D, Packed: r.codes[: r.N*r.row : r.N*r.row]}
}

// Digits unpacks code id, which must be in [0, N), into dst, which holds D
// digits. Digits are as stored: they may be ≥ K in a damaged file.
func (r *Reader) Digits(dst []uint16, id int) {
	bitpack.Unpack(dst[:r.D], r.CodeBytes(id), r.width)
}

// CodeBytes returns the file from code id on, which must be in [0, N): the
// code and what follows it, since unpacking is fastest where it may read a few
// bytes beyond.
func (r *Reader) CodeBytes(id int) []byte { return r.codes[id*r.row:] }

// Width returns the bits of a digit.
func (r *Reader) Width() int { return r.width }

// RowBytes returns the bytes of one packed code.
func (r *Reader) RowBytes() int { return r.row }

// Embeddings decodes the code embeddings into rows of stride floats, in the
// order of the file; the floats beyond d' are left as they are.
func (r *Reader) Embeddings(dst []float32, stride int) {
	stored, scale := r.bytes(tensorEmbeddings), r.scales()
	rows := r.EmbeddingRows()
	size := len(stored) / rows
	for i := range rows {
		row := dst[i*stride:][:r.CodeDim]
		decodeRow(row, stored[i*size:][:size], r.DType)
		scale.apply(row, i)
	}
}

// EmbeddingRows returns the number of code embeddings: D·K, or K if shared.
func (r *Reader) EmbeddingRows() int { return r.embeddings().sets(r.D) * r.K }

// scales are the factors of int8 code embeddings, broadcast along the axes
// where their shape has 1: there the step is 0.
type scales struct {
	values                      []float32
	ways                        int
	setStep, wayStep, valueStep int
}

func (r *Reader) scales() *scales {
	t, ok := r.file.Tensor(tensorScale)
	if !ok {
		return nil
	}
	shape := t.Shape
	if r.Shared {
		shape = append([]int{1}, shape...)
	}
	step := func(axis, step int) int {
		if shape[axis] == 1 {
			return 0
		}
		return step
	}
	return &scales{values: bytesFloats(r.bytes(tensorScale)), ways: r.K,
		setStep: step(0, shape[1]*shape[2]), wayStep: step(1, shape[2]), valueStep: step(2, 1)}
}

// apply multiplies the decoded code embedding i by its scales.
func (s *scales) apply(row []float32, i int) {
	if s == nil {
		return
	}
	at := i/s.ways*s.setStep + i%s.ways*s.wayStep
	for c := range row {
		row[c] *= s.values[at+c*s.valueStep]
	}
}

// floats returns a copy of a float32 tensor of the composition, or nil.
func (r *Reader) floats(name string) []float32 {
	b := r.bytes(name)
	if b == nil {
		return nil
	}
	return bytesFloats(b)
}

// Projection returns H and b; either may be nil.
func (r *Reader) Projection() (h, b []float32) {
	return r.floats(tensorProjection), r.floats(tensorBias)
}

// LSTM returns the weights of an LSTM composition, or nil.
func (r *Reader) LSTM() *LSTM {
	if r.Composition != Recur {
		return nil
	}
	return &LSTM{Hidden: r.hidden, Recurrent: r.floats(tensorRecurrent), Bias: r.floats(tensorLSTMBias),
		Input: r.floats(tensorInput), State: r.floats(tensorState)}
}

// Symbol returns symbol id, which must be in [0, N), aliasing the file's
// bytes. The file must have symbols.
func (r *Reader) Symbol(id int) ([]byte, error) { return r.symbols.symbol(id) }

// ID returns the id of a symbol.
func (r *Reader) ID(symbol string) (int, bool) {
	if !r.HasSymbols {
		return 0, false
	}
	return r.symbols.find(symbol, r.N)
}

// Tensor returns a tensor of the file, further ones and the table's own
// alike. Its data alias the file's bytes.
func (r *Reader) Tensor(name string) (Tensor, error) {
	t, ok := r.file.Tensor(name)
	if !ok {
		return Tensor{}, fmt.Errorf("%w: tensor %q; there are %q", ErrNotFound, name, r.Header.Tensors)
	}
	return Tensor{DType: string(t.DType), Shape: t.Shape, Data: r.bytes(name)}, nil
}
