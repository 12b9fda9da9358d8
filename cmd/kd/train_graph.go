package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gomlx/compute"
	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/learn"
	"github.com/kdcode/kdcode/learn/graph"
)

// trainGraphOptions are what kd train graph is told.
type trainGraphOptions struct {
	data      graphData
	embedding embeddingOptions
	training  trainingOptions
	codeRate  float64
	decay     float64
	window    int
	seeds     int
	glorot    bool // initial values follow from the layer's shape
	outputs   trainingOutputs
}

// recipesWindow is --window where it is not given: that of package graph.
const recipesWindow = -1

func newTrainGraph(s *streams) *cobra.Command {
	o := trainGraphOptions{
		embedding: embeddingOptions{Dim: 16, Ways: 64, CodeLength: 8, NormScale: graph.NormScale},
		training:  trainingOptions{Epochs: 200, Rate: 0.01, Dropout: 0.5},
	}
	cmd := &cobra.Command{
		Use:   "graph --data DIR -o MODEL.kd",
		Short: "Train a classifier of a graph's nodes",
		Long: `Train Kipf & Welling's graph convolutional network of two layers on the nodes of a graph.
The embeddings are those of the nodes' features, as wide as the hidden layer; the model is
one code file. With --name, DIR has the Planetoid files of that data set: ind.cora.x and
so on. Without, it has a graph in text, each file gzipped or not:

  features   node feature… or feature:value…, every node once
  edges      node node
  labels     node label
  split      node train, valid or test

` + embeddingHelp + `

Learned codes are soft at first and harden, unless --relax says otherwise. Training stops
when the loss on validation is above its mean over --window epochs. With --window 0, the
default for layers with codes, all epochs are trained and the one with the best accuracy
on validation is kept. When Ctrl-C stops it, the same command with --resume goes on from
where it was, on a CPU to the same file as if it had not been stopped.

Data sets of this size have results that vary with the seed: --seeds 10 trains ten times,
from --seed on, and reports the mean. MODEL is that of the first seed.`,
		Example: `  kd train graph --data planetoid --name cora -o cora.kd
  kd train graph --data planetoid --name cora -o full.kd --emb full
  kd train graph --data planetoid --name cora -o cora.kd --seeds 10 --json
  kd train graph --data friends -o friends.kd --dim 32 -K 16 -D 8`,
		Args:              wantArgs(false),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			return trainGraph(cmd.Context(), s, o)
		},
	}
	f := cmd.Flags()
	o.data.flags(cmd)
	o.outputs.flags(cmd)
	o.embedding.flags(cmd)
	o.training.flags(cmd)
	o.training.dropoutFlag(cmd)
	f.Float64Var(&o.codeRate, "code-rate", 1, "learning rate of the codes, `TIMES` --rate")
	f.Float64Var(&o.decay, "decay", 5e-4, "`WEIGHT` of the embeddings' squares in the loss")
	f.IntVar(&o.window, "window", recipesWindow, "`N` epochs that early stopping looks back; 0 trains to the end")
	f.Lookup("window").DefValue = "10, with codes 0"
	f.Lookup("init-scale").DefValue = "0.1; Glorot's without norms"
	f.Lookup("relax").DefValue = learn.Soft.String()
	f.Lookup("temperature").Usage = strings.Replace(f.Lookup("temperature").Usage, "(default 1)", "(default "+annealing+")", 1)
	f.IntVar(&o.seeds, "seeds", 1, "`N` trainings, of as many seeds, to report the mean of")
	return cmd
}

func (o *trainGraphOptions) check(cmd *cobra.Command) error {
	switch {
	case o.data.dir == "":
		return usagef("--data DIR is missing")
	case o.training.Epochs < 1:
		return usagef("--epochs %d: give a number from 1 up", o.training.Epochs)
	case !positive(o.codeRate):
		return usagef("--code-rate %g: give a number above 0; --emb random has fixed codes", o.codeRate)
	case !fromZero(o.decay):
		return usagef("--decay %g: give a number from 0 up", o.decay)
	case o.window < 0 && cmd.Flags().Changed("window"):
		return usagef("--window %d: give a number from 0 up", o.window)
	case o.seeds < 1:
		return usagef("--seeds %d: give a number from 1 up", o.seeds)
	}
	o.glorot = !cmd.Flags().Changed("init-scale") && !slices.Contains(composing, o.embedding.Kind) // those have norms
	if err := o.outputs.check(); err != nil {
		return err
	}
	if err := o.training.check(); err != nil {
		return err
	}
	return o.checkEmbedding(cmd)
}

// annealing is graph.Annealing as --temperature takes it.
const annealing = "exp:1,1,0.98"

