package main

import (
	"context"
	"fmt"
	"io"

	"github.com/kdcode/kdcode/vectors"
)

// codesToVectors looks up every vector of a code file.
func codesToVectors(ctx context.Context, s *streams, o convertOptions, to target) (convertResult, error) {
	t, err := openTable(o.in)
	if err != nil {
		return convertResult{}, err
	}
	if err := verify(ctx, t, o.in); err != nil {
		return convertResult{}, err
	}
	defer t.Close()
	if to.format.HasSymbols() && !t.HasSymbols() {
		return convertResult{}, dataf("%s: the table has no symbols, which %s needs; convert it to npy or safetensors", o.in, to.format)
	}
	w, err := newVectorsOutput(s, o, to, t.Dim(), t.Len(), t.HasSymbols())
	if err != nil {
		return convertResult{}, err
	}
	defer w.Close()
	const batch = 256
	s.progress.start()
	ids := make([]int, 0, batch)
	rows := make([]float32, batch*t.Dim())
	for first := 0; first < t.Len(); first += batch {
		if err := ctx.Err(); err != nil {
			return convertResult{}, err
		}
		ids = ids[:0]
		for id := first; id < min(first+batch, t.Len()); id++ {
			ids = append(ids, id)
		}
		if err := t.LookupBatch(rows[:len(ids)*t.Dim()], ids); err != nil {
			return convertResult{}, fmt.Errorf("%s: %w", o.in, err)
		}
		for i, id := range ids {
			symbol := ""
			if t.HasSymbols() {
				if symbol, err = t.Symbol(id); err != nil {
					return convertResult{}, fmt.Errorf("%s: %w", o.in, err)
				}
			}
			if err := w.Write(symbol, rows[i*t.Dim():][:t.Dim()]); err != nil {
				return convertResult{}, err
			}
		}
		s.progress.update("converting", first, t.Len())
	}
	r := w.result("kd")
	return r, w.finish(ctx)
}

// vectorsToVectors copies a table row by row.
func vectorsToVectors(ctx context.Context, s *streams, o convertOptions, to target) (convertResult, error) {
	rows := 0
	// These must state the number of rows before the first, and cannot go
	// back to do so.
	if to.format != vectors.GloVe && (to.gzip || o.out == "-") && o.in != "-" {
		r, err := o.input.open(s, o.in)
		if err != nil {
			return convertResult{}, err
		}
		rows, err = countRows(ctx, s, r)
		r.Close()
		if err != nil {
			return convertResult{}, err
		}
	}
	r, err := o.input.open(s, o.in)
	if err != nil {
		return convertResult{}, err
	}
	defer r.Close()
	if to.format.HasSymbols() && !r.HasSymbols() {
		return convertResult{}, dataf("%s: the table has no symbols, which %s needs; name a file of them with --symbols, or convert it to npy or safetensors", o.in, to.format)
	}
	w, err := newVectorsOutput(s, o, to, r.Dim(), rows, r.HasSymbols())
	if err != nil {
		return convertResult{}, err
	}
	defer w.Close()
	s.progress.start()
	row := make([]float32, r.Dim())
	for n := 0; ; n++ {
		if n%256 == 0 {
			if err := ctx.Err(); err != nil {
				return convertResult{}, err
			}
			s.progress.update("converting", n, r.Len())
		}
		symbol, err := r.Next(row)
		if err == io.EOF {
			break
		}
		if err == nil {
			err = w.Write(symbol, row)
		}
		if err != nil {
			return convertResult{}, err
		}
	}
	result := w.result(r.Format().String())
	if d := r.Skipped().Duplicates; d.Count > 0 {
		result.Duplicates = d.Count
		result.notes = append(result.notes, fmt.Sprintf("left %s out whose symbol an earlier one has, the first at %s", plural(d.Count, "row"), d.First))
	}
	return result, w.finish(ctx)
}

// vectorsOutput writes OUT and, where asked, its symbols.
type vectorsOutput struct {
	*vectors.Writer
	o          convertOptions
	to         target
	dim, n     int
	dtype      vectors.DType
	hasSymbols bool
	symbols    []string // kept for symbolsFile
}

func newVectorsOutput(s *streams, o convertOptions, to target, dim, rows int, hasSymbols bool) (*vectorsOutput, error) {
	v := &vectorsOutput{o: o, to: to, dim: dim, hasSymbols: hasSymbols}
	var err error
	if o.dtype != "" {
		if v.dtype, err = vectors.ParseDType(o.dtype); err != nil {
			return nil, usagef("--dtype: %w", err)
		}
	}
	if o.writeSymbols && !hasSymbols {
		return nil, dataf("%s: the table has no symbols to write; name a file of them with --symbols", o.in)
	}
	opts := vectors.WriterOptions{Rows: rows, DType: v.dtype, Gzip: to.gzip}
	if o.out == "-" {
		v.Writer, err = vectors.NewWriter(s.out, "stdout", to.format, dim, opts)
	} else {
		v.Writer, err = vectors.Create(o.out, to.format, dim, opts)
	}
	return v, err
}

// Write writes a row.
func (v *vectorsOutput) Write(symbol string, row []float32) error {
	v.n++
	if v.o.writeSymbols {
		v.symbols = append(v.symbols, symbol)
	}
	return v.Writer.Write(symbol, row)
}

func (v *vectorsOutput) symbolsFile() string { return v.o.out + ".symbols.txt" }

// finish makes the files appear, OUT last.
func (v *vectorsOutput) finish(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if v.o.writeSymbols {
		if err := vectors.WriteSymbols(v.symbolsFile(), v.symbols); err != nil {
			return err
		}
	}
	return v.Commit()
}

// result says what was written.
func (v *vectorsOutput) result(from string) convertResult {
	r := convertResult{From: from, To: v.to.format.String(), N: v.n, Dim: v.dim, DType: v.dtype.String()}
	switch {
	case v.o.writeSymbols:
		r.SymbolsFile = v.symbolsFile()
		r.notes = append(r.notes, fmt.Sprintf("%s: %s, one a line", v.symbolsFile(), plural(v.n, "symbol")))
	case v.hasSymbols && !v.to.format.HasSymbols():
		r.notes = append(r.notes, fmt.Sprintf("the symbols are left out: %s has none; --write-symbols puts them into %s", v.to.format, v.symbolsFile()))
	}
	return r
}
