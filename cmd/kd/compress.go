package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/quantize"
)

// compressOptions are what kd compress is told.
type compressOptions struct {
	in, out string
	input   vectorsInput

	// What to make:
	k, d     int
	compose  string
	codeDim  int
	dtype    string
	weights  string
	size     byteSize // --target-size
	maxError float64

	// How to make it:
	learning learningOptions
	memory   byteSize
	resume   bool

	// What to say of it:
	compare bool
	plot    string
	json    bool
}

// defaultDType is how code embeddings are stored unless told otherwise. On words
// of GloVe, int8 adds less than a thousandth to the error, and takes a quarter.
const defaultDType = codefile.Int8

// compositions are those that can be learned from vectors alone.
var compositions = []codefile.Composition{codefile.Sum, codefile.Affine, codefile.Concat}

func newCompress(s *streams) *cobra.Command {
	var o compressOptions
	cmd := &cobra.Command{
		Use:   "compress IN -o OUT",
		Short: "Turn a table of vectors into a small code file",
		Long: `Learn codes and code embeddings that stand for a table of vectors, and write them
to a code file. IN may be GloVe, word2vec or fastText text, word2vec binary, .npy or
safetensors, gzipped or not; - is standard input. A report then says what was lost.
IN may also be a code file: OUT then keeps what else it holds, so that a model of kd
train, with --emb full, say, is still one, which kd eval measures and kd predict uses.

Larger -K and -D lose less and take more: a code takes D·log2 K bits, the code
embeddings K·D times the width of a vector. --target-size and --max-error choose both.

  --compose sum      vectors are sums of code embeddings: the best at most sizes
  --compose affine   sums of narrower ones (--code-dim), projected: for small tables
  --compose concat   narrow ones side by side: product quantization

Weights make the error of some vectors count more. --weights rank suits words sorted by
frequency: row i counts 1/√i. A file has a number a line, or a symbol and a number.

A table larger than --memory stays on disk, if it is .npy or safetensors. When Ctrl-C
stops the work, the same command with --resume goes on from where it was, to the same
file as if it had not been stopped (not --compose concat, which is quick). OUT appears
when it is complete, or not at all.`,
		Example: `  kd compress glove.6B.100d.txt -o glove.kd
  kd compress glove.6B.100d.txt -o glove.kd --target-size 8MB --compare
  kd compress model.safetensors -o tokens.kd --tensor wte.weight --symbols tokenizer.json
  kd compress items.npy -o items.kd --effort best --memory 2GB
  kd compress full.kd -o small.kd --weights rank`,
		Args:              wantArgs(false, "IN"),
		ValidArgsFunction: completeFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.in = args[0]
			if err := o.check(cmd); err != nil {
				return err
			}
			return compress(cmd.Context(), s, o)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.out, "out", "o", "", "`OUT`, the code file to write")
	f.IntVarP(&o.k, "ways", "K", 32, "`K`, the values that a digit can take")
	f.IntVarP(&o.d, "code-length", "D", 32, "`D`, the digits of a code")
	f.StringVar(&o.compose, "compose", string(codefile.Sum), "`KIND` of composition: "+strings.Join(names(compositions), ", "))
	f.IntVar(&o.codeDim, "code-dim", 0, "width `d'` of the code embeddings in --compose affine (default half of the vectors')")
	f.StringVar(&o.dtype, "dtype", string(defaultDType), "`TYPE` of the code embeddings: "+strings.Join(names(codefile.DTypes), ", "))
	f.StringVar(&o.weights, "weights", "", "whose error counts more: rank, or a `FILE` of weights")
	f.Var(&o.size, "target-size", "choose K and D so that OUT takes at most this `SIZE`, such as 2MB")
	f.Float64Var(&o.maxError, "max-error", 0, "choose K and D so that the relative error is at most `E`, such as 0.05")
	o.learning.flags(cmd)
	f.Var(&o.memory, "memory", "`SIZE` of memory to keep to, such as 2GB (default no limit)")
	f.BoolVar(&o.resume, "resume", false, "go on from where an interrupted run was")
	f.BoolVar(&o.compare, "compare", false, "compare with other methods at about the same size")
	f.StringVar(&o.plot, "plot", "", "draw the comparison, at several sizes, to this `FILE`: .png or .svg")
	o.input.flags(cmd)
	completeFlag(cmd, "compose", names(compositions)...)
	completeFlag(cmd, "dtype", names(codefile.DTypes)...)
	jsonFlag(cmd, &o.json)
	return cmd
}

