// Package safetensors reads and writes the headers of safetensors files: an
// 8-byte little-endian length, a JSON object that names every tensor with its
// type, shape and place, then the tensors' bytes without gaps.
//
// The package knows nothing of what tensors mean: codefile and vectors do.
package safetensors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
)

// MaxHeader is the longest header read: the limit of the reference
// implementation.
const MaxHeader = 100 << 20

// align is where the data part begins, and so, with tensors in Layout's
// order, where every tensor of 8-byte elements may begin.
const align = 64

// ErrHeader is wrapped by every error about a header's contents.
var ErrHeader = errors.New("bad safetensors header")

// Tensor is one tensor's entry in a header.
type Tensor struct {
	Name   string
	DType  DType
	Shape  []int
	Offset int64 // of its first byte, from the start of the file
	Size   int64 // in bytes
}

// Elements returns the number of elements, the product of the shape.
func (t Tensor) Elements() int64 {
	n := int64(1)
	for _, s := range t.Shape {
		n *= int64(s)
	}
	return n
}

// Header is a parsed header.
type Header struct {
	Metadata map[string]string
	Tensors  []Tensor // by offset
	JSON     []byte   // the header as it stands in the file, padding included
}

// Tensor returns the tensor of that name.
func (h *Header) Tensor(name string) (Tensor, bool) {
	i := slices.IndexFunc(h.Tensors, func(t Tensor) bool { return t.Name == name })
	if i < 0 {
		return Tensor{}, false
	}
	return h.Tensors[i], true
}

// DataStart returns the offset of the data part in the file.
func (h *Header) DataStart() int64 { return 8 + int64(len(h.JSON)) }

// FileSize returns the size that the file must have.
func (h *Header) FileSize() int64 {
	if len(h.Tensors) == 0 {
		return h.DataStart()
	}
	last := h.Tensors[len(h.Tensors)-1]
	return last.Offset + last.Size
}

// CheckSize returns an error unless a file of size bytes holds exactly what
// the header describes.
func (h *Header) CheckSize(size int64) error {
	want := h.FileSize()
	switch {
	case size < want:
		return fmt.Errorf("%w: the file has %d bytes, its header describes %d: it is truncated; copy or make it again", ErrHeader, size, want)
	case size > want:
		return fmt.Errorf("%w: %d bytes follow the last tensor at offset %d; copy or make the file again", ErrHeader, size-want, want)
	}
	return nil
}

// IsHeader reports whether a file that begins with start (at least 9 bytes of
// it) may be a safetensors file.
func IsHeader(start []byte) bool {
	if len(start) < 9 {
		return false
	}
	n := binary.LittleEndian.Uint64(start)
	return n >= 2 && n <= MaxHeader && start[8] == '{'
}

// ReadHeader reads the header at the start of r and nothing beyond it. No more
// is allocated than r delivers, whatever length the file claims.
func ReadHeader(r io.Reader) (*Header, error) {
	var start [8]byte
	if _, err := io.ReadFull(r, start[:]); err != nil {
		return nil, readError(err)
	}
	n := binary.LittleEndian.Uint64(start[:])
	if n < 2 || n > MaxHeader {
		return nil, fmt.Errorf("%w: offset 0: a header of %d bytes (2 to %d are possible): not a safetensors file?", ErrHeader, n, MaxHeader)
	}
	var buf bytes.Buffer
	if _, err := io.CopyN(&buf, r, int64(n)); err != nil {
		return nil, readError(err)
	}
	return parse(buf.Bytes())
}

func readError(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("%w: the file ends inside its header: it is truncated; copy or make it again", ErrHeader)
	}
	return err
}

