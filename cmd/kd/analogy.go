package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/search"
)

// analogyOptions are what kd analogy is told.
type analogyOptions struct {
	file   string
	wanted []string // three symbols or ids
	input  vectorsInput
	byID   bool
	limit  int
	json   bool
}

func newAnalogy(s *streams) *cobra.Command {
	var o analogyOptions
	cmd := &cobra.Command{
		Use:   "analogy FILE A B C",
		Short: "Answer: A is to B as C is to …",
		Long: `List the words that answer "A is to B as C is to …": those nearest, by cosine, to
B - A + C, each of the three made one long. The three themselves are left out. FILE is
a code file or, to see what compression changed, a table of ordinary vectors.`,
		Example: `  kd analogy glove.kd man king woman
  kd analogy glove.kd france paris italy --limit 3`,
		Args:              wantArgs(false, "FILE", "A", "B", "C"),
		ValidArgsFunction: completeTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.file, o.wanted = args[0], args[1:]
			if o.limit < 0 {
				return usagef("--limit %d: give a number from 0 up", o.limit)
			}
			return analogy(cmd.Context(), s, o)
		},
	}
	cmd.Flags().IntVar(&o.limit, "limit", 10, "show `N` words; 0 shows all")
	cmd.Flags().BoolVar(&o.byID, "id", false, "the arguments are ids (0 is the first symbol), not symbols")
	o.input.flags(cmd)
	jsonFlag(cmd, &o.json)
	return cmd
}

// analogyResult is what --json prints.
type analogyResult struct {
	File string      `json:"file"`
	A    neighbour   `json:"a"`
	B    neighbour   `json:"b"`
	C    neighbour   `json:"c"`
	Near []neighbour `json:"near"`
}

func analogy(ctx context.Context, s *streams, o analogyOptions) error {
	t, err := openSpace(ctx, s, o.file, o.input)
	if err != nil {
		return err
	}
	defer t.Close()
	result := analogyResult{File: o.file}
	var ids []int
	row := make([]float32, t.Dim())
	for i, word := range []*neighbour{&result.A, &result.B, &result.C} {
		if *word, err = wanted(ctx, t, o.file, o.wanted[i], o.byID); err != nil {
			return err
		}
		if err := t.Lookup(row, word.ID); err != nil {
			return fmt.Errorf("%s: %w", o.file, err)
		}
		if err := hasDirection(o.file, *word, row); err != nil {
			return err
		}
		ids = append(ids, word.ID)
	}
	query, err := search.Analogy(t, ids[0], ids[1], ids[2])
	if err != nil {
		return fmt.Errorf("%s: %w", o.file, err)
	}
	found, err := nearest(ctx, t, [][]float32{query}, [][]int{ids}, search.Cosine, o.limit)
	if err != nil {
		return fmt.Errorf("%s: %w", o.file, err)
	}
	result.Near = found[0]
	s.progress.clear()
	if o.json {
		return s.writeJSON(result)
	}
	of := fmt.Sprintf("%s is to %s as %s is to …", result.A.text(), result.B.text(), result.C.text())
	printNearest(s, search.Cosine, of, result.Near)
	return nil
}
