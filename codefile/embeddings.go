package codefile

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/x448/float16"

	"github.com/kdcode/kdcode/internal/safetensors"
)

// DType is how code embeddings are stored.
type DType string

const (
	Float32 DType = "float32"
	Float16 DType = "float16"
	Int8    DType = "int8" // times a float32 scale
)

// DTypes are all storage types.
var DTypes = []DType{Float32, Float16, Int8}

// ParseDType returns the storage type of that name.
func ParseDType(name string) (DType, error) {
	for _, t := range DTypes {
		if string(t) == name {
			return t, nil
		}
	}
	return "", fmt.Errorf("code embeddings as %q: none of %v", name, DTypes)
}

var tensorTypes = map[DType]safetensors.DType{Float32: safetensors.F32, Float16: safetensors.F16, Int8: safetensors.I8}

// Embeddings are the code embeddings W: one vector of width d' for each value
// of each digit, or for each value alone when all digits share one set.
type Embeddings struct {
	Values []float32 // [D, K, d'], or [K, d'] if Shared
	Dim    int       // d'
	Shared bool
	DType  DType // how Values are stored; empty is Float32
}

// sets returns the number of sets of K code embeddings.
func (e *Embeddings) sets(d int) int {
	if e.Shared {
		return 1
	}
	return d
}

func (e *Embeddings) check(k, d int) error {
	switch e.DType {
	case "", Float32, Float16, Int8:
	default:
		return fmt.Errorf("%w: code embeddings as %q: none of %v", ErrModel, e.DType, DTypes)
	}
	if want := e.sets(d) * k * e.Dim; e.Dim < 1 || len(e.Values) != want {
		return fmt.Errorf("%w: %d code embedding values of width %d instead of %d", ErrModel, len(e.Values), e.Dim, want)
	}
	if err := checkFinite("code embeddings", e.Values); err != nil {
		return err
	}
	for i, v := range e.Values {
		if e.DType == Float16 && math.Abs(float64(v)) > 65504 {
			return fmt.Errorf("%w: value %d of the code embeddings, %v, is too large for float16: store them as float32 or int8", ErrModel, i, v)
		}
	}
	return nil
}

// checkFinite returns an error that names the first of the values that is not
// a finite number.
func checkFinite(name string, values []float32) error {
	for i, v := range values {
		if v-v != 0 {
			return fmt.Errorf("%w: value %d of the %s is %v", ErrModel, i, name, v)
		}
	}
	return nil
}

// shape returns the tensor's shape.
func (e *Embeddings) shape(k, d int) []int {
	if e.Shared {
		return []int{k, e.Dim}
	}
	return []int{d, k, e.Dim}
}

// scaleGroup returns how many consecutive values share a scale in a file that
// we write: one code embedding, or a whole set where embeddings are so narrow
// that a scale each would cost more than it brings (product quantization).
func (e *Embeddings) scaleGroup(k int) int {
	if e.Dim < 16 {
		return k * e.Dim
	}
	return e.Dim
}

// scaleShape returns the shape of the scales: that of the embeddings with 1
// for each axis along which values share a scale.
func (e *Embeddings) scaleShape(k, d int) []int {
	s := e.shape(k, d)
	s[len(s)-1] = 1
	if e.Dim < 16 {
		s[len(s)-2] = 1
	}
	return s
}

// bytes returns the size of the embeddings as stored, scales included.
func (e *Embeddings) bytes(k int) int64 {
	n := int64(len(e.Values))
	switch e.DType {
	case Float16:
		return 2 * n
	case Int8:
		return n + 4*n/int64(e.scaleGroup(k))
	}
	return 4 * n
}

// encode returns the stored values, and the scales of int8 ones.
func (e *Embeddings) encode(k int) (values, scales []byte) {
	switch e.DType {
	case Float16:
		for _, v := range e.Values {
			values = binary.LittleEndian.AppendUint16(values, float16.Fromfloat32(v).Bits())
		}
		return values, nil
	case Int8:
		return e.encodeInt8(e.scaleGroup(k))
	}
	return floatBytes(e.Values), nil
}

// encodeInt8 stores each group of consecutive values as integers in
// [-127, 127] times the scale that makes the largest 127.
func (e *Embeddings) encodeInt8(group int) (values, scales []byte) {
	for i := 0; i < len(e.Values); i += group {
		values8 := e.Values[i : i+group]
		largest := float32(0)
		for _, v := range values8 {
			largest = max(largest, float32(math.Abs(float64(v))))
		}
		scale := largest / 127
		scales = binary.LittleEndian.AppendUint32(scales, math.Float32bits(scale))
		for _, v := range values8 {
			q := 0.0
			if scale > 0 {
				q = math.RoundToEven(float64(v) / float64(scale))
			}
			values = append(values, byte(int8(max(-127, min(127, q)))))
		}
	}
	return values, scales
}

func floatBytes(values []float32) []byte {
	b := make([]byte, 0, 4*len(values))
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func bytesFloats(b []byte) []float32 {
	values := make([]float32, len(b)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return values
}

// decodeRow decodes the stored values b of one type, without scales.
func decodeRow(dst []float32, b []byte, t DType) {
	switch t {
	case Float16:
		for i := range dst {
			dst[i] = float16.Frombits(binary.LittleEndian.Uint16(b[2*i:])).Float32()
		}
	case Int8:
		for i := range dst {
			dst[i] = float32(int8(b[i]))
		}
	default:
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
	}
}
