package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gomlx/compute"
	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/learn"
	"github.com/kdcode/kdcode/learn/lm"
)

// taskLM is the task of language models, as their files name it.
const taskLM = "lm"

// trainLMOptions are what kd train lm is told.
type trainLMOptions struct {
	dir       string // of the corpus
	sizeName  string
	size      lm.Size // what flags say, then all of it
	embedding embeddingOptions
	training  trainingOptions
	batch     int
	average   int     // epochs whose weights are averaged
	best      bool    // is kept of the epochs, not the last
	ratio     float64 // of a low rank
	outputs   trainingOutputs
}

func newTrainLM(s *streams) *cobra.Command {
	var o trainLMOptions
	cmd := trainLMCommand(&o)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := o.check(cmd); err != nil {
			return err
		}
		return trainLM(cmd.Context(), s, o)
	}
	return cmd
}

// trainLMCommand returns the command whose flags fill in the options.
func trainLMCommand(o *trainLMOptions) *cobra.Command {
	*o = trainLMOptions{
		embedding: embeddingOptions{Ways: 32, CodeLength: 32},
		training:  trainingOptions{Rate: 1},
		// float32: the file's perplexity is then that of the graph.
		outputs: trainingOutputs{dtype: string(codefile.Float32)},
	}
	cmd := &cobra.Command{
		Use:   "lm --data DIR -o MODEL.kd",
		Short: "Train a language model",
		Long: `Train the paper's language model: two LSTM layers between the embedding and a full
softmax. DIR has the corpus: *train.txt, *valid.txt and *test.txt, each gzipped or not, one
sentence a line and a space between words. The model is one code file, which kd eval
measures and from which kd predict continues texts.

` + strings.Replace(embeddingHelp, "of --rank; by default of as many bits as kd with the same -K and -D", "of --rank, or of --ratio of the full table's parameters", 1) + `

--size is that of the paper, with its schedule for the kind of embedding: the learning
rate is --rate for --flat epochs, and multiplied by --decay in each after them. Further
flags change what they name. --average makes the model the mean of its weights over the
last epochs, which is closer to a minimum than they are, and --best keeps the epoch that
does best on valid. kd, random, codes and chars have code embeddings of width 300
unless --code-dim says otherwise; dpq has -K 8 -D 25 in small, 32 and 50 in medium, 16 and
50 in large, with shared code embeddings unless --shared=false.

A trained model helps to learn codes (--guide pdg): train it with --emb full and
--save-embedding, or name its file. --auto-encoder adds the paper's auto-encoder.

The perplexity is measured on valid after each epoch, and at the end on test, from the
written file. When Ctrl-C stops the work, the same command with --resume goes on from
where it was, on a CPU to the same file as if it had not been stopped.`,
		Example: `  kd train lm --data ptb --size small -o full.kd --emb full --save-embedding full.txt
  kd train lm --data ptb --size small -o words.kd
  kd train lm --data ptb --size small -o words.kd --guide pdg --guide-from full.txt
  kd train lm --data ptb --size medium -o words.kd --emb dpq --plot epochs.png
  kd train lm --data mine -o words.kd --dim 100 --epochs 5 -K 16 -D 16`,
		Args:              wantArgs(false),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := cmd.Flags()
	f.StringVar(&o.dir, "data", "", "`DIR` of the corpus")
	o.outputs.flags(cmd)
	o.embedding.flags(cmd)
	o.training.flags(cmd)
	o.sizeFlags(cmd)
	for flag, usage := range map[string]string{
		"rate":         "learning `RATE` to begin with, of SGD; the codes' logits learn by Adam at a hundredth of it",
		"epochs":       "`N` epochs to train",
		"code-length":  "`D`, the digits of a code; unless given, 10 for chars, 50 for product and as above for dpq if that divides d",
		"code-dim":     "width `d'` of the code embeddings (default 300, and d/D in --compose concat)",
		"rank":         "`RANK` of lowrank (default that of --ratio)",
		"guide-weight": "`WEIGHT` of the distance to the guide (default 1000, and 0.1 in odg of small)",
	} {
		f.Lookup(flag).Usage = usage
	}
	return cmd
}

// check refuses flags that no corpus fits, and fills in what follows from others.
func (o *trainLMOptions) check(cmd *cobra.Command) error {
	if o.dir == "" {
		return usagef("--data DIR is missing")
	}
	if err := o.resize(cmd.Flags()); err != nil {
		return err
	}
	if err := o.checkSize(cmd.Flags()); err != nil {
		return err
	}
	if err := o.outputs.check(); err != nil {
		return err
	}
	if err := o.training.check(); err != nil {
		return err
	}
	return o.embedding.check(cmd)
}

// lmTask is the training of a language model.
type lmTask struct {
	o       trainLMOptions
	files   map[string]string // of the corpus, by part
	corpus  *lm.Corpus
	backend compute.Backend // once it trains
	valid   *float64        // perplexity, once it is trained
}

func trainLM(ctx context.Context, s *streams, o trainLMOptions) error {
	began := time.Now()
	t := &lmTask{files: map[string]string{}}
	for _, part := range lm.Parts {
		var err error
		if t.files[part], err = lm.Find(o.dir, part); err != nil {
			return err
		}
	}
	if err := o.outputs.canWrite(append(o.embedding.files(), slices.Collect(maps.Values(t.files))...)...); err != nil {
		return err
	}
	s.progress.note("reading " + o.dir)
	var err error
	if t.corpus, err = await(ctx, func() (*lm.Corpus, error) { return lm.Read(o.dir) }); err != nil {
		return err
	}
	if o.embedding.Kind == embLowRank && o.embedding.Rank == 0 {
		o.embedding.Rank = learn.RankFor(len(t.corpus.Words), o.embedding.Dim, o.ratio)
	}
	t.o = o
	job := &trainingJob{
		s: s, task: t, name: taskLM, source: filepath.Clean(o.dir), symbols: t.corpus.Words, began: began,
		embedding: o.embedding, training: o.training, outputs: o.outputs,
	}
	return job.run(ctx)
}

func (t *lmTask) settings() (map[string]any, error) {
	all, err := contentsOf(map[string]string{"train": t.files["train"], "valid": t.files["valid"]})
	if err != nil {
		return nil, err
	}
	s := t.o.size
	maps.Copy(all, map[string]any{
		"steps_per_batch": s.Steps, "keep": s.Keep, "clip": s.Clip, "flat": s.Flat, "decay": s.Decay, "batch": t.o.batch,
		"average": t.o.average, "best": t.o.best,
	})
	return all, nil
}

func (t *lmTask) train(ctx context.Context, backend compute.Backend, layer learn.Embedding, settings string, run *trainingRun) (*trained, error) {
	t.backend = backend
	rate := t.o.training.Rate
	optimizer := learn.SGD(rate, t.o.size.Clip)
	if slices.Contains(composing, t.o.embedding.Kind) {
		optimizer = learn.Mixed(rate, t.o.size.Clip)
	}
	r, err := lm.Train(ctx, t.corpus, layer, lm.Options{
		Backend: backend, Size: t.o.size, Batch: t.o.batch, Optimizer: optimizer, Rate: rate, Seed: t.o.training.Seed,
		Average: t.o.average, KeepBest: t.o.best,
		Checkpoints: t.o.outputs.checkpoints, Settings: settings, OnStep: run.onStep, OnEpoch: run.onEpoch,
	})
	if errors.Is(err, lm.ErrFormat) {
		err = fmt.Errorf("%s: %w", t.o.dir, err)
	}
	if err != nil {
		return nil, err
	}
	t.valid = &r.Valid
	return &trained{r.Model, r.History, &learn.Evaluation{Perplexity: r.Test}}, nil
}

func (t *lmTask) describe(r *trainResult) {
	r.TrainExamples, r.ValidExamples, r.TestExamples = len(t.corpus.Train), len(t.corpus.Valid), len(t.corpus.Test)
	r.ValidPerplexity = t.valid
}

func (t *lmTask) measure(ctx context.Context) (*learn.Evaluation, error) {
	m, err := lm.Open(t.o.outputs.out, t.backend)
	if err != nil {
		return nil, err
	}
	perplexity, err := m.Perplexity(ctx, t.corpus.Test)
	return &learn.Evaluation{Perplexity: perplexity}, err
}
