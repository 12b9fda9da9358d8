package kdcode

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/kdcode/kdcode/codefile"
)

// Info describes a table: its shape, composition and free metadata.
type Info = codefile.Header

// Tensor is a further tensor of a code file.
type Tensor = codefile.Tensor

// Info returns the description of the table.
func (t *Table) Info() Info {
	info := *t.file.Header
	info.Metadata = maps.Clone(info.Metadata)
	info.Tensors = slices.Clone(info.Tensors)
	return info
}

// Tensor returns a copy of a tensor of the file: a classifier's weights, say.
func (t *Table) Tensor(name string) (Tensor, error) {
	l := t.gate.enter()
	if l == nil {
		return Tensor{}, ErrClosed
	}
	defer l.leave()
	tensor, err := t.file.Tensor(name)
	if err != nil {
		return Tensor{}, err
	}
	tensor.Shape = slices.Clone(tensor.Shape)
	tensor.Data = slices.Clone(tensor.Data)
	return tensor, nil
}

// Size says, in bits, what a table takes: as stored, and by the definition of
// the paper (N·D·log2 K for the codes, 32 for each parameter in training).
type Size struct {
	Codes      int64 `json:"codes"`      // stored, rows padded to bytes
	Parameters int64 `json:"parameters"` // stored: code embeddings and composition
	Symbols    int64 `json:"symbols"`    // stored: the symbols and their index
	Full       int64 `json:"full"`       // 32·N·d: the ordinary table
	Paper      Paper `json:"paper"`
}

// Paper is a size by the definition of the paper.
type Paper struct {
	Codes      int64 `json:"codes"`      // ⌈N·D·log2 K⌉
	Parameters int64 `json:"parameters"` // 32 for each
}

// Total returns the paper's "embedding layer's size" in bits.
func (p Paper) Total() int64 { return p.Codes + p.Parameters }

// Total returns the bits stored for codes and parameters. Symbols are not in
// it: an ordinary table stores them too.
func (s Size) Total() int64 { return s.Codes + s.Parameters }

// Ratio returns how many times smaller than the ordinary table this one is.
func (s Size) Ratio() float64 { return float64(s.Full) / float64(s.Total()) }

// String puts the size into one line.
func (s Size) String() string {
	return fmt.Sprintf("%d bits of codes, %d of parameters, %d of symbols; %.1f times smaller than %d bits",
		s.Codes, s.Parameters, s.Symbols, s.Ratio(), s.Full)
}

// Size returns what the table takes.
func (t *Table) Size() Size {
	h := t.file.Header
	codes, parameters, symbols := h.StoredBits()
	return Size{
		Codes: codes, Parameters: parameters, Symbols: symbols,
		Full: 32 * int64(h.N) * int64(h.Dim),
		Paper: Paper{
			Codes:      int64(math.Ceil(float64(h.N) * float64(h.D) * math.Log2(float64(h.K)))),
			Parameters: 32 * h.TrainedParameters,
		},
	}
}
