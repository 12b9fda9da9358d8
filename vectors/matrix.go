package vectors

import (
	"io"
	"math"
	"slices"
	"sync"
)

// matrix reads rows of a fixed number of bytes: .npy and safetensors.
type matrix struct {
	in        *input
	dtype     DType
	bigEndian bool
	rows, dim int
	start     int64 // offset of the first row
	end       int64 // offset of the end of the file, as it describes itself
	row       int
	raw       []byte
	buffers   sync.Pool // of *[]byte, for readRows
}

// width returns the bytes of a row.
func (m *matrix) width() int { return m.dim * m.dtype.size() }

// check looks at what the header says before anything is allocated for it.
// The end of the file is where it must be, in a file whose size is known.
func (m *matrix) check() error {
	switch {
	case m.dim < 1 || m.dim > MaxDim:
		return badf(m.in.name, "a matrix of %d rows and %d columns: 1 to %d columns can be read", m.rows, m.dim, MaxDim)
	case m.rows < 0 || int64(m.rows) > (math.MaxInt64-m.start)/int64(m.width()):
		return badf(m.in.name, "a matrix of %d rows and %d columns: more than any file can hold; the header is damaged", m.rows, m.dim)
	}
	if m.end == 0 {
		m.end = m.start + int64(m.rows)*int64(m.width())
	}
	if m.in.file == nil || m.in.size == m.end {
		return nil
	}
	if m.in.size < m.end {
		return m.truncated(m.in.size)
	}
	return m.trailing(m.in.size - m.end)
}

func (m *matrix) truncated(size int64) error {
	return badf(m.in.name, "the file has %d bytes, its header describes %d: it is truncated; copy or download it again", size, m.end)
}

func (m *matrix) trailing(n int64) error {
	return badf(atOffset(m.in.name, m.end), "%d bytes or more follow the end that the header describes; make the file again", n)
}

func (m *matrix) next(row []float32) ([]byte, error) {
	if m.row == m.rows {
		return nil, m.finish()
	}
	m.raw = slices.Grow(m.raw[:0], m.width())[:m.width()]
	if n, err := io.ReadFull(m.in, m.raw); short(err) {
		return nil, m.truncated(m.offset(m.row) + int64(n))
	} else if err != nil {
		return nil, err
	}
	m.row++
	return nil, m.decode(row, m.raw, m.row-1)
}

// finish checks what follows the matrix, where the size is not known.
func (m *matrix) finish() error {
	if m.in.file != nil {
		return io.EOF
	}
	at := m.offset(m.rows)
	n, err := io.Copy(io.Discard, m.in)
	if err != nil {
		return err
	}
	if at+n < m.end {
		return m.truncated(at + n)
	}
	if at+n > m.end {
		return m.trailing(at + n - m.end)
	}
	return io.EOF
}

// offset returns where row i begins in the file.
func (m *matrix) offset(i int) int64 { return m.start + int64(i)*int64(m.width()) }

func (m *matrix) place() string { return atOffset(m.in.name, m.offset(m.row-1)) }

// decode fills dst from raw, which begins with row first and is changed.
func (m *matrix) decode(dst []float32, raw []byte, first int) error {
	if size := m.dtype.size(); m.bigEndian {
		for i := 0; i < len(raw); i += size {
			slices.Reverse(raw[i : i+size])
		}
	}
	if i := m.dtype.decode(dst, raw); i >= 0 {
		return badf(atOffset(m.in.name, m.offset(first)+int64(i*m.dtype.size())), "row %d, column %d holds a number beyond float32: correct it", first+i/m.dim, i%m.dim)
	}
	return nil
}

// readRows fills dst with the rows from first on, a buffer full at a time.
func (m *matrix) readRows(dst []float32, first int) error {
	pooled, _ := m.buffers.Get().(*[]byte)
	if pooled == nil {
		pooled = new([]byte)
	}
	defer m.buffers.Put(pooled)
	step := max(window/m.width(), 1)
	for len(dst) > 0 {
		n := min(step, len(dst)/m.dim)
		raw := slices.Grow((*pooled)[:0], n*m.width())[:n*m.width()]
		*pooled = raw
		if got, err := m.in.file.ReadAt(raw, m.offset(first)); got < len(raw) {
			if short(err) {
				return m.truncated(m.offset(first) + int64(got))
			}
			return err
		}
		if err := m.decode(dst[:n*m.dim], raw, first); err != nil {
			return err
		}
		dst = dst[n*m.dim:]
		first += n
	}
	return nil
}
