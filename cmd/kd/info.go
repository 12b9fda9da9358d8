package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/safetensors"
	"github.com/kdcode/kdcode/vectors"
)

// infoOptions are what kd info is told.
type infoOptions struct {
	file  string
	input vectorsInput
	json  bool
}

func newInfo(s *streams) *cobra.Command {
	var o infoOptions
	cmd := &cobra.Command{
		Use:   "info FILE",
		Short: "Say what a file holds and what it takes",
		Long: `Say what a code file holds: its shape, how vectors are composed, what it takes
as stored and as the paper counts it, and what is noted in it. Of a table of ordinary
vectors (GloVe, word2vec, fastText, .npy, safetensors), say format and shape.`,
		Example: `  kd info glove.kd
  kd info glove.kd --json
  kd info glove.6B.100d.txt`,
		Args:              wantArgs(false, "FILE"),
		ValidArgsFunction: completeFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.file = args[0]
			code, err := isCodeFile(o.file)
			if err != nil {
				return err
			}
			if code {
				return infoCodes(s, o)
			}
			return infoVectors(cmd.Context(), s, o)
		},
	}
	o.input.flags(cmd)
	jsonFlag(cmd, &o.json)
	return cmd
}

// codesInfo is what --json prints of a code file.
type codesInfo struct {
	File      string `json:"file"`
	FileBytes int64  `json:"file_bytes"`
	Format    string `json:"format"`
	codefile.Header
	Bits    infoBits     `json:"bits"`
	Ratio   float64      `json:"ratio"`
	Paper   infoPaper    `json:"paper"`
	Tensors []infoTensor `json:"tensors"` // in place of the header's names
}

type infoBits struct {
	Codes      int64 `json:"codes"`
	Parameters int64 `json:"parameters"`
	Symbols    int64 `json:"symbols"`
	Full       int64 `json:"full"`
}

// infoPaper is the size in bits by the definition of the paper.
type infoPaper struct {
	Codes      int64   `json:"codes"`
	Parameters int64   `json:"parameters"`
	Total      int64   `json:"total"`
	Ratio      float64 `json:"ratio"`
}

type infoTensor struct {
	Name  string `json:"name"`
	DType string `json:"dtype"`
	Shape []int  `json:"shape"`
	Bytes int64  `json:"bytes"`
}

func infoCodes(s *streams, o infoOptions) error {
	if o.input.given() {
		return usagef("--symbols, --tensor and --dim are for ordinary vectors; %s is a code file", o.file)
	}
	t, err := openTable(o.file)
	if err != nil {
		return err
	}
	defer t.Close()
	size := t.Size()
	info := codesInfo{
		File: o.file, Format: "kdcode", Header: t.Info(),
		Bits:  infoBits{size.Codes, size.Parameters, size.Symbols, size.Full},
		Ratio: size.Ratio(),
		Paper: infoPaper{size.Paper.Codes, size.Paper.Parameters, size.Paper.Total(), float64(size.Full) / float64(size.Paper.Total())},
	}
	if info.FileBytes, info.Tensors, err = fileTensors(o.file, info.Header.Tensors); err != nil {
		return err
	}
	if o.json {
		return s.writeJSON(info)
	}
	info.print(s.out)
	return nil
}

// fileTensors returns the size of a safetensors file and the tensors of those
// names in it.
func fileTensors(path string, names []string) (int64, []infoTensor, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	stat, err := f.Stat()
	if err != nil {
		return 0, nil, err
	}
	h, err := safetensors.ReadHeader(f)
	if err != nil {
		return 0, nil, fmt.Errorf("%s: %w: %w", path, codefile.ErrFormat, err)
	}
	found := []infoTensor{}
	for _, name := range names {
		if t, ok := h.Tensor(name); ok {
			found = append(found, infoTensor{name, string(t.DType), t.Shape, t.Size})
		}
	}
	return stat.Size(), found, nil
}

