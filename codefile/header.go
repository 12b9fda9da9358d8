package codefile

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/kdcode/kdcode/internal/bitpack"
	"github.com/kdcode/kdcode/internal/safetensors"
)

// Header says what a code file holds. It is read and checked, against itself
// and against the file's size, before anything else is.
type Header struct {
	Version           int               `json:"version"`
	N                 int               `json:"n"`
	K                 int               `json:"ways"`
	D                 int               `json:"code_length"`
	Dim               int               `json:"dim"`
	CodeDim           int               `json:"code_dim"`
	Composition       Composition       `json:"composition"`
	DType             DType             `json:"dtype"`
	Shared            bool              `json:"shared"`
	HasSymbols        bool              `json:"symbols"`
	TrainedParameters int64             `json:"trained_parameters"` // as given when written, or those stored
	Metadata          map[string]string `json:"metadata"`           // the free part
	Tensors           []string          `json:"tensors"`            // names of further tensors

	hidden int // h of an LSTM composition
	file   *safetensors.Header
}

// ReadHeader reads and checks the header of the code file of that size in r.
// Nothing but the header is read.
func ReadHeader(r io.ReaderAt, size int64) (*Header, error) {
	file, err := safetensors.ReadHeader(io.NewSectionReader(r, 0, size))
	if err != nil {
		if errors.Is(err, safetensors.ErrHeader) {
			return nil, fmt.Errorf("%w: %w", ErrFormat, err)
		}
		return nil, err
	}
	if got := file.Metadata[keyFormat]; got != formatName {
		return nil, fmt.Errorf("%w: a safetensors file, but not a code file: its metadata lack \"%s\": \"%s\"; make one from it with kd compress", ErrFormat, keyFormat, formatName)
	}
	h := &Header{file: file}
	if h.Version, err = version(file.Metadata); err != nil {
		return nil, err
	}
	if sum, err := headerSum(file.JSON, file.Metadata[keyHeaderSum]); err != nil {
		return nil, err
	} else if sum != file.Metadata[keyHeaderSum] {
		return nil, fmt.Errorf("%w: the header does not match its checksum; copy or make the file again", ErrFormat)
	}
	if err := file.CheckSize(size); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	for _, read := range []func() error{h.readShape, h.readCodes, h.readEmbeddings, h.readComposition, h.readSymbols, h.readRest} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	return h, nil
}

func version(metadata map[string]string) (int, error) {
	v, err := positive(metadata, keyVersion, math.MaxInt32)
	if err != nil {
		return 0, err
	}
	if v > Version {
		return 0, fmt.Errorf("%w: version %d of the format; this kdcode knows versions up to %d: update it", ErrFormat, v, Version)
	}
	return int(v), nil
}

func (h *Header) readShape() error {
	for _, f := range []struct {
		key   string
		limit int64
		to    *int
	}{
		{keyWays, MaxK, &h.K}, {keyCodeLength, MaxD, &h.D}, {keyDim, math.MaxInt32, &h.Dim}, {keyCodeDim, math.MaxInt32, &h.CodeDim},
	} {
		n, err := positive(h.file.Metadata, f.key, f.limit)
		if err != nil {
			return err
		}
		*f.to = int(n)
	}
	if h.K < 2 {
		return fmt.Errorf("%w: metadata %q is 1; at least 2 ways are needed", ErrFormat, keyWays)
	}
	return nil
}

// expect returns the tensor of that name if it has the type and shape; an
// axis of -1 may have any length.
func (h *Header) expect(name string, dtype safetensors.DType, shape ...int) (safetensors.Tensor, error) {
	t, ok := h.file.Tensor(name)
	if !ok {
		return t, fmt.Errorf("%w: the tensor %q is missing", ErrFormat, name)
	}
	fits := t.DType == dtype && len(t.Shape) == len(shape)
	for i := 0; fits && i < len(shape); i++ {
		fits = shape[i] == t.Shape[i] || shape[i] < 0
	}
	if !fits {
		want := strings.ReplaceAll(fmt.Sprint(shape), "-1", "any")
		return t, fmt.Errorf("%w: the tensor %q is %s %v instead of %s %s", ErrFormat, name, t.DType, t.Shape, dtype, want)
	}
	return t, nil
}

func (h *Header) has(name string) bool {
	_, ok := h.file.Tensor(name)
	return ok
}

func (h *Header) readCodes() error {
	t, err := h.expect(tensorCodes, safetensors.U8, -1, bitpack.RowBytes(h.D, bitpack.Width(h.K)))
	if err != nil {
		return err
	}
	if h.N = t.Shape[0]; h.N < 1 || h.N > MaxN {
		return fmt.Errorf("%w: %d codes; 1 to %d are possible", ErrFormat, h.N, MaxN)
	}
	return nil
}

func (h *Header) readEmbeddings() error {
	t, ok := h.file.Tensor(tensorEmbeddings)
	if !ok {
		return fmt.Errorf("%w: the tensor %q is missing", ErrFormat, tensorEmbeddings)
	}
	h.Shared = len(t.Shape) == 2
	for dtype, stored := range tensorTypes {
		if t.DType == stored {
			h.DType = dtype
		}
	}
	if h.DType == "" {
		return fmt.Errorf("%w: the tensor %q is %s, none of F32, F16, I8", ErrFormat, tensorEmbeddings, t.DType)
	}
	if _, err := h.expect(tensorEmbeddings, t.DType, h.embeddings().shape(h.K, h.D)...); err != nil {
		return err
	}
	scale, ok := h.file.Tensor(tensorScale)
	if ok != (h.DType == Int8) {
		return fmt.Errorf("%w: the tensor %q belongs to code embeddings of type I8, and only to them", ErrFormat, tensorScale)
	}
	if !ok {
		return nil
	}
	fits := scale.DType == safetensors.F32 && len(scale.Shape) == len(t.Shape)
	for i := 0; fits && i < len(t.Shape); i++ {
		fits = scale.Shape[i] == 1 || scale.Shape[i] == t.Shape[i]
	}
	if !fits {
		return fmt.Errorf("%w: the tensor %q is %s %v; each axis must be 1 or that of %v", ErrFormat, tensorScale, scale.DType, scale.Shape, t.Shape)
	}
	return nil
}

