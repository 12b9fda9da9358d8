package safetensors

import "fmt"

// DType is the type of a tensor's elements, by its name in the file.
type DType string

// The element types kdcode reads or writes. Files may hold others: they are
// listed, but not decoded.
const (
	Bool DType = "BOOL"
	U8   DType = "U8"
	I8   DType = "I8"
	F16  DType = "F16"
	BF16 DType = "BF16"
	I32  DType = "I32"
	F32  DType = "F32"
	I64  DType = "I64"
	F64  DType = "F64"
)

var sizes = map[DType]int{
	Bool: 1, U8: 1, I8: 1, "F8_E4M3": 1, "F8_E5M2": 1,
	"U16": 2, "I16": 2, F16: 2, BF16: 2,
	"U32": 4, I32: 4, F32: 4,
	"U64": 8, I64: 8, F64: 8,
}

// Size returns the bytes of one element, or an error for an unknown type.
func (t DType) Size() (int, error) {
	if n, ok := sizes[t]; ok {
		return n, nil
	}
	return 0, fmt.Errorf("unknown element type %q", string(t))
}
