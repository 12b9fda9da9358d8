package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
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
	outputs   trainingOutputs
}

func newTrainGraph(s *streams) *cobra.Command {
	o := trainGraphOptions{
		embedding: embeddingOptions{Dim: 16, Ways: 64, CodeLength: 8},
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

Training stops when the loss on validation is above its mean over --window epochs. When
Ctrl-C stops it, the same command with --resume goes on from where it was, on a CPU to
the same file as if it had not been stopped.`,
		Example: `  kd train graph --data planetoid --name cora -o cora.kd
  kd train graph --data planetoid --name cora -o full.kd --emb full
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
	f.Float64Var(&o.codeRate, "code-rate", 1, "learning rate of the codes, `TIMES` --rate")
	f.Float64Var(&o.decay, "decay", 5e-4, "`WEIGHT` of the embeddings' squares in the loss")
	f.IntVar(&o.window, "window", 10, "`N` epochs that early stopping looks back; 0 trains to the end")
	return cmd
}

func (o *trainGraphOptions) check(cmd *cobra.Command) error {
	switch {
	case o.data.dir == "":
		return usagef("--data DIR is missing")
	case o.training.Epochs < 1:
		return usagef("--epochs %d: give a number from 1 up", o.training.Epochs)
	case !(o.codeRate >= 0):
		return usagef("--code-rate %g: give a number from 0 up", o.codeRate)
	case !(o.decay >= 0):
		return usagef("--decay %g: give a number from 0 up", o.decay)
	case o.window < 0:
		return usagef("--window %d: give a number from 0 up", o.window)
	}
	if err := o.outputs.check(); err != nil {
		return err
	}
	if err := o.training.check(); err != nil {
		return err
	}
	return o.embedding.check(cmd)
}

// graphTask is the training of a classifier of nodes.
type graphTask struct {
	o    trainGraphOptions
	data *graph.Dataset
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
	t := &graphTask{o, data}
	job := &trainingJob{
		s: s, task: t, name: "graph", source: o.data.String(), symbols: numbered(data.FeatureNames, data.Features), began: began,
		embedding: o.embedding, training: o.training, outputs: o.outputs,
	}
	return job.run(ctx)
}

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

func (t *graphTask) train(ctx context.Context, backend compute.Backend, layer learn.Embedding, settings string, run *trainingRun) (*trained, error) {
	// Zero stands for the recipe's own there.
	given := func(x float64) float64 {
		if x == 0 {
			return -1
		}
		return x
	}
	window := t.o.window
	if window == 0 {
		window = -1
	}
	r, err := graph.Train(ctx, t.data, layer, graph.Options{
		Backend: backend, Epochs: t.o.training.Epochs, Rate: t.o.training.Rate, CodeRate: given(t.o.codeRate),
		Dropout: given(t.o.training.Dropout), Decay: given(t.o.decay), Window: window, Seed: t.o.training.Seed,
		Checkpoints: t.o.outputs.checkpoints, Settings: settings, OnStep: run.onStep, OnEpoch: run.onEpoch,
	})
	if err != nil {
		return nil, err
	}
	return &trained{r.Model, r.History, r.Test}, nil
}

func (t *graphTask) describe(r *trainResult) {
	r.Labels, r.TrainExamples, r.ValidExamples, r.TestExamples = t.data.Classes, len(t.data.Train), len(t.data.Valid), len(t.data.Test)
	if n := len(r.Epochs); n > 0 {
		r.ValidAccuracy = r.Epochs[n-1].Score // the last epoch is kept
	}
}

func (t *graphTask) measure(ctx context.Context) (*float64, error) {
	if len(t.data.Test) == 0 {
		return nil, nil
	}
	report, err := evaluateGraph(ctx, t.o.outputs.out, t.data)
	if err != nil {
		return nil, err
	}
	return &report.Accuracy, nil
}
