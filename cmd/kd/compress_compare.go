package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/kdcode/kdcode/quantize"
)

// rateAndError is what a method takes and what it loses.
type rateAndError struct {
	Method string  `json:"method"`
	Bits   int64   `json:"bits"`
	Ratio  float64 `json:"ratio"`
	quantize.Fidelity
	Seconds float64 `json:"seconds"`
}

// ours is the line of what was compressed.
func (r *compressResult) ours() rateAndError {
	return rateAndError{r.Method, r.Bits.Codes + r.Bits.Parameters, r.Ratio, r.Fidelity, r.Seconds}
}

// compareAll measures the other methods, and draws them at several sizes.
func (c *compressor) compareAll(ctx context.Context, r *compressResult) error {
	others, err := c.baselines(ctx, c.q)
	if err != nil {
		return err
	}
	r.Compare = append([]rateAndError{r.ours()}, others...)
	if c.o.plot == "" {
		return nil
	}
	drawn := r.Compare
	for _, d := range otherLengths(c.q.D) {
		q := c.q
		q.D = d
		if _, err := quantize.Check(c.in, c.in.symbols, q); err != nil {
			continue // not every length fits every composition
		}
		more, err := c.atLength(ctx, q)
		if err != nil {
			return err
		}
		drawn = append(drawn, more...)
	}
	return drawComparison(c.o.plot, c.in.name, c.in.Len(), c.in.Dim(), drawn)
}

// otherLengths are the lengths of code at which methods are drawn besides D.
func otherLengths(d int) []int {
	var all []int
	for _, other := range []int{d / 4, d / 2, 2 * d} {
		if other > 0 {
			all = append(all, other)
		}
	}
	return all
}

// baselines measures the other methods at about the bits of q.
func (c *compressor) baselines(ctx context.Context, q quantize.Options) ([]rateAndError, error) {
	var all []rateAndError
	full := 32 * int64(c.in.Len()) * int64(c.in.Dim())
	c.s.progress.note("comparing")
	err := quantize.Baselines(ctx, c.in, c.in.symbols, q, func(b quantize.Baseline) error {
		c.s.progress.note("measuring " + b.Method)
		fidelity, err := quantize.Measure(ctx, c.in, b.Vectors, q)
		if err != nil {
			return err
		}
		all = append(all, rateAndError{b.Method, b.Bits, float64(full) / float64(b.Bits), fidelity, b.Seconds})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.in.path, err)
	}
	return all, nil
}

// atLength compresses and compares with codes of another length.
func (c *compressor) atLength(ctx context.Context, q quantize.Options) ([]rateAndError, error) {
	m, err := quantize.Compress(ctx, c.in, c.in.symbols, q)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.in.path, err)
	}
	t, err := tableOf(m)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	fidelity, err := quantize.Measure(ctx, c.in, codeSource{t}, q)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.in.path, err)
	}
	others, err := c.baselines(ctx, q)
	if err != nil {
		return nil, err
	}
	return append([]rateAndError{newCompressResult(t, fidelity, quantize.Use{}).ours()}, others...), nil
}

// printComparison writes one line a method, aligned.
func printComparison(w io.Writer, all []rateAndError) {
	width := len("method")
	for _, r := range all {
		width = max(width, len([]rune(r.Method)))
	}
	fmt.Fprintf(w, "%-*s %16s %8s %10s %8s %10s %8s\n", width, "method", "bits", "ratio", "rel. error", "cosine", "neighbours", "seconds")
	for _, r := range all {
		pad := strings.Repeat(" ", width-len([]rune(r.Method)))
		fmt.Fprintf(w, "%s%s %16s %8.2f %10.4f %8.4f %10.3f %8.2f\n", r.Method, pad, grouped(r.Bits), r.Ratio, r.RelativeError, r.MeanCosine, r.NeighbourOverlap, r.Seconds)
	}
}
