package vectors

import (
	"bytes"

	"github.com/kdcode/kdcode/internal/safetensors"
)

// DefaultTensor is the name of the tensor in a safetensors file whose writer
// names none.
const DefaultTensor = "embeddings"

// safetensorsEncoder writes a file of one tensor.
type safetensorsEncoder struct {
	dim    int
	dtype  DType
	tensor string
}

func (e *safetensorsEncoder) header(rows, size int) ([]byte, error) {
	t := safetensors.Tensor{Name: e.tensor, Shape: []int{rows, e.dim}}
	for name, dtype := range tensorTypes {
		if dtype == e.dtype {
			t.DType = name
		}
	}
	if t.Name == "" {
		t.Name = DefaultTensor
	}
	h, err := safetensors.NewHeader(nil, []safetensors.Tensor{t})
	if err != nil {
		return nil, err
	}
	if n := size - int(h.DataStart()); n > 0 {
		h.JSON = append(h.JSON, bytes.Repeat([]byte{' '}, n)...)
	}
	var b bytes.Buffer
	_, err = h.WriteTo(&b)
	return b.Bytes(), err
}

func (e *safetensorsEncoder) row(dst []byte, _ string, row []float32) ([]byte, error) {
	return encodeRow(dst, row, e.dtype)
}
