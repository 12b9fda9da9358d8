package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/search"
)

// benchSearchOptions are what kd bench search is told.
type benchSearchOptions struct {
	file     string
	original string
	input    vectorsInput // of the original
	limit    int
	queries  int
	rounds   int
	metric   string
	threads  int
	json     bool
}

func newBenchSearch(s *streams) *cobra.Command {
	var o benchSearchOptions
	cmd := &cobra.Command{
		Use:   "search FILE",
		Short: "Measure finding nearest neighbours",
		Long: `Measure how many nearest-neighbour queries a second a code file answers from its codes,
one at a time and in batches; and how many of the neighbours it finds: of those that
composing and comparing every vector finds (always all of them), and, with
--original, of those among the vectors that the file was made of.

Queries are the vectors of random symbols, the original ones where given. A symbol
is no neighbour of its own. Each speed is the median of many short runs; the fastest one
is shown too, since other programs on a busy machine slow the rest down.`,
		Example: `  kd bench search glove.kd
  kd bench search glove.kd --original glove.6B.100d.txt
  kd bench search glove.kd --queries 100 --threads 2 --json`,
		Args:              wantArgs(false, "FILE"),
		ValidArgsFunction: completeCodeFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.file = args[0]
			if err := o.check(); err != nil {
				return err
			}
			return benchSearch(cmd.Context(), s, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.original, "original", "", "`TABLE` of vectors that the file was made of")
	o.input.flags(cmd)
	f.IntVarP(&o.limit, "limit", "k", 10, "find `N` neighbours of each")
	f.IntVar(&o.queries, "queries", 1000, "`N` queries")
	f.IntVar(&o.rounds, "rounds", 5, "ask all queries `N` times")
	f.StringVar(&o.metric, "metric", string(search.Cosine), "what near `MEANS`: "+strings.Join(names(search.Metrics), ", "))
	f.IntVar(&o.threads, "threads", 1, "`N` cores to use; 0 uses all")
	completeFlag(cmd, "metric", names(search.Metrics)...)
	jsonFlag(cmd, &o.json)
	return cmd
}

func (o *benchSearchOptions) check() error {
	_, metricErr := search.ParseMetric(o.metric)
	switch {
	case o.limit < 1:
		return usagef("-k %d: give a number from 1 up", o.limit)
	case o.queries < 1:
		return usagef("--queries %d: give a number from 1 up", o.queries)
	case o.rounds < 1:
		return usagef("--rounds %d: give a number from 1 up", o.rounds)
	case o.threads < 0:
		return usagef("--threads %d: give a number from 0 up", o.threads)
	case metricErr != nil:
		return usagef("--metric %s: use one of %s", o.metric, strings.Join(names(search.Metrics), ", "))
	case o.original == "" && o.input.given():
		return usagef("--symbols, --tensor and --dim are for the table of --original, which is missing")
	}
	if o.threads == 0 {
		o.threads = runtime.GOMAXPROCS(0)
	}
	return nil
}

// benchSearchResult is what --json prints.
type benchSearchResult struct {
	File        string `json:"file"`
	N           int    `json:"n"`
	Ways        int    `json:"ways"`
	CodeLength  int    `json:"code_length"`
	Dim         int    `json:"dim"`
	Composition string `json:"composition"`
	Kernels     string `json:"kernels"` // the instruction set in use
	Metric      string `json:"metric"`
	Limit       int    `json:"k"`
	Queries     int    `json:"queries"`
	Threads     int    `json:"threads"`

	OpenMS     float64 `json:"open_ms"`     // making the index
	IndexBytes int64   `json:"index_bytes"` // beside the table

	QueriesPerSecond      float64  `json:"queries_per_second"`         // one at a time: the median slice
	FastestPerSecond      float64  `json:"queries_per_second_fastest"` // the fastest slice
	Batch                 int      `json:"batch"`
	BatchQueriesPerSecond float64  `json:"batch_queries_per_second"` // in such batches
	BatchFastestPerSecond float64  `json:"batch_queries_per_second_fastest"`
	ExactQueriesPerSecond float64  `json:"exact_queries_per_second"` // all at once, composing every vector
	Recall                float64  `json:"recall"`                   // of the exact search of the same codes
	Original              string   `json:"original,omitempty"`
	OriginalRecall        *float64 `json:"original_recall,omitempty"` // of the exact search of the original vectors
}

func benchSearch(ctx context.Context, s *streams, o benchSearchOptions) error {
	t, err := openTable(o.file)
	if err != nil {
		return err
	}
	defer t.Close()
	var original *search.Dense
	if o.original != "" {
		if original, err = openOriginal(ctx, s, o, t); err != nil {
			return err
		}
	}
	r, err := measureSearch(ctx, s, o, t, original)
	if err != nil {
		return fmt.Errorf("%s: %w", o.file, err)
	}
	s.progress.clear()
	if o.json {
		return s.writeJSON(r)
	}
	r.print(s.out)
	return nil
}

// openOriginal reads the vectors that t was made of.
func openOriginal(ctx context.Context, s *streams, o benchSearchOptions, t *kdcode.Table) (*search.Dense, error) {
	in, err := o.input.readAll(ctx, s, o.original)
	if err != nil {
		return nil, err
	}
	if in.Len() != t.Len() || in.Dim != t.Dim() {
		return nil, dataf("%s: %d vectors of width %d, but %s has %d of width %d; give the table it was made of", o.original, in.Len(), in.Dim, o.file, t.Len(), t.Dim())
	}
	return search.NewDense(in.Data, in.Dim)
}

// print writes the measurements for humans.
func (r *benchSearchResult) print(w io.Writer) {
	fmt.Fprintf(w, "%s: N = %s, K = %d, D = %d, d = %d, %s; kernels: %s\n", r.File, grouped(int64(r.N)), r.Ways, r.CodeLength, r.Dim, r.Composition, r.Kernels)
	fmt.Fprintf(w, "%s queries, the %s nearest by %s, on %s\n\n", grouped(int64(r.Queries)), grouped(int64(r.Limit)), r.Metric, plural(r.Threads, "core"))
	line := func(what, format string, args ...any) {
		fmt.Fprintf(w, "%-22s %s\n", what, fmt.Sprintf(format, args...))
	}
	line("making the index", "%8.1f ms, %s", r.OpenMS, units(r.IndexBytes))
	speed := func(what string, middle, fastest float64) {
		line(what, "%8.0f queries a second, %.3f ms each (fastest %.3f)", middle, 1000/middle, 1000/fastest)
	}
	speed("one at a time", r.QueriesPerSecond, r.FastestPerSecond)
	speed(fmt.Sprintf("in batches of %d", r.Batch), r.BatchQueriesPerSecond, r.BatchFastestPerSecond)
	line("composing all vectors", "%8.0f queries a second, %.3f ms each", r.ExactQueriesPerSecond, 1000/r.ExactQueriesPerSecond)
	line(fmt.Sprintf("recall@%d", r.Limit), "%8.4f of composing all vectors", r.Recall)
	if r.OriginalRecall != nil {
		line("", "%8.4f of the original vectors", *r.OriginalRecall)
	}
}