// embeddings returns the shape of the code embeddings, without values.
func (h *Header) embeddings() *Embeddings {
	return &Embeddings{Dim: h.CodeDim, Shared: h.Shared, DType: h.DType}
}

func (h *Header) readComposition() error {
	var err error
	if h.Composition, err = ParseComposition(h.file.Metadata[keyComposition]); err != nil {
		return fmt.Errorf("%w: %v", ErrFormat, err)
	}
	summed := h.CodeDim
	if h.Composition == Recur {
		if summed, err = h.readLSTM(); err != nil {
			return err
		}
	}
	dim := summed
	switch {
	case h.Composition == Concat:
		dim = h.CodeDim * h.D
	case h.Composition == Affine, h.Composition == Recur && h.has(tensorProjection):
		if _, err := h.expect(tensorProjection, safetensors.F32, h.Dim, summed); err != nil {
			return err
		}
		dim = h.Dim
	}
	if dim != h.Dim {
		return fmt.Errorf("%w: metadata %q is %d, but the composition %s makes vectors of width %d", ErrFormat, keyDim, h.Dim, h.Composition, dim)
	}
	if (h.Composition == Affine || h.Composition == Recur) && h.has(tensorBias) {
		_, err = h.expect(tensorBias, safetensors.F32, h.Dim)
	}
	return err
}

// readLSTM returns h, the width of the LSTM's state.
func (h *Header) readLSTM() (int, error) {
	u, err := h.expect(tensorRecurrent, safetensors.F32, 4, -1, -1)
	if err != nil {
		return 0, err
	}
	h.hidden = u.Shape[1]
	if h.hidden < 1 || u.Shape[2] != h.hidden {
		return 0, fmt.Errorf("%w: the tensor %q has the shape %v; its last axes must be equal", ErrFormat, tensorRecurrent, u.Shape)
	}
	if _, err := h.expect(tensorLSTMBias, safetensors.F32, 4, h.hidden); err != nil {
		return 0, err
	}
	if h.has(tensorState) {
		if _, err := h.expect(tensorState, safetensors.F32, 2, h.hidden); err != nil {
			return 0, err
		}
	}
	if h.has(tensorInput) {
		_, err = h.expect(tensorInput, safetensors.F32, 4, h.CodeDim, h.hidden)
		return h.hidden, err
	}
	if h.CodeDim != h.hidden {
		return 0, fmt.Errorf("%w: an LSTM of width %d without %q needs code embeddings of that width, not %d", ErrFormat, h.hidden, tensorInput, h.CodeDim)
	}
	return h.hidden, nil
}

func (h *Header) readSymbols() error {
	if h.HasSymbols = h.has(tensorSymbols); !h.HasSymbols {
		return nil
	}
	if _, err := h.expect(tensorSymbols, safetensors.U8, -1); err != nil {
		return err
	}
	if _, err := h.expect(tensorOffsets, safetensors.I64, (h.N+offsetEvery-1)/offsetEvery); err != nil {
		return err
	}
	_, err := h.expect(tensorIndex, safetensors.I32, slots(h.N))
	return err
}

// readRest reads what does not shape the table: the parameter count, free
// metadata and further tensors, and sees to a checksum for each tensor.
func (h *Header) readRest() error {
	if _, ok := h.file.Metadata[keyParameters]; ok {
		n, err := positive(h.file.Metadata, keyParameters, math.MaxInt64/32)
		if err != nil {
			return err
		}
		h.TrainedParameters = n
	} else {
		h.TrainedParameters = h.storedParameters()
	}
	h.Metadata = maps.Clone(h.file.Metadata)
	maps.DeleteFunc(h.Metadata, func(k, _ string) bool { return isReserved(k) })
	h.Tensors = []string{}
	for _, t := range h.file.Tensors {
		if len(h.file.Metadata[prefixSum+t.Name]) != len(noSum) {
			return fmt.Errorf("%w: the tensor %q has no checksum", ErrFormat, t.Name)
		}
		if !slices.Contains(reservedTensors, t.Name) {
			h.Tensors = append(h.Tensors, t.Name)
		}
	}
	return nil
}

// storedParameters returns the number of parameters in the file, int8 scales
// not counted: they are part of how the numbers are stored.
func (h *Header) storedParameters() int64 {
	n := int64(0)
	for _, name := range parameterTensors {
		if t, ok := h.file.Tensor(name); ok && name != tensorScale {
			n += t.Elements()
		}
	}
	return n
}

// StoredBits returns what the file spends on codes, parameters (scales
// included) and symbols (index included).
func (h *Header) StoredBits() (codes, parameters, symbols int64) {
	return h.bits(tensorCodes), h.bits(parameterTensors...), h.bits(symbolTensors...)
}

func (h *Header) bits(names ...string) int64 {
	n := int64(0)
	for _, name := range names {
		if t, ok := h.file.Tensor(name); ok {
			n += 8 * t.Size
		}
	}
	return n
}
