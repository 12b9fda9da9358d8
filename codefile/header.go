package codefile

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

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
