package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/codefile"
)

// benchLookupOptions are what kd bench lookup is told.
type benchLookupOptions struct {
	file    string // or a made-up table of this shape:
	n       int
	k       int
	d       int
	dim     int
	compose string
	dtype   string

	seconds float64
	threads int
	json    bool
}

// shapeFlags are those that describe a made-up table.
var shapeFlags = []string{"n", "ways", "code-length", "dim", "compose", "dtype"}

func newBenchLookup(s *streams) *cobra.Command {
	var o benchLookupOptions
	cmd := &cobra.Command{
		Use:   "lookup [FILE]",
		Short: "Measure looking vectors up",
		Long: `Measure a code file, or a made-up table of the given shape: looking up vectors of
random ids, one by one, in batches of 256, and on several goroutines; finding the ids
of random symbols; opening the file, and the memory that takes. Each time is the
median of many short runs; the fastest one is shown too, since other programs on a busy
machine slow the rest down.`,
		Example: `  kd bench lookup glove.kd
  kd bench lookup -N 341479 -K 32 -D 32 --dim 300
  kd bench lookup -N 1000000 --json`,
		ValidArgsFunction: completeCodeFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				if err := wantArgs(false, "FILE")(cmd, args); err != nil {
					return err
				}
				o.file = args[0]
				for _, name := range shapeFlags {
					if cmd.Flags().Changed(name) {
						return usagef("--%s is for a made-up table: leave it or the file out", name)
					}
				}
			}
			if err := o.check(); err != nil {
				return err
			}
			return benchLookup(cmd.Context(), s, o)
		},
	}
	f := cmd.Flags()
	f.IntVarP(&o.n, "n", "N", 341479, "`N`, the symbols of the made-up table")
	f.IntVarP(&o.k, "ways", "K", 32, "`K`, the values that a digit can take")
	f.IntVarP(&o.d, "code-length", "D", 32, "`D`, the digits of a code")
	f.IntVar(&o.dim, "dim", 100, "`d`, the width of the vectors")
	f.StringVar(&o.compose, "compose", string(codefile.Sum), "`KIND` of composition: "+strings.Join(names(codefile.Compositions), ", "))
	f.StringVar(&o.dtype, "dtype", string(codefile.Float32), "`TYPE` of the code embeddings: "+strings.Join(names(codefile.DTypes), ", "))
	f.Float64Var(&o.seconds, "seconds", 2, "time `S` for each of the four measurements")
	f.IntVar(&o.threads, "threads", 2, "`N` goroutines to compare with one")
	completeFlag(cmd, "compose", names(codefile.Compositions)...)
	completeFlag(cmd, "dtype", names(codefile.DTypes)...)
	jsonFlag(cmd, &o.json)
	return cmd
}

func (o *benchLookupOptions) check() error {
	_, composeErr := codefile.ParseComposition(o.compose)
	_, dtypeErr := codefile.ParseDType(o.dtype)
	switch {
	case !(o.seconds > 0) || o.seconds > 3600:
		return usagef("--seconds %g: give a time above 0", o.seconds)
	case o.threads < 1:
		return usagef("--threads %d: give a number from 1 up", o.threads)
	case o.n < 1 || o.n > codefile.MaxN:
		return usagef("-N %d: give a number from 1 to %d", o.n, codefile.MaxN)
	case o.k < 2 || o.k > codefile.MaxK:
		return usagef("-K %d: give a number from 2 to %d", o.k, codefile.MaxK)
	case o.d < 1 || o.d > codefile.MaxD:
		return usagef("-D %d: give a number from 1 to %d", o.d, codefile.MaxD)
	case o.dim < 1:
		return usagef("--dim %d: give a number from 1 up", o.dim)
	case composeErr != nil:
		return usagef("--compose %s: use one of %s", o.compose, strings.Join(names(codefile.Compositions), ", "))
	case dtypeErr != nil:
		return usagef("--dtype %s: use one of %s", o.dtype, strings.Join(names(codefile.DTypes), ", "))
	case o.compose == string(codefile.Concat) && o.dim%o.d != 0:
		return usagef("--dim %d: concat needs a multiple of -D %d", o.dim, o.d)
	}
	return nil
}

// benchLookupResult is what --json prints.
type benchLookupResult struct {
	File        string `json:"file,omitempty"` // none: a made-up table
	N           int    `json:"n"`
	Ways        int    `json:"ways"`
	CodeLength  int    `json:"code_length"`
	Dim         int    `json:"dim"`
	CodeDim     int    `json:"code_dim"`
	Composition string `json:"composition"`
	DType       string `json:"dtype"`
	Kernels     string `json:"kernels"` // the instruction set in use

	LookupNS    float64 `json:"lookup_ns"`
	LookupMinNS float64 `json:"lookup_min_ns"` // the fastest slice; so below
	BatchNS     float64 `json:"batch_ns"`      // a vector
	BatchMinNS  float64 `json:"batch_min_ns"`
	GBPerS      float64 `json:"gb_per_s"` // of code embeddings composed, in batches
	IDNS        float64 `json:"id_ns"`    // 0 in a table without symbols
	IDMinNS     float64 `json:"id_min_ns"`
	Threads     int     `json:"threads"`
	Speedup     float64 `json:"threads_speedup"` // batches on so many goroutines, times one

	OpenMS             float64 `json:"open_ms"`
	HeapBytes          int64   `json:"heap_bytes"`           // after opening
	CodeEmbeddingBytes int64   `json:"code_embedding_bytes"` // of it, as float32 without padding
	FileBytes          int64   `json:"file_bytes"`
	SymbolBytes        int64   `json:"symbol_bytes"`               // of the symbols themselves
	SymbolOverhead     float64 `json:"symbol_overhead_per_symbol"` // bytes stored beyond those
}

