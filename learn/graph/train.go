package graph

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/learn"
)

// Result is a trained network.
type Result struct {
	History []learn.Epoch
	Epoch   int               // the one whose network it is, from 1
	Test    *learn.Evaluation // over Dataset.Test by the graph; nil if there is none

	network *network
	store   *model.Store
	data    *Dataset
}

// Model returns the network as the content of a code file.
func (r *Result) Model() (*codefile.Model, error) { return r.network.export(r.store, r.data) }

// Train trains a network whose W0 is the embedding layer features, of the data
// set's features; its width is that of the hidden layer. It evaluates on Valid
// after each epoch, and on Test at the end.
func Train(ctx context.Context, d *Dataset, features learn.Embedding, o Options) (*Result, error) {
	if err := o.defaults(features); err != nil {
		return nil, err
	}
	if err := d.check(features); err != nil {
		return nil, err
	}
	store := model.NewStore()
	if err := learn.SetSeed(store, int64(o.Seed)); err != nil {
		return nil, err
	}
	temporary, remove, err := o.makeTemporary(d)
	if err != nil {
		return nil, err
	}
	defer remove()
	r := &Result{data: d, store: store, network: &network{features, d.weights(), d.Classes, o.Dropout, o.Decay}}
	fields := newFields(d)
	t, err := r.training(o, fields)
	if err != nil {
		return nil, err
	}
	t.Temporary = temporary
	if r.History, err = t.Run(ctx); err != nil {
		return r, err
	}
	r.Epoch = len(r.History)
	if t.KeepBest {
		r.Epoch = bestEpoch(r.History)
	}
	if len(d.Test) == 0 {
		return r, nil
	}
	test, err := newEvaluator(o.Backend, store, r.network, fields.of(d.Test))
	if err != nil {
		return nil, err
	}
	defer test.close()
	e, _, err := test.run()
	if err != nil {
		return nil, err
	}
	r.Test = &e
	return r, nil
}

// bestEpoch returns the first epoch with the highest score, from 1.
func bestEpoch(history []learn.Epoch) int {
	best := 0
	for i, e := range history {
		if *e.Score > *history[best].Score {
			best = i
		}
	}
	return history[best].Epoch
}

// check returns an error unless the data can be learned from with the layer.
func (d *Dataset) check(features learn.Embedding) error {
	switch {
	case features.Symbols() != d.Features:
		return fmt.Errorf("graph: an embedding of %d symbols for %d features; make it of Dataset.Features", features.Symbols(), d.Features)
	case d.X.Rows != d.Nodes || d.X.Cols != d.Features || len(d.Labels) != d.Nodes:
		return fmt.Errorf("graph: X is [%d, %d] and there are %d labels, but %d nodes and %d features", d.X.Rows, d.X.Cols, len(d.Labels), d.Nodes, d.Features)
	case len(d.Train) == 0:
		return errors.New("graph: no nodes to train on; Dataset.Train names them")
	}
	for _, part := range [][]int{d.Train, d.Valid, d.Test} {
		for _, node := range part {
			if node < 0 || node >= d.Nodes || d.Labels[node] < 0 || d.Labels[node] >= d.Classes {
				return fmt.Errorf("graph: node %d of the split is not one of %d with a label below %d", node, d.Nodes, d.Classes)
			}
		}
	}
	return nil
}

// weights returns what each feature counts in a layer's batch norms: once. By
// how often they occur in X they would do no better on validation.
func (d *Dataset) weights() []float32 {
	w := make([]float32, d.Features)
	for i := range w {
		w[i] = 1
	}
	return w
}

// training sets up the epochs.
func (r *Result) training(o Options, fields *fields) (*learn.Training, error) {
	learned := fields.of(r.data.Train)
	drop := dropout{o.Dropout, o.Seed}
	adam := learn.LazyAdam(o.Rate).Codes(learn.Rule{Adam: true, Scale: o.CodeRate})
	t := &learn.Training{
		Trainer: train.NewTrainer(o.Backend, r.store, r.network.train(learned), nil, adam, nil, nil),
		Epochs:  o.Epochs,
		Steps:   1,
		Batches: func(epoch, from int) iter.Seq2[train.Batch, error] {
			return func(yield func(train.Batch, error) bool) {
				if from == 0 {
					yield(inputs(drop.of(learned.x, epoch)), nil)
				}
			}
		},
		LayerScope:  r.store.Scope("/" + featuresScope),
		Checkpoints: o.Checkpoints,
		Settings:    o.Settings,
		OnStep:      o.OnStep,
		OnEpoch:     o.OnEpoch,
	}
	t.Layer, _ = r.network.features.(learn.Coder)
	if len(r.data.Valid) == 0 {
		return t, nil
	}
	valid, err := newEvaluator(o.Backend, r.store, r.network, fields.of(r.data.Valid))
	if err != nil {
		return nil, err
	}
	t.Evaluate = func() (learn.Evaluation, error) {
		e, _, err := valid.run()
		return e, err
	}
	if t.KeepBest = o.Window < 0; !t.KeepBest {
		t.Stop = learn.Window(o.Window)
	}
	return t, nil
}

// inputs returns a step's features.
func inputs(x coordinates) train.Batch {
	n := len(x.values)
	return train.Batch{Inputs: []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(x.rows, n),
		tensors.FromFlatDataAndDimensions(x.cols, n),
		tensors.FromFlatDataAndDimensions(x.values, n),
	}}
}
