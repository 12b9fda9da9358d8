package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/kdcode/kdcode/learn/lm"
)

// evalLMResult is what --json prints of a language model.
type evalLMResult struct {
	File       string  `json:"file"`
	Task       string  `json:"task"`
	Test       string  `json:"test"`
	Part       string  `json:"part"`
	Perplexity float64 `json:"perplexity"`
	Words      int     `json:"words"` // ends of sentences among them
	Backend    string  `json:"backend"`
	tableSize
}

func evalLM(ctx context.Context, s *streams, o evalOptions) (*evalLMResult, error) {
	if o.data.dir == "" {
		return nil, usagef("--data DIR is missing: %s is a language model", o.model)
	}
	if err := o.refuse("a language model", "name", "format", "threads"); err != nil {
		return nil, err
	}
	path, err := lm.Find(o.data.dir, o.part)
	if err != nil {
		return nil, err
	}
	size, err := sizeOf(o.model)
	if err != nil {
		return nil, err
	}
	backend, name, err := openBackend(o.backend)
	if err != nil {
		return nil, err
	}
	defer backend.Finalize()
	s.progress.note("measuring " + o.model)
	m, err := lm.Open(o.model, backend)
	if err != nil {
		return nil, err
	}
	text, err := m.ReadText(path)
	if err != nil {
		return nil, err
	}
	perplexity, err := m.Perplexity(ctx, text)
	if err != nil {
		return nil, withFile(path, err)
	}
	return &evalLMResult{
		File: o.model, Task: taskLM, Test: filepath.Base(o.data.dir), Part: o.part, Perplexity: perplexity, Words: len(text),
		Backend: name, tableSize: size,
	}, nil
}

// print writes the report for humans.
func (r *evalLMResult) print(w io.Writer) {
	fmt.Fprintf(w, "%s on the %s part of %s: perplexity %.2f, %s\n", r.File, r.Part, r.Test, r.Perplexity, plural(r.Words, "word"))
	r.tableSize.print(w)
}
