package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/quantize"
	"github.com/kdcode/kdcode/vectors"
)

// tableInput is a table of vectors to work on: in memory, or read from its file
// or composed from codes as needed.
type tableInput struct {
	quantize.Source
	path    string          // as messages call it
	name    string          // of the file, without its folder
	symbols []string        // nil where the table has none
	held    int64           // bytes of it in memory
	notes   []string        // what was left out
	file    *vectors.Reader // from which rows are read; nil where all are in memory
	codes   *kdcode.Table   // from which rows are composed; nil where they are not
	rest    rest            // what else a code file holds
}

// stdin is what messages and metadata call standard input.
const stdin = "stdin"

// openSource opens the table at path, "-" for standard input. It is read into
// memory if it takes no more than half of what memory allows; 0 is no limit.
func (v *vectorsInput) openSource(ctx context.Context, s *streams, path string, memory int64) (*tableInput, error) {
	if path != "-" {
		code, err := isCodeFile(path)
		if err != nil {
			return nil, err
		}
		if code {
			in, err := v.openComposed(ctx, s, path, filepath.Base(path), memory)
			if !errors.As(err, new(ordinaryVectors)) { // whatever they are called
				return in, err
			}
		}
	}
	r, err := v.open(s, path)
	if err != nil {
		return nil, err
	}
	in := &tableInput{path: path, name: filepath.Base(path)}
	if path == "-" {
		in.path, in.name = stdin, stdin
	}
	switch {
	case memory > 0 && r.RandomAccess() && tableBytes(r.Len(), r.Dim()) > memory/2:
		in.file = r
		if err = in.stream(ctx, s, r); err != nil {
			in.Close()
		}
	case memory > 0 && !r.RandomAccess():
		err = in.readWithin(ctx, s, r, path, memory/2)
		r.Close()
	default:
		var t *inputTable
		if t, err = readAll(ctx, s, r, path); err == nil {
			in.hold(t)
		}
	}
	if err != nil {
		return nil, err
	}
	return in, nil
}

// Close closes the file, where it is still read from.
func (in *tableInput) Close() error {
	switch {
	case in.file != nil:
		return in.file.Close()
	case in.codes != nil:
		return in.codes.Close()
	}
	return nil
}

// tableBytes is what a table takes in memory.
func tableBytes(rows, dim int) int64 { return 4 * int64(rows) * int64(dim) }

// hold takes the whole table in memory.
func (in *tableInput) hold(t *inputTable) {
	in.Source = quantize.Matrix{Data: t.Data, D: t.Dim}
	in.symbols = t.Symbols
	in.held = tableBytes(t.Len(), t.Dim)
	if d := t.skipped.Duplicates; d.Count > 0 {
		in.notes = append(in.notes, fmt.Sprintf("left %s out whose symbol an earlier one has, the first at %s", plural(d.Count, "row"), d.First))
	}
}

// stream takes rows from r as they are needed, and its symbols at once.
func (in *tableInput) stream(ctx context.Context, s *streams, r *vectors.Reader) error {
	in.Source = fileSource{r}
	if !r.HasSymbols() {
		return nil
	}
	// Rows are found by their place in the file: none may be left out.
	row := make([]float32, r.Dim())
	s.progress.start()
	for {
		if len(in.symbols)%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			s.progress.update("reading symbols", len(in.symbols), r.Len())
		}
		symbol, err := r.Next(row)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		in.symbols = append(in.symbols, symbol)
	}
	if d := r.Skipped().Duplicates; d.Count > 0 {
		return dataf("%s: its symbol is that of an earlier row; in a table that is not read into memory, every row needs one of its own", d.First)
	}
	return nil
}

// readWithin reads a table that has no random access, unless it takes more
// than that many bytes.
func (in *tableInput) readWithin(ctx context.Context, s *streams, r *vectors.Reader, path string, most int64) error {
	t := &vectors.Table{Dim: r.Dim()}
	row := make([]float32, r.Dim())
	s.progress.start()
	for n := 0; ; n++ {
		if n%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			s.progress.update("reading "+path, n, r.Len())
		}
		symbol, err := r.Next(row)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if tableBytes(n+1, r.Dim()) > most {
			return dataf("%s: the table takes more than half of --memory, and can only be read from front to back; first make an array of it: kd convert %s t.npy --write-symbols, then compress that: t.npy --symbols t.npy.symbols.txt", path, path)
		}
		t.Data = append(t.Data, row...)
		if r.HasSymbols() {
			t.Symbols = append(t.Symbols, symbol)
		}
	}
	if t.Len() == 0 {
		return dataf("%s: the table has no vectors", path)
	}
	in.hold(&inputTable{t, r.Format(), r.Skipped()})
	return nil
}

// fileSource reads the rows of a file as they are needed.
type fileSource struct{ r *vectors.Reader }

func (f fileSource) Len() int { return f.r.Len() }
func (f fileSource) Dim() int { return f.r.Dim() }

func (f fileSource) Rows(dst []float32, first, n int) error {
	return f.r.ReadRows(dst[:n*f.r.Dim()], first)
}

// codeSource composes the rows of a code table as they are needed.
type codeSource struct{ *kdcode.Table }

func (c codeSource) Rows(dst []float32, first, n int) error {
	ids := make([]int, n)
	for i := range ids {
		ids[i] = first + i
	}
	return c.LookupBatch(dst[:n*c.Dim()], ids)
}
