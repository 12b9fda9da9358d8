package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/quantize"
)

// openComposed opens a code file as a table of the vectors that it composes: the
// ordinary table of a model trained with --emb full, say.
func (v *vectorsInput) openComposed(ctx context.Context, s *streams, path, name string, memory int64) (*tableInput, error) {
	if v.given() {
		return nil, usagef("%s is a code file: --symbols, --tensor and --dim are for ordinary vectors", path)
	}
	t, err := openTable(path)
	if err != nil {
		return nil, err
	}
	in := &tableInput{Source: codeSource{t}, path: path, name: name, codes: t}
	if err := in.compose(ctx, s, memory); err != nil {
		in.Close()
		return nil, err
	}
	if info := t.Info(); info.D > 1 {
		in.notes = append(in.notes, "its vectors are composed of codes already: what those have lost stays lost")
	}
	return in, nil
}

// compose checks the code file, and takes its symbols and, unless they take more
// than half of memory, its vectors.
func (in *tableInput) compose(ctx context.Context, s *streams, memory int64) error {
	t := in.codes
	if err := verify(ctx, t, in.path); err != nil {
		return err
	}
	for _, symbol := range t.Symbols() {
		in.symbols = append(in.symbols, symbol)
	}
	size := tableBytes(t.Len(), t.Dim())
	if memory > 0 && size > memory/2 {
		return nil
	}
	const batch = 1024
	data := make([]float32, t.Len()*t.Dim())
	s.progress.start()
	for first := 0; first < t.Len(); first += batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.progress.update("composing "+in.path, first, t.Len())
		if err := in.Rows(data[first*t.Dim():], first, min(batch, t.Len()-first)); err != nil {
			return fmt.Errorf("%s: %w", in.path, err)
		}
	}
	in.Source, in.held = quantize.Matrix{Data: data, D: t.Dim()}, size
	return nil
}

// rest is what a code file holds beside its table: what makes it a model.
type rest struct {
	tensors  map[string]codefile.Tensor
	metadata map[string]string
}

// ofTable are the metadata of a table, not of the model that it is part of.
var ofTable = []string{
	keyMethod, keyEffort, keyWeights, keyRelativeError,
	"layer", "relaxation", "learned_composition", "match", "bits",
	"encoded_from", "encoded_vectors", "encoded_relative_error",
}

// rest returns what the code file holds beside its table, nothing where the
// table is of ordinary vectors.
func (in *tableInput) rest() (rest, error) {
	if in.codes == nil {
		return rest{}, nil
	}
	info := in.codes.Info()
	r := rest{tensors: map[string]codefile.Tensor{}, metadata: info.Metadata}
	maps.DeleteFunc(r.metadata, func(key, _ string) bool { return slices.Contains(ofTable, key) })
	for _, name := range info.Tensors {
		tensor, err := in.codes.Tensor(name)
		if err != nil {
			return rest{}, fmt.Errorf("%s: %w", in.path, err)
		}
		r.tensors[name] = tensor
	}
	return r, nil
}

// bytes is about what the tensors take in a file.
func (r rest) bytes() int64 {
	const entry = 128 // of the header
	var n int64
	for _, t := range r.tensors {
		n += int64(len(t.Data)) + entry
	}
	return n
}

// addTo makes m the table of the model.
func (r rest) addTo(m *codefile.Model) {
	m.Tensors, m.Metadata = r.tensors, r.metadata // what is compressed has none of its own
}
