package codefile

import (
	"fmt"
	"strings"

	"github.com/kdcode/kdcode/internal/bitpack"
	"github.com/kdcode/kdcode/internal/safetensors"
)

// What a table's tensors must be for its shape and composition: docs/format.md.

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
