package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/gomlx/compute"
	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/learn"
	"github.com/kdcode/kdcode/quantize"
)

// taskCodes is the learning of codes of vectors.
const taskCodes = "codes"

// trainCodesOptions are what kd train codes is told.
type trainCodesOptions struct {
	vectors   string
	embedding embeddingOptions
	training  trainingOptions
	batch     int
	outputs   trainingOutputs
}

// codesFlags are those of a layer that suit codes of vectors; the others of
// embeddingOptions are hidden, and refused.
var codesFlags = []string{"ways", "code-length", "code-dim", "compose", "hidden", "relax", "temperature", "entropy", "shared", "init-scale"}

// notForCodes are the others.
func notForCodes() []string {
	others := []string{"dim", "emb"}
	for flag := range flagsOf {
		if !slices.Contains(codesFlags, flag) {
			others = append(others, flag)
		}
	}
	return others
}

func newTrainCodes(s *streams) *cobra.Command {
	o := trainCodesOptions{
		embedding: embeddingOptions{Ways: 32, CodeLength: 32},
		training:  trainingOptions{Epochs: 100, Rate: 1e-2},
		outputs:   trainingOutputs{dtype: string(codefile.Float32)},
	}
	cmd := &cobra.Command{
		Use:   "codes --vectors FILE -o CODES.kd",
		Short: "Learn codes of vectors by the paper's auto-encoder",
		Long: `Learn codes of vectors by the auto-encoder of the paper's guidance alone: one dense layer
turns a vector into the logits of its code, and the code's embeddings are composed into
the vector again. kd compress does so without gradients, sooner and with a smaller error;
this is to compare with the paper, whose pre-trained codes are these: kd train lm --emb
codes --codes-from CODES.kd.

The measures are taken from the written file. When Ctrl-C stops the work, the same command
with --resume goes on from where it was.`,
		Example: `  kd train codes --vectors glove.txt -o glove.kd -K 6 -D 4
  kd train lm --data ptb -o full.kd --emb full --save-embedding full.bin
  kd train codes --vectors full.bin -o codes.kd
  kd train lm --data ptb -o m.kd --emb codes --codes-from codes.kd`,
		Args:              wantArgs(false),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			return trainCodes(cmd.Context(), s, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.vectors, "vectors", "", "`FILE` of the vectors: a table, of the format of its name")
	o.outputs.flags(cmd)
	o.embedding.flags(cmd)
	for _, flag := range notForCodes() {
		f.Lookup(flag).Hidden = true
	}
	f.Lookup("out").Usage = "`CODES.kd`, the code file to write"
	f.Lookup("checkpoints").Usage = "`FOLDER` for checkpoints, removed when done (default CODES.kd.checkpoints)"
	f.Lookup("dtype").Usage = strings.ReplaceAll(f.Lookup("dtype").Usage, "MODEL", "CODES")
	f.Lookup("code-length").Usage = "`D`, the digits of a code"
	o.training.flags(cmd)
	f.IntVar(&o.batch, "batch", 256, "`N` vectors a step")
	return cmd
}

func (o *trainCodesOptions) check(cmd *cobra.Command) error {
	f := cmd.Flags()
	switch {
	case o.vectors == "":
		return usagef("--vectors FILE is missing")
	case o.batch < 1:
		return usagef("--batch %d: give a number from 1 up", o.batch)
	case o.training.Epochs < 1:
		return usagef("--epochs %d: give a number from 1 up", o.training.Epochs)
	}
	for _, flag := range notForCodes() {
		if f.Changed(flag) {
			return usagef("--%s is for the training of models", flag)
		}
	}
	o.embedding.Dim = o.embedding.CodeLength // until the vectors are read
	if o.embedding.Compose == learn.Concat.String() {
		o.embedding.Dim *= min(max(o.embedding.CodeDim, 1), widest)
	}
	if err := o.outputs.check(); err != nil {
		return err
	}
	if err := o.training.check(); err != nil {
		return err
	}
	return o.embedding.check(cmd)
}

// codesTask is the learning of codes of vectors.
type codesTask struct {
	o      trainCodesOptions
	table  *inputTable
	result *trainResult
}

func trainCodes(ctx context.Context, s *streams, o trainCodesOptions) error {
	began := time.Now()
	if err := wantVectors(o.vectors); err != nil {
		return err
	}
	if err := o.outputs.canWrite(o.vectors); err != nil {
		return err
	}
	var input vectorsInput
	table, err := input.readAll(ctx, s, o.vectors)
	if err != nil {
		return err
	}
	var in tableInput
	in.hold(table)
	if err := finite(o.vectors, &in); err != nil {
		return err
	}
	o.embedding.Dim = table.Dim
	t := &codesTask{o: o, table: table}
	job := &trainingJob{
		s: s, task: t, name: taskCodes, source: o.vectors, symbols: numbered(table.Symbols, table.Len()), began: began,
		embedding: o.embedding, training: o.training, outputs: o.outputs,
	}
	return job.run(ctx)
}

func (t *codesTask) settings() (map[string]any, error) {
	all, err := contentsOf(map[string]string{"vectors": t.o.vectors})
	if err != nil {
		return nil, err
	}
	all["batch"] = t.o.batch
	return all, nil
}

func (t *codesTask) train(ctx context.Context, backend compute.Backend, layer learn.Embedding, settings string, run *trainingRun) (*trained, error) {
	r, err := learn.Reconstruction{
		Backend: backend, Batch: t.o.batch, Epochs: t.o.training.Epochs, Rate: t.o.training.Rate, Seed: t.o.training.Seed,
		Checkpoints: t.o.outputs.checkpoints, Settings: settings, OnStep: run.onStep, OnEpoch: run.onEpoch,
	}.Learn(ctx, layer.(*learn.KD), t.table.Data)
	if err != nil {
		return nil, err
	}
	model := func() (*codefile.Model, error) {
		m, err := r.Model()
		if err == nil {
			m.Symbols = t.table.Symbols
		}
		return m, err
	}
	return &trained{model, r.History, nil}, nil
}

func (t *codesTask) describe(r *trainResult) {
	r.TrainExamples = t.table.Len()
	t.result = r
}

// measure compares what the file composes with the vectors.
func (t *codesTask) measure(ctx context.Context) (*learn.Evaluation, error) {
	codes, err := openTable(t.o.outputs.out)
	if err != nil {
		return nil, err
	}
	defer codes.Close()
	fidelity, err := quantize.Measure(ctx, quantize.Matrix{Data: t.table.Data, D: t.table.Dim}, codeSource{codes}, quantize.Options{Seed: t.o.training.Seed})
	t.result.Fidelity = &fidelity
	return nil, err
}
