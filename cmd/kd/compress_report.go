package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/quantize"
)

// compressResult is what --json prints.
type compressResult struct {
	File        string `json:"file"`
	FileBytes   int64  `json:"file_bytes"`
	Source      string `json:"source"`
	Method      string `json:"method"`
	N           int    `json:"n"`
	Dim         int    `json:"dim"`
	Ways        int    `json:"ways"`
	CodeLength  int    `json:"code_length"`
	CodeDim     int    `json:"code_dim"`
	Composition string `json:"composition"`
	DType       string `json:"dtype"`
	Effort      string `json:"effort"`
	Seed        uint64 `json:"seed"`

	quantize.Fidelity

	Bits          infoBits       `json:"bits"`
	Ratio         float64        `json:"ratio"`
	DigitEvenness digitEvenness  `json:"digit_evenness"`
	SharedCodes   int            `json:"shared_codes"`   // symbols that share their code with another
	DistinctCodes int            `json:"distinct_codes"` // different codes
	Seconds       float64        `json:"seconds"`        // of learning and encoding
	TotalSeconds  float64        `json:"total_seconds"`  // of reading, measuring, comparing and writing too
	Notes         []string       `json:"notes"`
	Compare       []rateAndError `json:"compare,omitempty"`
}

// digitEvenness says how evenly digits use their K values; 1 is perfectly even.
type digitEvenness struct {
	Min  float64 `json:"min"`
	Mean float64 `json:"mean"`
}

func newCompressResult(t *kdcode.Table, fidelity quantize.Fidelity, use quantize.Use) *compressResult {
	info, size := t.Info(), t.Size()
	r := &compressResult{
		Method: "kd " + string(info.Composition), N: info.N, Dim: info.Dim, Ways: info.K, CodeLength: info.D, CodeDim: info.CodeDim,
		Composition: string(info.Composition), DType: string(info.DType), Fidelity: fidelity,
		Bits: infoBits{size.Codes, size.Parameters, size.Symbols, size.Full}, Ratio: size.Ratio(),
		SharedCodes: use.Shared, DistinctCodes: use.Distinct, Notes: []string{},
	}
	if len(use.Evenness) > 0 {
		r.DigitEvenness.Min = slices.Min(use.Evenness)
		for _, e := range use.Evenness {
			r.DigitEvenness.Mean += e / float64(len(use.Evenness))
		}
	}
	return r
}

// print writes the report for humans.
func (r *compressResult) print(w io.Writer) {
	line := func(name, value, format string, args ...any) {
		fmt.Fprintf(w, "%-18s %8s  %s\n", name, value, fmt.Sprintf(format, args...))
	}
	stored := r.Bits.Codes + r.Bits.Parameters
	fmt.Fprintf(w, "%s: %s of width %d in %s instead of %s, %.1f times smaller\n", r.File, plural(r.N, "vector"), r.Dim, units(stored/8), units(r.Bits.Full/8), r.Ratio)
	fmt.Fprintf(w, "K = %d, D = %d, %s, %s, effort %s, seed %d\n\n", r.Ways, r.CodeLength, r.Composition, r.DType, r.Effort, r.Seed)

	line("relative error", fmt.Sprintf("%.4f", r.RelativeError), "of the vectors' squared length is lost")
	line("mean cosine", fmt.Sprintf("%.4f", r.MeanCosine), "between a vector and what stands for it")
	line("neighbours kept", fmt.Sprintf("%.3f", r.NeighbourOverlap), "of the 10 nearest, on a sample")
	line("digits", fmt.Sprintf("%.3f", r.DigitEvenness.Mean), "evenly used on average, %.3f at least; 1 is perfectly even", r.DigitEvenness.Min)
	line("shared codes", grouped(int64(r.SharedCodes)), "symbols have the code of another; %s different codes", grouped(int64(r.DistinctCodes)))
	line("seconds", fmt.Sprintf("%.1f", r.Seconds), "to learn, %.1f in all", r.TotalSeconds)

	fmt.Fprintf(w, "\n%-12s %10s %20s\n", "size", "stored", "bits")
	row := func(name string, bits int64, remark string) {
		fmt.Fprintf(w, "%-12s %10s %20s%s\n", name, units((bits+7)/8), grouped(bits), remark)
	}
	row("codes", r.Bits.Codes, "")
	row("parameters", r.Bits.Parameters, "")
	row("together", stored, "")
	row("full table", r.Bits.Full, "")
	if r.Bits.Symbols > 0 {
		row("symbols", r.Bits.Symbols, "  (stored either way, not in the ratio)")
	}
	row("file", 8*r.FileBytes, "")
	if len(r.Compare) > 0 {
		fmt.Fprintln(w)
		printComparison(w, r.Compare)
	}
}