// checkEmbedding fills in what differs from other tasks: codes are soft at first.
func (o *trainGraphOptions) checkEmbedding(cmd *cobra.Command) error {
	soft := o.embedding.Kind == embKD && !cmd.Flags().Changed("relax")
	if soft {
		o.embedding.Relax = learn.Soft.String()
	}
	if soft && !cmd.Flags().Changed("temperature") {
		if err := o.embedding.temperature.Set(annealing); err != nil {
			return err
		}
	}
	return o.embedding.check(cmd)
}

// graphTask is the training of a classifier of nodes.
type graphTask struct {
	o     trainGraphOptions
	data  *graph.Dataset
	epoch int          // the one that was kept
	seeds *seedsResult // nil with one seed
}

func trainGraph(ctx context.Context, s *streams, o trainGraphOptions) error {
	began := time.Now()
	if err := o.outputs.canWrite(append(o.embedding.files(), o.data.dir)...); err != nil {
		return err
	}
	data, err := o.data.read(ctx, s)
	if err != nil {
		return err
	}
	if o.glorot {
		o.embedding.InitScale = graph.Glorot(data.Features, o.embedding.Dim)
	}
	t := &graphTask{o: o, data: data}
	job := &trainingJob{
		s: s, task: t, name: "graph", source: o.data.String(), symbols: t.symbols(), began: began,
		embedding: o.embedding, training: o.training, outputs: o.outputs,
	}
	return job.run(ctx)
}

// symbols returns what the embedding is of: the features.
func (t *graphTask) symbols() []string { return numbered(t.data.FeatureNames, t.data.Features) }

func (t *graphTask) settings() (map[string]any, error) {
	text, err := json.Marshal(t.data)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	return map[string]any{
		"data":      fmt.Sprintf("%d nodes, %d edges, sha256 %s", t.data.Nodes, len(t.data.Edges), hex.EncodeToString(sum[:8])),
		"code_rate": t.o.codeRate, "decay": t.o.decay, "window": t.o.window,
	}, nil
}

// options returns the options as package graph takes them, for a seed.
func (t *graphTask) options(backend compute.Backend, seed uint64) graph.Options {
	given := func(x float64) float64 { // zero stands for the recipe's own there
		if x == 0 {
			return -1
		}
		return x
	}
	o := graph.Options{
		Backend: backend, Epochs: t.o.training.Epochs, Rate: t.o.training.Rate, CodeRate: t.o.codeRate,
		Dropout: given(t.o.training.Dropout), Decay: given(t.o.decay), Window: t.o.window, Seed: seed,
	}
	switch t.o.window {
	case recipesWindow:
		o.Window = 0
	case 0:
		o.Window = -1
	}
	return o
}

func (t *graphTask) train(ctx context.Context, backend compute.Backend, layer learn.Embedding, settings string, run *trainingRun) (*trained, error) {
	o := t.options(backend, t.o.training.Seed)
	o.Checkpoints, o.Settings, o.OnStep, o.OnEpoch = t.o.outputs.checkpoints, settings, run.onStep, run.onEpoch
	r, err := graph.Train(ctx, t.data, layer, o)
	if err != nil {
		return nil, err
	}
	t.epoch = r.Epoch
	if t.o.seeds > 1 {
		if err := t.trainMore(ctx, backend, run, r); err != nil {
			return nil, err
		}
	}
	return &trained{r.Model, r.History, r.Test}, nil
}

// trainMore trains with the seeds after the first, which was trained already.
func (t *graphTask) trainMore(ctx context.Context, backend compute.Backend, run *trainingRun, first *graph.Result) error {
	t.seeds = &seedsResult{}
	t.seeds.add(t.o.training.Seed, first)
	for i := 1; i < t.o.seeds; i++ {
		seed := t.o.training.Seed + uint64(i)
		o := t.options(backend, seed)
		o.OnStep = func(p learn.Progress) {
			run.s.progress.bar("training", p.Epoch, p.Epochs, fmt.Sprintf("seed %d, %d of %d, loss %.4f", seed, i+1, t.o.seeds, p.Loss))
		}
		layer, _, err := t.o.embedding.layer(ctx, run.s, t.symbols(), seed) // codes may be drawn at random
		if err != nil {
			return err
		}
		r, err := graph.Train(ctx, t.data, layer, o)
		if err != nil {
			return err
		}
		t.seeds.add(seed, r)
	}
	return nil
}

func (t *graphTask) describe(r *trainResult) {
	r.Labels, r.TrainExamples, r.ValidExamples, r.TestExamples = t.data.Classes, len(t.data.Train), len(t.data.Valid), len(t.data.Test)
	if t.epoch > 0 {
		r.ValidAccuracy = r.Epochs[t.epoch-1].Score
	}
	r.Seeds = t.seeds
}

func (t *graphTask) measure(ctx context.Context) (*learn.Evaluation, error) {
	if len(t.data.Test) == 0 {
		return nil, nil
	}
	report, err := evaluateGraph(ctx, t.o.outputs.out, t.data)
	if err != nil {
		return nil, err
	}
	return &learn.Evaluation{Score: report.Accuracy}, nil
}
