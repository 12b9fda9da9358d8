package main

import (
	"bufio"
	"bytes"
	"context"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/vectors"
)

// vectorsInput is how a verb that reads ordinary vectors is told to read them.
type vectorsInput struct {
	symbols string
	tensor  string
	dim     int
}

// flags gives cmd the flags of a verb that reads ordinary vectors.
func (v *vectorsInput) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&v.symbols, "symbols", "", "`FILE` of the input's symbols, where it has none: one a line, or a tokenizer.json")
	cmd.Flags().StringVar(&v.tensor, "tensor", "", "`NAME` of the tensor to read, in a safetensors input with several")
	cmd.Flags().IntVar(&v.dim, "dim", 0, "width `d` of the vectors, in a text input where it cannot be told")
	completeFlag(cmd, "tensor")
}

// given reports whether any of the flags is.
func (v *vectorsInput) given() bool { return *v != vectorsInput{} }

// open opens the table at path; "-" is standard input.
func (v *vectorsInput) open(s *streams, path string) (*vectors.Reader, error) {
	if v.dim < 0 {
		return nil, usagef("--dim %d: give a number from 1 up", v.dim)
	}
	opts := vectors.Options{Tensor: v.tensor, Symbols: v.symbols, Dim: v.dim}
	if path == "-" {
		in := bufio.NewReaderSize(s.in, 64<<10)
		if beginsAsCodeFile(in) {
			return nil, dataf("%s: a code file, which cannot come through a pipe, since it is mapped; name the file", stdin)
		}
		return vectors.NewReader(in, stdin, opts)
	}
	return vectors.Open(path, opts)
}

// beginsAsCodeFile reports whether what comes is a code file: what says so is
// among the first of its header.
func beginsAsCodeFile(r *bufio.Reader) bool {
	head, _ := r.Peek(2048) // fewer, where there are fewer
	return bytes.Contains(head, []byte(`{"__metadata__":{`)) && bytes.Contains(head, []byte(`"format":"kdcode"`))
}

// inputTable is a table of ordinary vectors in memory.
type inputTable struct {
	*vectors.Table
	format  vectors.Format
	skipped vectors.Skipped
}

// readAll reads the whole table at path; "-" is standard input.
func (v *vectorsInput) readAll(ctx context.Context, s *streams, path string) (*inputTable, error) {
	r, err := v.open(s, path)
	if err != nil {
		return nil, err
	}
	return readAll(ctx, s, r, path)
}

// readAll reads r, the table at path, to its end and closes it.
func readAll(ctx context.Context, s *streams, r *vectors.Reader, path string) (*inputTable, error) {
	s.progress.note("reading " + path)
	var t *vectors.Table
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer r.Close()
		t, err = r.ReadAll()
	}()
	select {
	case <-done:
	case <-ctx.Done(): // kd is about to end: the reading is left to itself
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	if t.Len() == 0 {
		return nil, dataf("%s: the table has no vectors", path)
	}
	return &inputTable{t, r.Format(), r.Skipped()}, nil
}
