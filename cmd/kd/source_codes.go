package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/parallel"
	"github.com/kdcode/kdcode/quantize"
)

// openComposed opens a code file as a table of the vectors that it composes: the
// ordinary table of a model trained with --emb full, say.
func (v *vectorsInput) openComposed(ctx context.Context, s *streams, path, name string, memory int64) (*tableInput, error) {
	t, err := openTable(path)
	if err != nil {
		return nil, err
	}
	if v.given() {
		return nil, errors.Join(usagef("%s is a code file: --symbols, --tensor and --dim are for ordinary vectors", path), t.Close())
	}
	if err := verify(ctx, t, path); err != nil {
		return nil, err // it is closed then
	}
	in := &tableInput{Source: codeSource{t}, path: path, name: name, codes: t}
	if err := in.takeCodes(ctx, s, memory); err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return in, nil
}

// takeCodes takes the symbols, what else the file holds, and, unless they take
// more than half of memory, its vectors.
func (in *tableInput) takeCodes(ctx context.Context, s *streams, memory int64) error {
	t := in.codes
	info := t.Info()
	if !isOrdinary(info) {
		in.notes = append(in.notes, "its vectors are composed of codes already: what those have lost stays lost")
	}
	for _, symbol := range t.Symbols() {
		in.symbols = append(in.symbols, symbol)
	}
	var err error
	if in.rest, err = restOf(t); err != nil {
		return fmt.Errorf("%s: %w", in.path, err)
	}
	size := tableBytes(t.Len(), t.Dim())
	if memory > 0 && size > memory/2 {
		in.held = in.rest.bytes() + embeddingBytes(info)
		return nil
	}
	data, err := composeAll(ctx, s, t, in.path)
	if err != nil {
		return err
	}
	in.Source, in.held = quantize.Matrix{Data: data, D: t.Dim()}, size+in.rest.bytes()
	in.codes = nil
	return t.Close()
}

// isOrdinary reports whether a file holds a table as it was trained.
func isOrdinary(info kdcode.Info) bool {
	layer := info.Metadata["layer"]
	return layer == "full" || layer == "low-rank" || info.D == 1 && info.K >= info.N
}

// embeddingBytes is what the code embeddings of an open table take in memory.
func embeddingBytes(info kdcode.Info) int64 {
	rows := info.K
	if !info.Shared {
		rows *= info.D
	}
	return tableBytes(rows, info.CodeDim)
}

// composeAll returns all vectors of a table, composed on all processors.
func composeAll(ctx context.Context, s *streams, t *kdcode.Table, path string) ([]float32, error) {
	n, d := t.Len(), t.Dim()
	batch := 64 * parallel.Threads()
	data := make([]float32, n*d)
	s.progress.start()
	for first := 0; first < n; first += batch {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.progress.update("composing "+path, first, n)
		err := parallel.Try(min(batch, n-first), 32, func(from, to int) error {
			return codeSource{t}.Rows(data[(first+from)*d:], first+from, to-from)
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return data, nil
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

// restOf returns what t holds beside its table.
func restOf(t *kdcode.Table) (rest, error) {
	info := t.Info()
	r := rest{tensors: map[string]codefile.Tensor{}, metadata: info.Metadata}
	maps.DeleteFunc(r.metadata, func(key, _ string) bool { return slices.Contains(ofTable, key) })
	for _, name := range info.Tensors {
		tensor, err := t.Tensor(name)
		if err != nil {
			return rest{}, err
		}
		r.tensors[name] = tensor
	}
	return r, nil
}

// bytes is about what it takes in a file, rather more.
func (r rest) bytes() int64 {
	const entry = 192 // of a tensor in the header, beside its name, and what aligns it
	header, _ := json.Marshal(r.metadata)
	n := int64(len(header))
	for name, t := range r.tensors {
		n += int64(len(t.Data) + 2*len(name) + entry)
	}
	return n
}

// addTo makes m the table of the model. What m says of itself stays.
func (r rest) addTo(m *codefile.Model) {
	if r.tensors != nil {
		m.Tensors = r.tensors
	}
	for key, value := range r.metadata {
		if _, ok := m.Metadata[key]; !ok {
			m.Metadata[key] = value
		}
	}
}
