package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/codefile"
)

// benchLearnOptions are what kd bench learn is told.
type benchLearnOptions struct {
	n       []int
	k, d    int
	dim     int
	tokens  int
	steps   int
	backend string
	json    bool
}

func newBenchLearn(s *streams) *cobra.Command {
	var o benchLearnOptions
	cmd := &cobra.Command{
		Use:   "learn",
		Short: "Measure a training step of the layer that learns codes",
		Long: `Measure how long a training step of the paper's layer takes, and the memory, for tables
of several sizes: symbols are drawn at random, each distinct one of a batch is composed
once, and lazy Adam moves their rows alone. A step should not take longer where N is
larger.

Times are medians over the steps after the first few. Each N runs in a process of its
own; memory is the most that the process had resident. That of a GPU is not in it.
N = 1,000,000 with K = D = 32 takes 12.3 GB for the logits and Adam's moments.`,
		Example: `  kd bench learn
  kd bench learn -N 10000,100000 -K 16 -D 16 --dim 100 --json`,
		Args: wantArgs(false),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			return benchLearn(cmd.Context(), s, o)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := cmd.Flags()
	f.IntSliceVarP(&o.n, "n", "N", []int{10_000, 1_000_000}, "`N`, the symbols; several, separated by commas")
	f.IntVarP(&o.k, "ways", "K", 32, "`K`, the values that a digit can take")
	f.IntVarP(&o.d, "code-length", "D", 32, "`D`, the digits of a code")
	f.IntVar(&o.dim, "dim", 300, "`d`, the width of the embeddings")
	f.IntVar(&o.tokens, "batch-tokens", 2048, "`N` symbols that a batch has, repetitions included")
	f.IntVar(&o.steps, "steps", 20, "`N` steps to measure")
	backendFlag(cmd, &o.backend)
	jsonFlag(cmd, &o.json)
	return cmd
}

func (o *benchLearnOptions) check() error {
	switch {
	case len(o.n) == 0:
		return usagef("-N: give a number from 2 up")
	case o.k < 2 || o.k > codefile.MaxK:
		return usagef("-K %d: give a number from 2 to %d", o.k, codefile.MaxK)
	case o.d < 1 || o.d > codefile.MaxD:
		return usagef("-D %d: give a number from 1 to %d", o.d, codefile.MaxD)
	case o.dim < 1:
		return usagef("--dim %d: give a number from 1 up", o.dim)
	case o.tokens < 1:
		return usagef("--batch-tokens %d: give a number from 1 up", o.tokens)
	case o.steps < 1:
		return usagef("--steps %d: give a number from 1 up", o.steps)
	}
	for _, n := range o.n {
		if n < 2 || n > codefile.MaxN {
			return usagef("-N %d: give a number from 2 to %d", n, codefile.MaxN)
		}
	}
	return nil
}

// benchLearnResult is what --json prints.
type benchLearnResult struct {
	Backend     string           `json:"backend"`
	Ways        int              `json:"ways"`
	CodeLength  int              `json:"code_length"`
	Dim         int              `json:"dim"`
	BatchTokens int              `json:"batch_tokens"`
	Steps       int              `json:"steps"`
	Sizes       []benchLearnSize `json:"sizes"`
}

// benchLearnSize is what was measured of one N.
type benchLearnSize struct {
	N            int     `json:"n"`
	StepMS       float64 `json:"step_ms"`     // the median
	StepMinMS    float64 `json:"step_min_ms"` // the fastest
	Ratio        float64 `json:"ratio"`       // of the median, to the first N
	Distinct     float64 `json:"distinct"`    // symbols of a batch, on average
	FirstSeconds float64 `json:"first_seconds"`
	PeakBytes    int64   `json:"peak_bytes"` // resident; 0 where the system does not tell
}

func benchLearn(ctx context.Context, s *streams, o benchLearnOptions) error {
	r := &benchLearnResult{Ways: o.k, CodeLength: o.d, Dim: o.dim, BatchTokens: o.tokens, Steps: o.steps}
	for _, n := range o.n {
		s.progress.note(fmt.Sprintf("measuring N = %s", grouped(int64(n))))
		measured, backend, err := measureLearn(ctx, o, n)
		if err != nil {
			return err
		}
		r.Backend = backend
		r.Sizes = append(r.Sizes, measured)
		r.Sizes[len(r.Sizes)-1].Ratio = measured.StepMS / r.Sizes[0].StepMS
	}
	s.progress.clear()
	if o.json {
		return s.writeJSON(r)
	}
	r.print(s.out)
	return nil
}

// measureLearn measures one N: here if it is the only one, else in a process of
// its own, whose memory is its own.
func measureLearn(ctx context.Context, o benchLearnOptions, n int) (benchLearnSize, string, error) {
	if len(o.n) == 1 {
		return measureSteps(ctx, o, n)
	}
	self, err := os.Executable()
	if err != nil {
		return benchLearnSize{}, "", err
	}
	args := []string{"bench", "learn", "--json", "--backend", o.backend}
	for flag, v := range map[string]int{"n": n, "ways": o.k, "code-length": o.d, "dim": o.dim, "batch-tokens": o.tokens, "steps": o.steps} {
		args = append(args, "--"+flag, strconv.Itoa(v))
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return benchLearnSize{}, "", ctx.Err()
		}
		said := strings.TrimPrefix(strings.TrimSpace(stderr.String()), "kd: ")
		return benchLearnSize{}, "", fmt.Errorf("measuring N = %d: %w; %s", n, err, said)
	}
	var r benchLearnResult
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil || len(r.Sizes) != 1 {
		return benchLearnSize{}, "", fmt.Errorf("measuring N = %d: the process said %q", n, stdout.String())
	}
	return r.Sizes[0], r.Backend, nil
}

// print writes the measurements for humans.
func (r *benchLearnResult) print(w io.Writer) {
	fmt.Fprintf(w, "a training step: K = %d, D = %d, d = %d, %s symbols a batch, %s; backend %s\n\n", r.Ways, r.CodeLength, r.Dim, grouped(int64(r.BatchTokens)), plural(r.Steps, "step"), r.Backend)
	fmt.Fprintf(w, "%12s %10s %10s %8s %10s %10s %12s\n", "N", "ms a step", "fastest", "ratio", "distinct", "first, s", "peak memory")
	for _, m := range r.Sizes {
		memory := "unknown"
		if m.PeakBytes > 0 {
			memory = units(m.PeakBytes)
		}
		fmt.Fprintf(w, "%12s %10.2f %10.2f %8.2f %10.0f %10.1f %12s\n", grouped(int64(m.N)), m.StepMS, m.StepMinMS, m.Ratio, m.Distinct, m.FirstSeconds, memory)
	}
}