// entry is a tensor in the header's JSON.
type entry struct {
	DType   DType    `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

func parse(raw []byte) (*Header, error) {
	h := &Header{JSON: raw}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, fmt.Errorf("%w: offset 8: %v", ErrHeader, err)
	}
	if m, ok := fields["__metadata__"]; ok {
		if err := json.Unmarshal(m, &h.Metadata); err != nil {
			return nil, fmt.Errorf("%w: __metadata__: %v", ErrHeader, err)
		}
		delete(fields, "__metadata__")
	}
	h.Tensors = make([]Tensor, 0, len(fields))
	for name, field := range fields {
		t, err := parseTensor(name, field, h.DataStart())
		if err != nil {
			return nil, fmt.Errorf("%w: tensor %q: %v", ErrHeader, name, err)
		}
		h.Tensors = append(h.Tensors, t)
	}
	slices.SortFunc(h.Tensors, func(a, b Tensor) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Size, b.Size), cmp.Compare(a.Name, b.Name))
	})
	return h, h.checkGaps()
}

func parseTensor(name string, field []byte, dataStart int64) (Tensor, error) {
	var e entry
	if err := json.Unmarshal(field, &e); err != nil {
		return Tensor{}, err
	}
	if e.DType == "" {
		return Tensor{}, errors.New("no dtype")
	}
	if e.Offsets[0] < 0 || e.Offsets[1] < e.Offsets[0] || e.Offsets[1] > math.MaxInt64-dataStart {
		return Tensor{}, fmt.Errorf("data_offsets %d to %d", e.Offsets[0], e.Offsets[1])
	}
	t := Tensor{Name: name, DType: e.DType, Shape: e.Shape, Offset: dataStart + e.Offsets[0], Size: e.Offsets[1] - e.Offsets[0]}
	width, err := e.DType.Size()
	if err != nil {
		// Left to whoever asks for this tensor: files may hold types we do not know.
		return t, nil
	}
	want := int64(width)
	for _, s := range e.Shape {
		if s < 0 || s > 0 && want > math.MaxInt64/int64(s) {
			return Tensor{}, fmt.Errorf("shape %v", e.Shape)
		}
		want *= int64(s)
	}
	if want != t.Size {
		return Tensor{}, fmt.Errorf("%s of shape %v takes %d bytes, data_offsets give it %d", e.DType, e.Shape, want, t.Size)
	}
	return t, nil
}

// checkGaps returns an error unless the tensors follow each other without
// gaps or overlaps from the start of the data part.
func (h *Header) checkGaps() error {
	at := h.DataStart()
	for _, t := range h.Tensors {
		if t.Offset != at {
			return fmt.Errorf("%w: tensor %q begins at offset %d instead of %d: tensors overlap or leave a gap", ErrHeader, t.Name, t.Offset, at)
		}
		at += t.Size
	}
	return nil
}

// Layout sorts tensors into the order in which they stand in the file (widest
// elements first, then by name: the reference implementation's order, in which
// every tensor is aligned without padding) and fills in Size. Offset is set by
// NewHeader.
func Layout(tensors []Tensor) error {
	for i := range tensors {
		width, err := tensors[i].DType.Size()
		if err != nil {
			return fmt.Errorf("tensor %q: %w", tensors[i].Name, err)
		}
		tensors[i].Size = tensors[i].Elements() * int64(width)
	}
	slices.SortFunc(tensors, func(a, b Tensor) int {
		return cmp.Or(cmp.Compare(sizes[b.DType], sizes[a.DType]), cmp.Compare(a.Name, b.Name))
	})
	return nil
}

// NewHeader lays tensors out and returns the header that describes them. Its
// JSON is canonical (metadata first, keys sorted, tensors in file order) and
// padded with spaces so that the data part begins at a multiple of 64.
func NewHeader(metadata map[string]string, tensors []Tensor) (*Header, error) {
	if err := Layout(tensors); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteByte('{')
	if len(metadata) > 0 {
		b.WriteString(`"__metadata__":`)
		b.Write(marshal(metadata))
	}
	at := int64(0)
	for i, t := range tensors {
		if i > 0 || len(metadata) > 0 {
			b.WriteByte(',')
		}
		shape := t.Shape
		if shape == nil {
			shape = []int{} // a scalar, not null
		}
		b.Write(marshal(t.Name))
		b.WriteByte(':')
		b.Write(marshal(entry{t.DType, shape, [2]int64{at, at + t.Size}}))
		at += t.Size
	}
	b.WriteByte('}')
	for (8+b.Len())%align != 0 {
		b.WriteByte(' ')
	}
	h := &Header{Metadata: maps.Clone(metadata), Tensors: slices.Clone(tensors), JSON: b.Bytes()}
	at = h.DataStart()
	for i := range h.Tensors {
		h.Tensors[i].Offset = at
		at += h.Tensors[i].Size
	}
	return h, nil
}

// marshal is json.Marshal for what cannot fail, without HTML escapes.
func marshal(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // strings, ints and maps of strings always encode
	}
	return bytes.TrimSpace(b.Bytes())
}

// WriteTo writes the length and the JSON: everything before the data part.
func (h *Header) WriteTo(w io.Writer) (int64, error) {
	buf := binary.LittleEndian.AppendUint64(make([]byte, 0, h.DataStart()), uint64(len(h.JSON)))
	n, err := w.Write(append(buf, h.JSON...))
	return int64(n), err
}
