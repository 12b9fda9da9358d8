package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/quantize"
)

// encodeOptions are what kd encode is told.
type encodeOptions struct {
	table, in, out string
	input          vectorsInput
	learning       learningOptions
	onlyNew        bool
	json           bool
}

// relearnAt is how many times worse than the table's own vectors new ones may
// fit before its code embeddings should be learned again.
const relearnAt = 1.25

func newEncode(s *streams) *cobra.Command {
	var o encodeOptions
	cmd := &cobra.Command{
		Use:   "encode TABLE NEW -o OUT",
		Short: "Give new vectors codes from an existing code file",
		Long: `Give new or changed vectors codes from the code embeddings of an existing code file,
without learning anew. OUT is TABLE with the vectors of NEW: those whose symbol TABLE
has replace its own, the others follow at its end. With --only-new, OUT has those of
NEW alone. Without symbols, all of NEW follow.

The report says how much worse the new vectors fit than those that TABLE was made of.
From 1.25 times on it is time to learn anew: kd compress the whole table.`,
		Example: `  kd encode items.kd today.npy --symbols today.txt -o items.new.kd
  kd encode glove.kd more.txt -o more.kd --only-new`,
		Args:              wantArgs(false, "TABLE", "NEW"),
		ValidArgsFunction: completeFiles(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.table, o.in = args[0], args[1]
			switch {
			case o.out == "":
				return usagef("-o OUT is missing")
			case o.out == "-":
				return usagef("a code file cannot go to standard output: name a file with -o")
			}
			return encode(cmd.Context(), s, o)
		},
	}
	cmd.Flags().StringVarP(&o.out, "out", "o", "", "`OUT`, the code file to write; it may be TABLE")
	cmd.Flags().BoolVar(&o.onlyNew, "only-new", false, "write the vectors of NEW alone")
	o.learning.flags(cmd)
	o.input.flags(cmd)
	jsonFlag(cmd, &o.json)
	return cmd
}

// encodeResult is what --json prints.
type encodeResult struct {
	File      string `json:"file"`
	FileBytes int64  `json:"file_bytes"`
	Table     string `json:"table"`
	Source    string `json:"source"`
	N         int    `json:"n"` // of OUT
	Dim       int    `json:"dim"`
	Encoded   int    `json:"encoded"` // vectors of NEW
	Changed   int    `json:"changed"` // of them, those that replace one of TABLE
	New       int    `json:"new"`     // of them, those that TABLE does not have
	quantize.Fidelity
	TableError *float64 `json:"table_relative_error"` // of TABLE when it was made; null where it does not say
	Worse      *float64 `json:"times_worse"`          // relative_error over that
	Relearn    bool     `json:"relearn"`
	Seconds    float64  `json:"seconds"`
	Notes      []string `json:"notes"`
}

func encode(ctx context.Context, s *streams, o encodeOptions) error {
	q, err := o.learning.options()
	if err != nil {
		return err
	}
	if err := canWrite([]string{o.in, o.input.symbols}, o.out); err != nil {
		return err
	}
	m, err := readModel(ctx, o.table)
	if err != nil {
		return err
	}
	if o.in != "-" {
		if err := wantVectors(o.in); err != nil {
			return err
		}
	}
	in, err := o.input.openSource(ctx, s, o.in, 0)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := o.fits(m, in); err != nil {
		return err
	}
	if err := finite(in.path, in); err != nil {
		return err
	}
	q.K, q.D, q.Composition, q.CodeDim = m.Codes.K, m.Codes.D, m.Composition, m.Embeddings.Dim
	e := encoder{s: s, o: o, in: in, q: q}
	r, err := e.run(ctx, m)
	if err != nil {
		return err
	}
	s.progress.clear()
	for _, note := range r.Notes {
		fmt.Fprintf(s.err, "kd: %s: %s\n", in.path, note)
	}
	if o.json {
		return s.writeJSON(r)
	}
	r.print(s.out)
	return nil
}

// fits refuses vectors that the table has no place for.
func (o *encodeOptions) fits(m *codefile.Model, in *tableInput) error {
	switch {
	case m.Composition == codefile.Recur:
		return dataf("%s: its composition is lstm; codes for new vectors can be found for sum, affine and concat", o.table)
	case m.Dim() != in.Dim():
		return dataf("%s: vectors of width %d, but those of %s have %d", in.path, in.Dim(), o.table, m.Dim())
	case o.onlyNew:
		return nil
	case m.Symbols != nil && in.symbols == nil:
		return dataf("%s: the vectors have no symbols, but those of %s have; name a file of them with --symbols, or write them alone with --only-new", in.path, o.table)
	case m.Symbols == nil && in.symbols != nil:
		return dataf("%s: the vectors have symbols, but those of %s have none; write them alone with --only-new", in.path, o.table)
	}
	return nil
}

