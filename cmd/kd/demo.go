package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/quantize"
	"github.com/kdcode/kdcode/search"
	"github.com/kdcode/kdcode/vectors"
)

// The sample of GloVe that kd carries; see sample/README.md.
var (
	//go:embed sample/glove.safetensors.gz
	sampleVectors []byte
	//go:embed sample/glove.words.txt
	sampleWords string
)

// demoOptions are what kd demo is told.
type demoOptions struct {
	keep     string
	learning learningOptions
	json     bool
}

func newDemo(s *streams) *cobra.Command {
	var o demoOptions
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show what codes are, on words that kd brings along",
		Long: `Compress 10,000 words of GloVe that kd brings along, and show what that saves and
what it changes: the size before and after, the nearest words before and after, and
words that share a code where there are fewer codes than words. It needs no files and
takes some seconds.`,
		Example: `  kd demo
  kd demo --keep glove.kd && kd similar glove.kd cat`,
		Args: wantArgs(false),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return demo(cmd.Context(), s, o)
		},
	}
	cmd.Flags().StringVar(&o.keep, "keep", "", "keep the code file under this `NAME`")
	o.learning.flags(cmd)
	jsonFlag(cmd, &o.json)
	return cmd
}

// demoResult is what --json prints.
type demoResult struct {
	compressResult
	Neighbours []demoNeighbours `json:"neighbours"`
	Groups     []demoGroup      `json:"groups"` // words that share a code of K = 6, D = 4
}

// demoNeighbours are the words nearest to one, before and after compression.
type demoNeighbours struct {
	Word   string   `json:"word"`
	Before []string `json:"before"`
	After  []string `json:"after"`
}

// demoWords are those whose neighbours are shown.
var demoWords = []string{"paris", "tuesday", "guitar", "doctor", "coffee", "king", "quickly", "software"}

// demoNearest is how many neighbours are shown.
const demoNearest = 4

func demo(ctx context.Context, s *streams, o demoOptions) error {
	began := time.Now()
	q, err := o.learning.options()
	if err != nil {
		return err
	}
	if err := canWrite(nil, o.keep); err != nil {
		return err
	}
	table, err := sample()
	if err != nil {
		return err
	}
	in := &tableInput{name: "glove"}
	in.hold(&inputTable{Table: table})
	q.Progress = s.showProgress
	if !o.json {
		fmt.Fprintf(s.out, "%s words of GloVe, vectors of width %d: %s\n", grouped(int64(table.Len())), table.Dim, units(in.held))
		if err := s.out.Flush(); err != nil { // the rest takes a while
			return err
		}
	}
	d := demonstration{s: s, o: o, in: in, table: table, q: q}
	r, err := d.compress(ctx)
	if err != nil {
		return err
	}
	if r.Groups, err = d.groups(ctx); err != nil {
		return err
	}
	r.TotalSeconds = time.Since(began).Seconds()
	s.progress.clear()
	if o.json {
		return s.writeJSON(r)
	}
	r.print(s.out)
	return nil
}

// sample reads the table that kd carries.
func sample() (*vectors.Table, error) {
	r, err := vectors.NewReader(bytes.NewReader(sampleVectors), "sample", vectors.Options{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	t, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	t.Symbols = strings.Split(strings.TrimSuffix(sampleWords, "\n"), "\n")
	return t, nil
}

// demonstration is a run of the demo.
type demonstration struct {
	s     *streams
	o     demoOptions
	in    *tableInput
	table *vectors.Table
	q     quantize.Options
}

// compress makes the sample small with K = D = 32, and compares neighbours.
func (d *demonstration) compress(ctx context.Context) (*demoResult, error) {
	c := compressor{s: d.s, o: compressOptions{in: d.in.name, out: d.o.keep, learning: d.o.learning}, in: d.in, q: d.q}
	c.q.K, c.q.D, c.q.Composition, c.q.DType = 32, 32, codefile.Sum, defaultDType
	began := time.Now()
	m, err := quantize.Compress(ctx, d.in, d.in.symbols, c.q)
	if err != nil {
		return nil, err
	}
	seconds := time.Since(began).Seconds()
	result, err := c.measure(ctx, m)
	if err != nil {
		return nil, err
	}
	result.Seconds = seconds
	m.Metadata[keyMadeBy] = "kd demo"
	if d.o.keep != "" {
		if err := writeModel(ctx, d.o.keep, m); err != nil {
			return nil, err
		}
	}
	after, err := tableOf(m)
	if err != nil {
		return nil, err
	}
	defer after.Close()
	result.FileBytes, err = m.WriteTo(io.Discard)
	if err != nil {
		return nil, err
	}
	r := &demoResult{compressResult: *result}
	before, err := newVectorSpace(d.table)
	if err != nil {
		return nil, err
	}
	codes := &codeSpace{Table: after}
	for _, word := range demoWords {
		n := demoNeighbours{Word: word}
		if n.Before, err = nearestWords(ctx, before, word); err != nil {
			return nil, err
		}
		if n.After, err = nearestWords(ctx, codes, word); err != nil {
			return nil, err
		}
		r.Neighbours = append(r.Neighbours, n)
	}
	return r, nil
}

// nearestWords returns the few words nearest to one.
func nearestWords(ctx context.Context, t space, word string) ([]string, error) {
	of, err := wanted(ctx, t, "glove", word, false)
	if err != nil {
		return nil, err
	}
	query := make([]float32, t.Dim())
	if err := t.Lookup(query, of.ID); err != nil {
		return nil, err
	}
	near, err := nearest(ctx, t, [][]float32{query}, [][]int{{of.ID}}, search.Cosine, demoNearest)
	if err != nil {
		return nil, err
	}
	var words []string
	for _, n := range near[0] {
		words = append(words, n.Symbol)
	}
	return words, nil
}

// print shows it all.
func (r *demoResult) print(w io.Writer) {
	fmt.Fprintf(w, "as codes of %d digits from 0 to %d: %s, %.1f times smaller (%.1f seconds)\n", r.CodeLength, r.Ways-1, units((r.Bits.Codes+r.Bits.Parameters)/8), r.Ratio, r.Seconds)
	fmt.Fprintf(w, "%.1f%% of the squared length is lost; a vector and what stands for it have a cosine of %.3f\n", 100*r.RelativeError, r.MeanCosine)

	fmt.Fprint(w, "\nThe nearest words:\n\n")
	column := len("before")
	for _, n := range r.Neighbours {
		column = max(column, len(strings.Join(n.Before, " ")))
	}
	fmt.Fprintf(w, "  %-9s  %-*s  %s\n", "", column, "before", "after")
	for _, n := range r.Neighbours {
		fmt.Fprintf(w, "  %-9s  %-*s  %s\n", n.Word, column, strings.Join(n.Before, " "), strings.Join(n.After, " "))
	}

	fmt.Fprintf(w, "\nWith only 6·6·6·6 = 1,296 codes, words must share them. They share with their like:\n\n")
	for _, g := range r.Groups {
		fmt.Fprintf(w, "  %s  %s\n", g.Code, g)
	}

	fmt.Fprint(w, "\nMake your own table small:  kd compress VECTORS -o TABLE.kd --compare\n")
	if r.File != "" {
		fmt.Fprintf(w, "Look into this one:         kd similar %s cat\n", r.File)
	}
}
