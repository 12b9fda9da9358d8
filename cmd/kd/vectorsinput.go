package main

import (
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
		return vectors.NewReader(s.in, "stdin", opts)
	}
	return vectors.Open(path, opts)
}