func benchLookup(ctx context.Context, s *streams, o benchLookupOptions) error {
	path := o.file
	if path == "" {
		folder, err := os.MkdirTemp("", "kd-bench-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		path = filepath.Join(folder, "made-up.kd")
		s.progress.start()
		if err := writeMadeUp(ctx, s, path, o); err != nil {
			return err
		}
	}
	r, err := measureLookup(ctx, s, path, o)
	if err != nil {
		return err
	}
	r.File = o.file
	s.progress.clear()
	if o.json {
		return s.writeJSON(r)
	}
	r.print(s.out)
	return nil
}

func measureLookup(ctx context.Context, s *streams, path string, o benchLookupOptions) (*benchLookupResult, error) {
	stat, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	openMS, heap, err := measureOpen(ctx, path)
	if err != nil {
		return nil, err
	}
	t, err := openTable(path)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	info, size := t.Info(), t.Size()
	rows := int64(info.K)
	if !info.Shared {
		rows *= int64(info.D)
	}
	r := &benchLookupResult{
		N: info.N, Ways: info.K, CodeLength: info.D, Dim: info.Dim, CodeDim: info.CodeDim,
		Composition: string(info.Composition), DType: string(info.DType), Kernels: kernels(),
		OpenMS: openMS, HeapBytes: heap, CodeEmbeddingBytes: 4 * rows * int64(info.CodeDim), FileBytes: stat.Size(),
		Threads: o.threads,
	}
	m := meter{ctx: ctx, s: s, t: t, seconds: o.seconds, ids: randomIDs(info.N, o.seconds)}
	for _, measure := range []struct {
		name string
		run  func() error
	}{
		{"one by one", func() error { return m.time(m.lookup, &r.LookupNS, &r.LookupMinNS) }},
		{"batches", func() error { return m.time(m.batch, &r.BatchNS, &r.BatchMinNS) }},
		{"symbols", func() error { return m.time(m.symbols, &r.IDNS, &r.IDMinNS) }},
		{"goroutines", func() (err error) { r.Speedup, err = m.speedup(o.threads); return err }},
	} {
		s.progress.note("measuring " + measure.name)
		if err := measure.run(); err != nil {
			if !errors.Is(err, context.Canceled) {
				err = fmt.Errorf("%s: %w", path, err)
			}
			return nil, err
		}
	}
	r.GBPerS = float64(4*info.D*info.CodeDim) / r.BatchNS
	for _, symbol := range t.Symbols() {
		r.SymbolBytes += int64(len(symbol))
	}
	if info.HasSymbols {
		r.SymbolOverhead = float64(size.Symbols/8-r.SymbolBytes) / float64(info.N)
	}
	return r, ctx.Err()
}

// print writes the measurements for humans.
func (r *benchLookupResult) print(w io.Writer) {
	name := r.File
	if name == "" {
		name = "a made-up table"
	}
	fmt.Fprintf(w, "%s: N = %s, K = %d, D = %d, d = %d, %s, %s; kernels: %s\n\n", name, grouped(int64(r.N)), r.Ways, r.CodeLength, r.Dim, r.Composition, r.DType, r.Kernels)
	line := func(what, format string, args ...any) {
		fmt.Fprintf(w, "%-22s %s\n", what, fmt.Sprintf(format, args...))
	}
	line("Lookup", "%8.1f ns (fastest %.1f)", r.LookupNS, r.LookupMinNS)
	line("LookupBatch", "%8.1f ns a vector (fastest %.1f), %.1f GB/s of code embeddings", r.BatchNS, r.BatchMinNS, r.GBPerS)
	line(plural(r.Threads, "goroutine"), "%8.2f times as many vectors as one", r.Speedup)
	if r.SymbolBytes > 0 {
		line("ID", "%8.1f ns (fastest %.1f)", r.IDNS, r.IDMinNS)
	}
	line("Open", "%8.3f ms", r.OpenMS)
	line("heap after Open", "%8s, code embeddings are %s of it", units(r.HeapBytes), units(r.CodeEmbeddingBytes))
	line("file", "%8s", units(r.FileBytes))
	if r.SymbolBytes > 0 {
		line("symbols", "%8s, and %.2f bytes a symbol to find them", units(r.SymbolBytes), r.SymbolOverhead)
	}
}

// median returns the middle of values, which it sorts.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
