package safetensors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

func file(header string, data int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), make([]byte, data)...)
}

func TestNewHeader(t *testing.T) {
	h, err := NewHeader(map[string]string{"k": "<v>"}, []Tensor{
		{Name: "bytes", DType: U8, Shape: []int{3}},
		{Name: "b", DType: F32, Shape: []int{2, 2}},
		{Name: "a", DType: F32, Shape: []int{1}},
		{Name: "wide", DType: I64, Shape: []int{1}},
		{Name: "scalar", DType: F16},
	})
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, x := range h.Tensors {
		order = append(order, x.Name)
		width, _ := x.DType.Size()
		if x.Offset%int64(width) != 0 {
			t.Errorf("%s is not aligned: offset %d", x.Name, x.Offset)
		}
	}
	if want := []string{"wide", "a", "b", "scalar", "bytes"}; !slices.Equal(order, want) {
		t.Errorf("order %v instead of %v", order, want)
	}
	if h.DataStart()%64 != 0 {
		t.Errorf("data begin at %d", h.DataStart())
	}
	var b bytes.Buffer
	if n, err := h.WriteTo(&b); err != nil || n != h.DataStart() {
		t.Fatal(n, err)
	}
	b.Write(make([]byte, h.FileSize()-h.DataStart()))
	if !IsHeader(b.Bytes()) {
		t.Error("not recognised")
	}
	size := int64(b.Len())
	got, err := ReadHeader(&b)
	if err != nil {
		t.Fatal(err)
	}
	if err := got.CheckSize(size); err != nil {
		t.Error(err)
	}
	if got.Metadata["k"] != "<v>" || bytes.Contains(got.JSON, []byte(`\u003c`)) {
		t.Errorf("metadata %v in %s", got.Metadata, got.JSON)
	}
	if x, ok := got.Tensor("b"); !ok || x.Elements() != 4 || x.Size != 16 {
		t.Errorf("tensor b: %+v", x)
	}
	if _, ok := got.Tensor("none"); ok {
		t.Error("found a tensor that is not there")
	}
}

func TestNewHeaderErrors(t *testing.T) {
	if _, err := NewHeader(nil, []Tensor{{Name: "x", DType: "F3"}}); err == nil || !strings.Contains(err.Error(), "F3") {
		t.Error(err)
	}
}

func TestReadHeaderErrors(t *testing.T) {
	for _, c := range []struct{ header, want string }{
		{`{"a":1}`, `tensor "a"`},
		{`{"a":{}}`, `tensor "a": no dtype`},
		{`[]`, "offset 8"},
		{`{"__metadata__":{"a":1}}`, "__metadata__"},
		{`{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,3]}}`, "takes 4 bytes"},
		{`{"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,3]}}`, "shape"},
		{`{"a":{"dtype":"F64","shape":[4611686018427387904,4],"data_offsets":[0,3]}}`, "shape"},
		{`{"a":{"dtype":"U8","shape":[3],"data_offsets":[3,0]}}`, "data_offsets"},
		{`{"a":{"dtype":"U8","shape":[3],"data_offsets":[1,4]}}`, "gap"},
		{`{"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"b":{"dtype":"U8","shape":[3],"data_offsets":[2,5]}}`, "overlap"},
	} {
		_, err := ReadHeader(bytes.NewReader(file(c.header, 4)))
		if !errors.Is(err, ErrHeader) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.header, err)
		}
	}
	huge := binary.LittleEndian.AppendUint64(nil, 90<<20)
	for _, data := range [][]byte{nil, {1, 2}, append(huge, '{'), binary.LittleEndian.AppendUint64(nil, 1<<60)} {
		if _, err := ReadHeader(bytes.NewReader(data)); !errors.Is(err, ErrHeader) {
			t.Errorf("%v: %v", data, err)
		}
	}
	if _, err := ReadHeader(brokenReader{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a failing reader: %v", err)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestCheckSize(t *testing.T) {
	data := file(`{"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}}`, 3)
	h, err := ReadHeader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for size, want := range map[int64]string{int64(len(data)) - 1: "truncated", int64(len(data)) + 1: "follow"} {
		if err := h.CheckSize(size); !errors.Is(err, ErrHeader) || !strings.Contains(err.Error(), want) {
			t.Errorf("size %d: %v", size, err)
		}
	}
}

func FuzzReadHeader(f *testing.F) {
	f.Add(file(`{"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"__metadata__":{"x":"y"}}`, 3))
	f.Add(file(`{}`, 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := ReadHeader(bytes.NewReader(data))
		if err != nil {
			return
		}
		at := h.DataStart()
		for _, x := range h.Tensors {
			if x.Offset != at || x.Size < 0 {
				t.Fatalf("tensor %+v at %d", x, at)
			}
			at += x.Size
		}
	})
}