// print writes the description for humans.
func (i codesInfo) print(w io.Writer) {
	field := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-12s %s\n", name, fmt.Sprintf(format, args...))
	}
	yes := "yes"
	if !i.HasSymbols {
		yes = "none: ask by id"
	}
	embeddings := fmt.Sprintf("%s of width %d, %s", grouped(int64(i.K)*int64(i.D)), i.CodeDim, i.DType)
	if i.Shared {
		embeddings = fmt.Sprintf("%s of width %d, shared by all digits, %s", grouped(int64(i.K)), i.CodeDim, i.DType)
	}
	field("file", "%s, %s", i.File, units(i.FileBytes))
	field("format", "code file, version %d", i.Version)
	field("table", "%s vectors of width %d", grouped(int64(i.N)), i.Dim)
	field("codes", "%d digits of %d values (D = %d, K = %d)", i.D, i.K, i.D, i.K)
	field("embeddings", "%s", embeddings)
	field("composition", "%s: %s", i.Composition, compositionText[i.Composition])
	field("symbols", "%s", yes)

	fmt.Fprintf(w, "\n%-12s %10s %20s %10s %20s\n", "size", "stored", "bits", "paper", "bits")
	row := func(name string, stored, paper int64) {
		fmt.Fprintf(w, "%-12s %10s %20s %10s %20s\n", name, units((stored+7)/8), grouped(stored), units((paper+7)/8), grouped(paper))
	}
	row("codes", i.Bits.Codes, i.Paper.Codes)
	row("parameters", i.Bits.Parameters, i.Paper.Parameters)
	row("together", i.Bits.Codes+i.Bits.Parameters, i.Paper.Total)
	row("full table", i.Bits.Full, i.Bits.Full)
	fmt.Fprintf(w, "%-12s %31s %31s\n", "ratio", fmt.Sprintf("%.2f", i.Ratio), fmt.Sprintf("%.2f", i.Paper.Ratio))
	if i.HasSymbols {
		fmt.Fprintf(w, "%-12s %10s %20s  (stored either way, not in the ratio)\n", "symbols", units(i.Bits.Symbols/8), grouped(i.Bits.Symbols))
	}
	if len(i.Metadata) > 0 {
		fmt.Fprintln(w, "\nmetadata")
		for _, key := range slices.Sorted(maps.Keys(i.Metadata)) {
			fmt.Fprintf(w, "  %s: %s\n", quoted(key), oneLine(i.Metadata[key]))
		}
	}
	if len(i.Tensors) > 0 {
		fmt.Fprintln(w, "\nfurther tensors")
		for _, t := range i.Tensors {
			fmt.Fprintf(w, "  %s: %s %v, %s\n", quoted(t.Name), t.DType, t.Shape, units(t.Bytes))
		}
	}
}

var compositionText = map[codefile.Composition]string{
	codefile.Sum:    "the chosen code embeddings are added",
	codefile.Affine: "the chosen code embeddings are added, then projected",
	codefile.Concat: "the chosen code embeddings stand side by side",
	codefile.Recur:  "an LSTM reads the chosen code embeddings",
}

// oneLine shortens text to a line.
func oneLine(text string) string {
	const most = 100
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return text
}

// vectorsInfo is what --json prints of a table of ordinary vectors.
type vectorsInfo struct {
	File       string `json:"file"`
	FileBytes  int64  `json:"file_bytes"`
	Format     string `json:"format"`
	N          int    `json:"n"`
	Dim        int    `json:"dim"`
	HasSymbols bool   `json:"symbols"`
	Duplicates int    `json:"duplicates"` // rows whose symbol an earlier one has, not in n
	Bits       struct {
		Full int64 `json:"full"`
	} `json:"bits"`
}

func infoVectors(ctx context.Context, s *streams, o infoOptions) error {
	r, err := o.input.open(s, o.file)
	if err != nil {
		return err
	}
	defer r.Close()
	info := vectorsInfo{File: o.file, Format: r.Format().String(), N: r.Len(), Dim: r.Dim(), HasSymbols: r.HasSymbols()}
	if stat, err := os.Stat(o.file); err == nil {
		info.FileBytes = stat.Size()
	}
	// Binary formats have a shape that is checked at opening; texts are read,
	// since their header is a claim and duplicates do not count.
	if !r.RandomAccess() {
		if info.N, err = countRows(ctx, s, r); err != nil {
			return err
		}
		info.Duplicates = r.Skipped().Duplicates.Count
	}
	info.Bits.Full = 32 * int64(info.N) * int64(info.Dim)
	if o.json {
		return s.writeJSON(info)
	}
	symbols := "yes"
	if !info.HasSymbols {
		symbols = "none"
	}
	fmt.Fprintf(s.out, "%-12s %s, %s\n", "file", info.File, units(info.FileBytes))
	fmt.Fprintf(s.out, "%-12s %s, ordinary vectors\n", "format", info.Format)
	fmt.Fprintf(s.out, "%-12s %s vectors of width %d\n", "table", grouped(int64(info.N)), info.Dim)
	fmt.Fprintf(s.out, "%-12s %s\n", "symbols", symbols)
	if d := r.Skipped().Duplicates; d.Count > 0 {
		fmt.Fprintf(s.out, "%-12s %s left out, the first at %s\n", "duplicates", plural(d.Count, "row"), d.First)
	}
	fmt.Fprintf(s.out, "%-12s %s as float32 (%s bits)\n", "full table", units(info.Bits.Full/8), grouped(info.Bits.Full))
	return nil
}

// countRows reads r to its end.
func countRows(ctx context.Context, s *streams, r *vectors.Reader) (int, error) {
	row := make([]float32, r.Dim())
	s.progress.start()
	for n := 0; ; n++ {
		if n%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return n, err
			}
			s.progress.update("reading", n, r.Len())
		}
		if _, err := r.Next(row); err == io.EOF {
			return n, nil
		} else if err != nil {
			return n, err
		}
	}
}
