package main

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	_ "github.com/kdcode/kdcode/engine" // registers "simd"
)

// benchEngineOptions are what kd bench engine is told.
type benchEngineOptions struct {
	backend  string
	beside   string // none where it is empty
	only     string
	elements int
	seconds  float64
	lm       []string
	words    int
	json     bool
}

func newBenchEngine(s *streams) *cobra.Command {
	var o benchEngineOptions
	cmd := &cobra.Command{
		Use:   "engine",
		Short: "Measure the operations that training is made of",
		Long: `Measure operations of GoMLX graphs on one backend beside another: matrix products,
functions of floats, chains of them, softmax, reductions, gathers and scatters of rows,
transposes, random numbers; with --lm also training steps of the language model, on made-up
text. The two backends take turns, so that other programs on the machine slow both
down alike; times are medians, with the fastest beside them.

GB/s count each array that an operation must read or write, once. A plain copy on all
cores is shown for comparison.`,
		Example: `  kd bench engine
  kd bench engine --only 'product|softmax' --seconds 3
  kd bench engine --only lm --lm small,medium --json`,
		Args: wantArgs(false),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			return benchEngine(cmd.Context(), s, o)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := cmd.Flags()
	f.StringVar(&o.backend, "backend", "simd", "`NAME` of the backend to measure")
	f.StringVar(&o.beside, "beside", "go", "`NAME` of the backend to compare with; empty for none")
	f.StringVar(&o.only, "only", "", "measure operations whose name this regular `EXPRESSION` matches")
	f.IntVar(&o.elements, "elements", 5_000_000, "`N` floats, where shapes do not say how many")
	f.Float64Var(&o.seconds, "seconds", 1, "time `S` for each operation; it runs three times at least")
	f.StringSliceVar(&o.lm, "lm", nil, "`SIZES` of language models whose steps to measure: small, medium, large")
	f.IntVar(&o.words, "lm-words", 10_000, "`N` words that the language models know")
	completeFlag(cmd, "lm", lmSizes...)
	jsonFlag(cmd, &o.json)
	return cmd
}

func (o *benchEngineOptions) check() error {
	switch {
	case o.elements < 1 || o.elements > 1<<28:
		return usagef("--elements %d: give a number from 1 to %d", o.elements, 1<<28)
	case !(o.seconds > 0) || o.seconds > 3600:
		return usagef("--seconds %g: give a time above 0", o.seconds)
	case o.words < 2:
		return usagef("--lm-words %d: give a number from 2 up", o.words)
	}
	if _, err := regexp.Compile(o.only); err != nil {
		return usagef("--only %s: %v", o.only, err)
	}
	for _, size := range o.lm {
		if !slices.Contains(lmSizes, size) {
			return usagef("--lm %s: use some of %s", size, strings.Join(lmSizes, ", "))
		}
	}
	if len(chosen(*o)) == 0 {
		return usagef("--only %s: no operation is called so; without it all are shown, those of language models with --lm", o.only)
	}
	return nil
}

// benchEngineResult is what --json prints.
type benchEngineResult struct {
	Backend    string                 `json:"backend"`
	Beside     string                 `json:"beside,omitempty"`
	Kernels    string                 `json:"kernels"` // the instruction set in use
	Threads    int                    `json:"threads"`
	Elements   int                    `json:"elements"`
	CopyNS     float64                `json:"copy_ns"` // of so many floats, by all threads
	Operations []benchEngineOperation `json:"operations"`
}

// benchEngineOperation is what was measured of one operation.
type benchEngineOperation struct {
	Name   string            `json:"name"`
	Shape  string            `json:"shape,omitempty"`
	Unit   string            `json:"unit,omitempty"` // of the rates: GFLOP/s or GB/s
	Engine benchEngineTiming `json:"engine"`
	Beside benchEngineTiming `json:"beside,omitzero"`
	Ratio  float64           `json:"ratio,omitempty"` // of the medians: how many times as fast
}

// benchEngineTiming is the time of an operation on one backend.
type benchEngineTiming struct {
	NS    float64 `json:"ns"` // the median
	MinNS float64 `json:"min_ns"`
	Rate  float64 `json:"rate,omitempty"` // by the median
	Runs  int     `json:"runs"`
}

func benchEngine(ctx context.Context, s *streams, o benchEngineOptions) error {
	r, err := measureEngine(ctx, s, o)
	if err != nil {
		return err
	}
	s.progress.clear()
	if o.json {
		return s.writeJSON(r)
	}
	r.print(s.out)
	return nil
}

// print writes the measurements for humans.
func (r *benchEngineResult) print(w io.Writer) {
	fmt.Fprintf(w, "backend %s; kernels: %s; %s\n", r.Backend, r.Kernels, plural(r.Threads, "thread"))
	fmt.Fprintf(w, "a plain copy of %s floats: %s, %.1f GB/s\n\n", grouped(int64(r.Elements)), duration(r.CopyNS), float64(8*r.Elements)/r.CopyNS)
	fmt.Fprintf(w, "%-26s %-28s %12s %12s %16s", "operation", "shape", r.Backend, "fastest", "rate")
	if r.Beside != "" {
		fmt.Fprintf(w, " %12s %8s", r.Beside, "ratio")
	}
	fmt.Fprintln(w)
	for _, m := range r.Operations {
		rate := ""
		if m.Unit != "" {
			rate = fmt.Sprintf("%.1f %s", m.Engine.Rate, m.Unit)
		}
		fmt.Fprintf(w, "%-26s %-28s %12s %12s %16s", m.Name, m.Shape, duration(m.Engine.NS), duration(m.Engine.MinNS), rate)
		if r.Beside != "" {
			fmt.Fprintf(w, " %12s %8.1f", duration(m.Beside.NS), m.Ratio)
		}
		fmt.Fprintln(w)
	}
}

// duration returns nanoseconds with three digits or so, and a unit.
func duration(ns float64) string {
	switch {
	case ns < 1e6:
		return fmt.Sprintf("%.1f µs", ns/1e3)
	case ns < 1e9:
		return fmt.Sprintf("%.2f ms", ns/1e6)
	}
	return time.Duration(ns).Round(10 * time.Millisecond).String()
}