// check refuses flags that no table fits.
func (o *compressOptions) check(cmd *cobra.Command) error {
	chosen := cmd.Flags().Changed("target-size") || cmd.Flags().Changed("max-error")
	shaped := cmd.Flags().Changed("ways") || cmd.Flags().Changed("code-length")
	switch {
	case o.out == "":
		return usagef("-o OUT is missing")
	case o.out == "-":
		return usagef("a code file cannot go to standard output: name a file with -o")
	case cmd.Flags().Changed("target-size") && cmd.Flags().Changed("max-error"):
		return usagef("--target-size and --max-error: ask for one of them")
	case chosen && shaped:
		return usagef("--target-size and --max-error choose K and D: leave -K and -D out")
	case cmd.Flags().Changed("max-error") && !(o.maxError > 0 && o.maxError < 1):
		return usagef("--max-error %g: give a number between 0 and 1", o.maxError)
	case o.k < 2 || o.k > codefile.MaxK:
		return usagef("-K %d: give a number from 2 to %d", o.k, codefile.MaxK)
	case o.d < 1 || o.d > codefile.MaxD:
		return usagef("-D %d: give a number from 1 to %d", o.d, codefile.MaxD)
	case !slices.Contains(names(compositions), o.compose):
		return usagef("--compose %s: use one of %s", o.compose, strings.Join(names(compositions), ", "))
	case !slices.Contains(names(codefile.DTypes), o.dtype):
		return usagef("--dtype %s: use one of %s", o.dtype, strings.Join(names(codefile.DTypes), ", "))
	case cmd.Flags().Changed("code-dim") && o.compose != string(codefile.Affine):
		return usagef("--code-dim is for --compose affine")
	case cmd.Flags().Changed("code-dim") && o.codeDim < 1:
		return usagef("--code-dim %d: give a number from 1 up", o.codeDim)
	case o.plot != "" && !slices.Contains(plotFormats, filepath.Ext(o.plot)):
		return usagef("--plot %s: give a name that ends in %s", o.plot, strings.Join(plotFormats, " or "))
	case o.plot != "" && filepath.Clean(o.plot) == filepath.Clean(o.out):
		return usagef("-o and --plot are both %s: give them names of their own", o.plot)
	}
	_, err := o.learning.options()
	return err
}

func compress(ctx context.Context, s *streams, o compressOptions) error {
	began := time.Now()
	if err := canWrite([]string{o.in, o.input.symbols, o.weights}, o.out, o.plot); err != nil {
		return err
	}
	if o.memory > 0 {
		// Garbage must not grow the heap beyond what may be used.
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(int64(o.memory)))
	}
	in, err := o.input.openSource(ctx, s, o.in, int64(o.memory))
	if err != nil {
		return err
	}
	defer in.Close()
	c := compressor{s: s, o: o, in: in, notes: in.notes}
	if err := c.prepare(ctx); err != nil {
		return err
	}
	result, err := c.run(ctx)
	if err != nil {
		return err
	}
	result.TotalSeconds = time.Since(began).Seconds()
	s.progress.clear()
	if o.json {
		return s.writeJSON(result)
	}
	result.print(s.out)
	return nil
}

// compressor compresses one table.
type compressor struct {
	s     *streams
	o     compressOptions
	in    *tableInput
	q     quantize.Options
	notes []string // what a human should know
}

// prepare fills the options of package quantize in and checks the table.
func (c *compressor) prepare(ctx context.Context) error {
	var err error
	if c.q, err = c.o.learning.options(); err != nil {
		return err
	}
	c.q.K, c.q.D = c.o.k, c.o.d
	c.q.Composition, c.q.DType = codefile.Composition(c.o.compose), codefile.DType(c.o.dtype)
	if c.q.Composition == codefile.Affine {
		if c.q.CodeDim = c.o.codeDim; c.q.CodeDim == 0 {
			c.q.CodeDim = max(1, c.in.Dim()/2)
		}
	}
	if c.o.memory > 0 {
		c.q.Memory = max(1, int64(c.o.memory)-c.in.held)
	}
	if err := c.weigh(ctx); err != nil {
		return err
	}
	c.q.Progress = c.s.showProgress
	c.s.progress.note("checking " + c.in.path)
	if !c.asksResult() {
		return c.checkTable(c.q)
	}
	// What is wrong with the table must not be looked for in the choice of K
	// and D, which is yet to be made.
	q := c.q
	q.K, q.D = 2, 1
	if _, err := quantize.Check(c.in, c.in.symbols, q); err != nil {
		return fmt.Errorf("%s: %w", c.in.path, err)
	}
	return nil
}

// asksResult reports whether K and D are to be chosen.
func (c *compressor) asksResult() bool { return c.o.size > 0 || c.o.maxError > 0 }

// weigh sets the weights of the rows.
func (c *compressor) weigh(ctx context.Context) error {
	switch c.o.weights {
	case "":
	case byRank:
		c.q.Weights = rankWeights(c.in.Len())
	default:
		weights, missing, err := readWeights(ctx, c.o.weights, c.in.Len(), c.in.symbols)
		if err != nil {
			return err
		}
		if missing > 0 {
			c.notes = append(c.notes, fmt.Sprintf("%s of %s without a weight in %s get the smallest that is there", grouped(int64(missing)), plural(c.in.Len(), "symbol"), c.o.weights))
		}
		c.q.Weights = weights
	}
	return nil
}

// checkTable checks the table and says on stderr what was noticed.
func (c *compressor) checkTable(q quantize.Options) error {
	found, err := quantize.Check(c.in, c.in.symbols, q)
	if err != nil {
		return fmt.Errorf("%s: %w", c.in.path, err)
	}
	c.notes = append(c.notes, found.Notes...)
	c.s.progress.clear()
	for _, note := range c.notes {
		fmt.Fprintf(c.s.err, "kd: %s: %s\n", c.in.path, note)
	}
	return nil
}