// finite refuses vectors with numbers that no code stands for.
func finite(path string, in *tableInput) error {
	d := in.Dim()
	row := make([]float32, d)
	for i := range in.Len() {
		if err := in.Rows(row, i, 1); err != nil {
			return err
		}
		for c, x := range row {
			if isFinite(x) {
				continue
			}
			name := ""
			if in.symbols != nil {
				name = fmt.Sprintf(" (%q)", in.symbols[i])
			}
			return dataf("%s: row %d%s has the value %v in column %d; remove or mend that row", path, i+1, name, x, c+1)
		}
	}
	return nil
}

// encoder finds codes for one table.
type encoder struct {
	s  *streams
	o  encodeOptions
	in *tableInput
	q  quantize.Options
}

// run encodes the new vectors, writes OUT and reports.
func (e *encoder) run(ctx context.Context, m *codefile.Model) (*encodeResult, error) {
	e.q.Progress = e.s.showProgress
	began := time.Now()
	codes, err := quantize.Encode(ctx, e.in, m, e.q)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.in.path, err)
	}
	r := &encodeResult{
		File: e.o.out, Table: e.o.table, Source: e.in.name, Dim: e.in.Dim(), Encoded: e.in.Len(),
		Seconds: time.Since(began).Seconds(), Notes: append([]string{}, e.in.notes...),
	}
	if err := e.measure(ctx, m, codes, r); err != nil {
		return nil, err
	}
	r.compareWith(m.Metadata)
	e.merge(m, codes, r)
	if err := writeModel(ctx, e.o.out, m); err != nil {
		return nil, err
	}
	stat, err := os.Stat(e.o.out)
	if err != nil {
		return nil, err
	}
	r.FileBytes = stat.Size()
	return r, nil
}

// measure compares the new vectors with what their codes compose.
func (e *encoder) measure(ctx context.Context, m *codefile.Model, codes codefile.Codes, r *encodeResult) error {
	alone := *m
	alone.Codes, alone.Symbols, alone.Tensors = codes, nil, nil
	t, err := tableOf(&alone)
	if err != nil {
		return err
	}
	defer t.Close()
	r.Fidelity, err = quantize.Measure(ctx, e.in, codeSource{t}, e.q)
	return err
}

// compareWith says how much worse the new vectors fit than those of the table
// did, if its metadata tell.
func (r *encodeResult) compareWith(metadata map[string]string) {
	old, err := strconv.ParseFloat(metadata[keyRelativeError], 64)
	if err != nil || !(old >= 0) {
		return
	}
	r.TableError = &old
	if old > 0 {
		worse := r.RelativeError / old
		r.Worse = &worse
		r.Relearn = worse >= relearnAt
	}
}

// merge puts the new codes into m, and notes where they are from.
func (e *encoder) merge(m *codefile.Model, codes codefile.Codes, r *encodeResult) {
	if e.o.onlyNew {
		m.Codes, m.Symbols = codes, e.in.symbols
		r.New = codes.N()
	} else {
		row := codes.RowBytes()
		ids := make(map[string]int, len(m.Symbols))
		for id, symbol := range m.Symbols {
			ids[symbol] = id
		}
		for i := range codes.N() {
			code := codes.Packed[i*row:][:row]
			if e.in.symbols != nil {
				if id, ok := ids[e.in.symbols[i]]; ok {
					copy(m.Codes.Packed[id*row:], code)
					r.Changed++
					continue
				}
				m.Symbols = append(m.Symbols, e.in.symbols[i])
			}
			m.Codes.Packed = append(m.Codes.Packed, code...)
			r.New++
		}
	}
	r.N = m.Codes.N()
	if m.Metadata == nil {
		m.Metadata = map[string]string{}
	}
	m.Metadata["encoded_from"] = filepath.Base(e.in.name)
	m.Metadata["encoded_vectors"] = strconv.Itoa(r.Encoded)
	m.Metadata["encoded_relative_error"] = strconv.FormatFloat(r.RelativeError, 'g', 6, 64)
}

// print writes the report for humans.
func (r *encodeResult) print(w io.Writer) {
	fmt.Fprintf(w, "%s: %s of width %d, %s: %s changed, %s new\n\n", r.File, plural(r.N, "vector"), r.Dim, units(r.FileBytes), grouped(int64(r.Changed)), grouped(int64(r.New)))
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-16s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("relative error", "%.4f of the %s of %s", r.RelativeError, plural(r.Encoded, "vector"), r.Source)
	line("mean cosine", "%.4f", r.MeanCosine)
	line("seconds", "%.1f", r.Seconds)
	fmt.Fprintln(w)
	switch {
	case r.TableError == nil:
		fmt.Fprintf(w, "%s does not say how well its own vectors fitted: no telling how much worse the new ones do\n", r.Table)
	case r.Worse == nil:
		fmt.Fprintf(w, "%s fitted its own vectors perfectly when it was made\n", r.Table)
	case r.Relearn:
		fmt.Fprintf(w, "%.2f times the %.4f of %s when it was made: relearning is due (from %.2f on); kd compress the whole table\n", *r.Worse, *r.TableError, r.Table, relearnAt)
	default:
		fmt.Fprintf(w, "%.2f times the %.4f of %s when it was made: relearning is not due (from %.2f on)\n", *r.Worse, *r.TableError, r.Table, relearnAt)
	}
}
