package vectors

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// npyEncoder writes .npy of version 1.
type npyEncoder struct {
	dim   int
	dtype DType
}

// npyAlign is the multiple of bytes at which NumPy lets the numbers begin.
const npyAlign = 64

func (e *npyEncoder) header(rows, size int) ([]byte, error) {
	text := fmt.Sprintf("{'descr': '<f%d', 'fortran_order': False, 'shape': (%d, %d), }", e.dtype.size(), rows, e.dim)
	before := len(npyMagic) + 4
	size = max(size, (before+len(text)+1+npyAlign-1)/npyAlign*npyAlign)
	h := append(bytes.Clone(npyMagic), 1, 0)
	h = binary.LittleEndian.AppendUint16(h, uint16(size-before))
	h = append(h, text...)
	h = append(h, bytes.Repeat([]byte{' '}, size-1-len(h))...)
	return append(h, '\n'), nil
}

func (e *npyEncoder) row(dst []byte, _ string, row []float32) ([]byte, error) {
	return encodeRow(dst, row, e.dtype)
}

// encodeRow appends a row of numbers, which must be within the type.
func encodeRow(dst []byte, row []float32, dtype DType) ([]byte, error) {
	dst, i := dtype.encode(dst, row)
	if i >= 0 {
		return dst, fmt.Errorf("column %d, %g, is beyond %s: write float32", i, row[i], dtype)
	}
	return dst, nil
}
