package codefile

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/kdcode/kdcode/internal/safetensors"
)

// The names of the tensors that make up a table. All other names are free.
const (
	tensorCodes      = "codes"                 // U8 [N, row bytes]
	tensorEmbeddings = "code_embeddings"       // F32, F16 or I8 [D, K, d'] or [K, d']
	tensorScale      = "code_embeddings.scale" // F32, axes of the embeddings or 1
	tensorProjection = "projection"            // F32 H [d, d'] or [d, h]
	tensorBias       = "bias"                  // F32 b [d]
	tensorRecurrent  = "lstm.recurrent"        // F32 U [4, h, h]
	tensorLSTMBias   = "lstm.bias"             // F32 [4, h]
	tensorInput      = "lstm.input"            // F32 V [4, d', h]
	tensorState      = "lstm.state"            // F32 [2, h]
	tensorSymbols    = "symbols"               // U8 [bytes]
	tensorOffsets    = "symbols.offsets"       // I64 [⌈N/8⌉]
	tensorIndex      = "symbols.index"         // I32 [slots]
)

var reservedTensors = []string{tensorCodes, tensorEmbeddings, tensorScale, tensorProjection, tensorBias,
	tensorRecurrent, tensorLSTMBias, tensorInput, tensorState, tensorSymbols, tensorOffsets, tensorIndex}

// parameterTensors are those that Size counts as parameters.
var parameterTensors = []string{tensorEmbeddings, tensorScale, tensorProjection, tensorBias,
	tensorRecurrent, tensorLSTMBias, tensorInput, tensorState}

// symbolTensors are those that Size counts as symbols.
var symbolTensors = []string{tensorSymbols, tensorOffsets, tensorIndex}

// Tensor is a further tensor in a code file: a classifier's weights, say.
type Tensor struct {
	DType string // a safetensors type: "F32", "U8", "I64", …
	Shape []int
	Data  []byte // little-endian, row-major
}

// FloatTensor returns a float32 tensor of that shape.
func FloatTensor(values []float32, shape ...int) Tensor {
	return Tensor{DType: string(safetensors.F32), Shape: shape, Data: floatBytes(values)}
}

// BytesTensor returns a tensor of bytes, for what is not numbers.
func BytesTensor(b []byte) Tensor {
	return Tensor{DType: string(safetensors.U8), Shape: []int{len(b)}, Data: b}
}

// Floats returns the values of a float32 tensor.
func (t Tensor) Floats() ([]float32, error) {
	if t.DType != string(safetensors.F32) {
		return nil, fmt.Errorf("a tensor of %s, not F32", t.DType)
	}
	return bytesFloats(t.Data), nil
}

// Int64s returns the values of an int64 tensor.
func (t Tensor) Int64s() ([]int64, error) {
	if t.DType != string(safetensors.I64) {
		return nil, fmt.Errorf("a tensor of %s, not I64", t.DType)
	}
	values := make([]int64, len(t.Data)/8)
	for i := range values {
		values[i] = int64(binary.LittleEndian.Uint64(t.Data[8*i:]))
	}
	return values, nil
}

// entry returns the tensor's entry in a header, sized by its shape.
func (t Tensor) entry(name string) (safetensors.Tensor, error) {
	e := safetensors.Tensor{Name: name, DType: safetensors.DType(t.DType), Shape: slices.Clone(t.Shape)}
	size, err := e.DType.Size()
	if err != nil {
		return e, fmt.Errorf("%w: tensor %q: %v", ErrModel, name, err)
	}
	want := int64(size)
	for _, s := range t.Shape {
		if s < 0 || s > 0 && want > math.MaxInt64/int64(s) {
			return e, fmt.Errorf("%w: tensor %q has the shape %v", ErrModel, name, t.Shape)
		}
		want *= int64(s)
	}
	if want != int64(len(t.Data)) {
		return e, fmt.Errorf("%w: tensor %q of %s and shape %v takes %d bytes, not %d", ErrModel, name, t.DType, t.Shape, want, len(t.Data))
	}
	return e, nil
}
