package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/vectors"
)

// convertOptions are what kd convert is told.
type convertOptions struct {
	in, out      string
	input        vectorsInput
	to           string
	dtype        string
	fold         bool
	noSymbols    bool
	writeSymbols bool
	json         bool
}

func newConvert(s *streams) *cobra.Command {
	var o convertOptions
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Turn a table or a code file into another format",
		Long: `Turn a code file back into ordinary vectors, ordinary vectors into another format,
or a code file into one that is stored otherwise. What IN is, is seen from its
content; OUT's format from its name or --to:

  .txt  glove      word v1 … vd, a line each
  .vec  word2vec   the same after a line with the counts; fasttext is the same
  .bin  word2vec-binary
  .npy  npy        a NumPy array, without symbols
  .safetensors     a tensor called "embeddings", without symbols
  .kd              a code file, from a code file

Each but .kd may be gzipped: add .gz. A - stands for standard input or output, where
vectors are ordinary ones. OUT appears when it is complete, or not at all.`,
		Example: `  kd convert glove.kd glove.txt
  kd convert glove.txt.gz glove.npy --write-symbols
  kd convert model.safetensors tokens.vec --tensor wte.weight --symbols tokenizer.json
  kd convert glove.kd smaller.kd --dtype float16`,
		Args:              wantArgs(false, "IN", "OUT"),
		ValidArgsFunction: completeFiles(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.in, o.out = args[0], args[1]
			return convert(cmd.Context(), s, o)
		},
	}
	cmd.Flags().StringVar(&o.to, "to", "", "`FORMAT` of OUT, where its name does not tell: "+strings.Join(convertFormats(), ", "))
	cmd.Flags().StringVar(&o.dtype, "dtype", "", "`TYPE` of the numbers: float32, float16 or int8 in .kd; float32, float16, float64 or bfloat16 in .npy and .safetensors")
	cmd.Flags().BoolVar(&o.fold, "fold", false, "in .kd: fold the projection of an affine composition into a sum")
	cmd.Flags().BoolVar(&o.noSymbols, "no-symbols", false, "in .kd: leave the symbols out")
	cmd.Flags().BoolVar(&o.writeSymbols, "write-symbols", false, "put the symbols into OUT.symbols.txt, where OUT's format has none")
	o.input.flags(cmd)
	completeFlag(cmd, "to", convertFormats()...)
	completeFlag(cmd, "dtype", "float32", "float16", "int8", "bfloat16", "float64")
	jsonFlag(cmd, &o.json)
	return cmd
}

// convertFormats returns the names that --to takes.
func convertFormats() []string {
	all := []string{"kd"}
	for _, f := range vectors.Formats() {
		all = append(all, f.String())
		if f == vectors.Word2VecText {
			all = append(all, "fasttext")
		}
	}
	return all
}

// convertResult is what --json prints.
type convertResult struct {
	In          string `json:"in"`
	Out         string `json:"out"`
	From        string `json:"from"`
	To          string `json:"to"`
	N           int    `json:"n"`
	Dim         int    `json:"dim"`
	Bytes       int64  `json:"bytes"`
	DType       string `json:"dtype"`
	SymbolsFile string `json:"symbols_file,omitempty"`
	Duplicates  int    `json:"duplicates"` // rows left out because an earlier one has their symbol

	notes []string // what a human should know
}

// target is the format of OUT: a code file, or one of ordinary vectors.
type target struct {
	codes  bool
	format vectors.Format
	gzip   bool
}

func (o *convertOptions) target() (target, error) {
	format, gzip, ok := vectors.FormatOf(o.out)
	t := target{format: format, gzip: gzip}
	switch {
	case o.to == "kd":
		return target{codes: true}, nil
	case o.to != "":
		if t.format, _ = vectors.ParseFormat(o.to); t.format == 0 {
			return t, usagef("--to %s: no such format; use one of %s", o.to, strings.Join(convertFormats(), ", "))
		}
	case strings.HasSuffix(strings.ToLower(o.out), codeFileExt):
		return target{codes: true}, nil
	case !ok:
		return t, usagef("%s: its name does not tell the format; add --to with one of %s", o.out, strings.Join(convertFormats(), ", "))
	}
	return t, nil
}

func convert(ctx context.Context, s *streams, o convertOptions) error {
	to, err := o.target()
	if err != nil {
		return err
	}
	from := false
	if o.in != "-" {
		if from, err = isCodeFile(o.in); err != nil {
			return err
		}
	}
	if err := o.check(from, to); err != nil {
		return err
	}
	if err := replaceable(o.out); err != nil {
		return err
	}
	var r convertResult
	switch {
	case from && to.codes:
		r, err = codesToCodes(ctx, o)
	case from:
		r, err = codesToVectors(ctx, s, o, to)
	default:
		r, err = vectorsToVectors(ctx, s, o, to)
	}
	if err != nil {
		return err
	}
	r.In, r.Out = o.in, o.out
	if stat, err := os.Stat(o.out); err == nil && o.out != "-" {
		r.Bytes = stat.Size()
	}
	s.progress.clear()
	switch {
	case o.json:
		return s.writeJSON(r)
	case o.out == "-":
		return nil
	}
	fmt.Fprintf(s.out, "%s: %s of width %d, %s, %s\n", o.out, plural(r.N, "vector"), r.Dim, r.To, units(r.Bytes))
	for _, note := range r.notes {
		fmt.Fprintln(s.out, note)
	}
	return nil
}

// check refuses flags that do not fit what is converted.
func (o *convertOptions) check(from bool, to target) error {
	switch {
	case to.codes && !from:
		return usagef("convert does not make codes of vectors: use kd compress %s -o %s", o.in, o.out)
	case from && o.input.given():
		return usagef("--symbols, --tensor and --dim are for an input of ordinary vectors; %s is a code file", o.in)
	case !to.codes && (o.fold || o.noSymbols):
		return usagef("--fold and --no-symbols are for code files; OUT is %s", to.format)
	case o.writeSymbols && (to.codes || to.format.HasSymbols()):
		return usagef("--write-symbols is for formats without symbols of their own, such as npy")
	case o.out == "-" && (to.codes || o.json || o.writeSymbols):
		return usagef("standard output takes ordinary vectors only, without --json and --write-symbols: name a file for OUT")
	case to.codes && o.dtype != "" && !slices.Contains(names(codefile.DTypes), o.dtype):
		return usagef("--dtype %s: code files have %s", o.dtype, strings.Join(names(codefile.DTypes), ", "))
	}
	return nil
}
