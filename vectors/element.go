package vectors

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/x448/float16"
)

// DType is the type of a table's numbers in a file. In memory they are always
// float32.
type DType int

const (
	Float32 DType = iota
	Float16
	BFloat16
	Float64
)

var dtypeNames = []string{"float32", "float16", "bfloat16", "float64"}

// String returns the name that ParseDType reads.
func (t DType) String() string {
	if t < 0 || int(t) >= len(dtypeNames) {
		return fmt.Sprintf("DType(%d)", int(t))
	}
	return dtypeNames[t]
}

// ParseDType returns the type of that name: float32, float16, bfloat16 or
// float64.
func ParseDType(name string) (DType, error) {
	if i := slices.Index(dtypeNames, name); i >= 0 {
		return DType(i), nil
	}
	return 0, fmt.Errorf("vectors: no type %q: use float32, float16, bfloat16 or float64", name)
}

// size returns the bytes of one number.
func (t DType) size() int {
	switch t {
	case Float16, BFloat16:
		return 2
	case Float64:
		return 8
	}
	return 4
}

// decode fills dst from the little-endian numbers in src. It returns the index
// of a number beyond float32, or -1.
func (t DType) decode(dst []float32, src []byte) int {
	src = src[:len(dst)*t.size()]
	switch t {
	case Float32:
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:]))
		}
	case Float16:
		for i := range dst {
			dst[i] = float16.Frombits(binary.LittleEndian.Uint16(src[2*i:])).Float32()
		}
	case BFloat16:
		for i := range dst {
			dst[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(src[2*i:])) << 16)
		}
	case Float64:
		for i := range dst {
			v := math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:]))
			dst[i] = float32(v)
			if math.IsInf(float64(dst[i]), 0) && !math.IsInf(v, 0) {
				return i
			}
		}
	}
	return -1
}

// encode appends src to dst as little-endian numbers. It returns the index of
// a number beyond the type, or -1.
func (t DType) encode(dst []byte, src []float32) ([]byte, int) {
	for i, v := range src {
		switch t {
		case Float32:
			dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(v))
		case Float16:
			h := float16.Fromfloat32(v)
			if h.IsInf(0) && !math.IsInf(float64(v), 0) {
				return dst, i
			}
			dst = binary.LittleEndian.AppendUint16(dst, h.Bits())
		case BFloat16:
			b := bfloat16(v)
			if b&0x7fff == 0x7f80 && !math.IsInf(float64(v), 0) {
				return dst, i
			}
			dst = binary.LittleEndian.AppendUint16(dst, b)
		case Float64:
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(float64(v)))
		}
	}
	return dst, -1
}

// bfloat16 returns the upper half of v, rounded to nearest even.
func bfloat16(v float32) uint16 {
	b := math.Float32bits(v)
	if v != v {
		return uint16(b>>16) | 0x40 // rounding could make a NaN infinite
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}
