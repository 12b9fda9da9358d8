package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/internal/atomicfile"
	"github.com/kdcode/kdcode/serve"
)

// mapOptions are what kd map is told.
type mapOptions struct {
	file string
	out  string
	size int
	json bool
}

func newMap(s *streams) *cobra.Command {
	var o mapOptions
	cmd := &cobra.Command{
		Use:   "map FILE -o OUT.json",
		Short: "Put the most frequent words on a plane",
		Long: `Put the most frequent symbols of a code file on a plane, by the two directions in
which their vectors, made one long, differ most (principal components). kd serve shows
the map, and computes it itself where none is given.`,
		Example: `  kd map glove.kd -o map.json
  kd serve glove.kd --map map.json`,
		Args:              wantArgs(false, "FILE"),
		ValidArgsFunction: completeCodeFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.file = args[0]
			switch {
			case o.out == "" && !o.json:
				return usagef("-o OUT.json is missing; or print the map with --json")
			case o.out == "-":
				return usagef("-o -: name a file; --json prints the map")
			case o.size < 1:
				return usagef("--size %d: give a number from 1 up", o.size)
			}
			return makeMap(cmd.Context(), s, o)
		},
	}
	cmd.Flags().StringVarP(&o.out, "out", "o", "", "`OUT`, the JSON file to write")
	cmd.Flags().IntVar(&o.size, "size", serve.DefaultMapSize, "put the `N` most frequent symbols on it")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the map, one JSON object")
	return cmd
}

func makeMap(ctx context.Context, s *streams, o mapOptions) error {
	if err := canWrite([]string{o.file}, o.out); err != nil {
		return err
	}
	t, err := openTable(o.file)
	if err != nil {
		return err
	}
	defer t.Close()
	s.progress.note("projecting")
	m, err := serve.NewMap(ctx, t, o.size)
	if err != nil {
		return fmt.Errorf("%s: %w", o.file, err)
	}
	s.progress.clear()
	if o.json {
		if err := s.writeJSON(m); err != nil || o.out == "" {
			return err
		}
	}
	f, err := atomicfile.Create(o.out)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := json.NewEncoder(f).Encode(m); err != nil {
		return err
	}
	if err := f.Commit(); err != nil {
		return err
	}
	if !o.json {
		fmt.Fprintf(s.out, "%s: %s; x and y show %.1f %% and %.1f %% of how their vectors differ\n",
			o.out, plural(len(m.IDs), "symbol"), 100*m.Explained[0], 100*m.Explained[1])
	}
	return nil
}
