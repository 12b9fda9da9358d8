package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/search"
)

// similarOptions are what kd similar is told.
type similarOptions struct {
	file   string
	wanted []string // symbols or ids
	input  vectorsInput
	byID   bool
	limit  int
	metric string
	json   bool
}

func newSimilar(s *streams) *cobra.Command {
	var o similarOptions
	cmd := &cobra.Command{
		Use:   "similar FILE SYMBOL…",
		Short: "List the words whose vectors are nearest",
		Long: `List for each symbol the words whose vectors are nearest to its own. All vectors
are compared, by their codes, and the answer is exact. FILE is a code file or, to see
what compression changed, a table of ordinary vectors.`,
		Example: `  kd similar glove.kd cat
  kd similar glove.kd paris london --limit 5
  kd similar glove.6B.100d.txt cat`,
		Args:              wantArgs(true, "FILE", "SYMBOL"),
		ValidArgsFunction: completeTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.file, o.wanted = args[0], args[1:]
			if o.limit < 0 {
				return usagef("--limit %d: give a number from 0 up", o.limit)
			}
			metric, err := search.ParseMetric(o.metric)
			if err != nil {
				return usagef("--metric %s: use one of %s", o.metric, strings.Join(names(search.Metrics), ", "))
			}
			return similar(cmd.Context(), s, o, metric)
		},
	}
	cmd.Flags().IntVar(&o.limit, "limit", 10, "show `N` words; 0 shows all")
	cmd.Flags().StringVar(&o.metric, "metric", string(search.Cosine), "what near `MEANS`: "+strings.Join(names(search.Metrics), ", "))
	cmd.Flags().BoolVar(&o.byID, "id", false, "the arguments are ids (0 is the first symbol), not symbols")
	o.input.flags(cmd)
	completeFlag(cmd, "metric", names(search.Metrics)...)
	jsonFlag(cmd, &o.json)
	return cmd
}

// similarResult is what --json prints.
type similarResult struct {
	File    string        `json:"file"`
	Metric  search.Metric `json:"metric"`
	Symbols []similarTo   `json:"symbols"`
}

// similarTo is a word with those nearest to it.
type similarTo struct {
	neighbour
	Near []neighbour `json:"near"`
}

func similar(ctx context.Context, s *streams, o similarOptions, metric search.Metric) error {
	t, err := openSpace(ctx, s, o.file, o.input)
	if err != nil {
		return err
	}
	defer t.Close()
	result := similarResult{File: o.file, Metric: metric}
	queries, self := make([][]float32, len(o.wanted)), make([][]int, len(o.wanted))
	for i, want := range o.wanted {
		word, err := wanted(ctx, t, o.file, want, o.byID)
		if err != nil {
			return err
		}
		queries[i] = make([]float32, t.Dim())
		if err := t.Lookup(queries[i], word.ID); err != nil {
			return fmt.Errorf("%s: %w", o.file, err)
		}
		if err := hasDirection(o.file, word, queries[i]); err != nil {
			return err
		}
		self[i] = []int{word.ID}
		result.Symbols = append(result.Symbols, similarTo{neighbour: word})
	}
	found, err := nearest(ctx, t, queries, self, metric, o.limit)
	if err != nil {
		return fmt.Errorf("%s: %w", o.file, err)
	}
	for i, near := range found {
		result.Symbols[i].Near = near
	}
	s.progress.clear()
	if o.json {
		return s.writeJSON(result)
	}
	for i, word := range result.Symbols {
		if i > 0 {
			fmt.Fprintln(s.out)
		}
		printNearest(s, metric, word.text(), word.Near)
	}
	return nil
}
