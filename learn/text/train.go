package text

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/learn"
)

// Options are the settings of a training. Zero values stand for what did best
// on texts held out of AG News and SST-2; docs/learn.md tells of both.
type Options struct {
	Backend     compute.Backend
	Batch       int     // B: 64
	Steps       int     // of training in all: 1,800. Whole epochs are trained
	Epochs      int     // instead of Steps, if not 0
	Rate        float64 // learning rate of lazy Adam: 3e-4 for a KD layer, 3e-3 for others
	CodeRate    float64 // times Rate for the code logits: 30
	Constant    bool    // keeps Rate as it is; it falls to zero linearly by epochs otherwise
	Dropout     float64 // of the texts' means
	DropWords   float64 // the probability with which a word of a training text is left out
	Patience    int     // epochs without a better accuracy on Valid to stop after; 0 never stops
	Round       int     // distinct words of a batch are padded to a multiple: 256, on XLA 1,024
	Seed        uint64
	Checkpoints string // a folder; empty is none
	Settings    string // identifies the run to its checkpoints
	OnStep      func(learn.Progress)
	OnEpoch     func(learn.Epoch)
}

// withDefaults returns the options for a layer, zero values replaced.
func (o Options) withDefaults(words learn.Embedding) Options {
	o.Batch = cmp.Or(o.Batch, 64)
	o.Steps = cmp.Or(o.Steps, 1800)
	round := 256
	if o.Backend != nil && o.Backend.Name() == "xla" {
		round = 1024 // compiling for another shape takes longer than padding
	}
	o.Round = cmp.Or(o.Round, round)
	// A word's code follows its gradient only when its logits can change
	// places within the few times the word is seen: they need a high rate. The
	// code embeddings, which all words share, overfit at one.
	rate := 3e-3
	if _, ok := words.(*learn.KD); ok {
		rate = 3e-4
	}
	o.Rate = cmp.Or(o.Rate, rate)
	o.CodeRate = cmp.Or(o.CodeRate, 30)
	return o
}

// check returns an error unless the options make sense.
func (o Options) check() error {
	share := func(x float64) bool { return x >= 0 && x < 1 }
	switch {
	case o.Backend == nil:
		return errors.New("text: no backend to train on")
	case o.Batch < 1 || o.Steps < 1 || o.Epochs < 0 || o.Round < 1:
		return fmt.Errorf("text: batches of %d, %d steps, %d epochs, rounded to %d: these must be positive", o.Batch, o.Steps, o.Epochs, o.Round)
	case !(o.Rate > 0) || !(o.CodeRate > 0):
		return fmt.Errorf("text: learning rates of %g and %g times that: they must be positive", o.Rate, o.CodeRate)
	case !share(o.Dropout) || !share(o.DropWords):
		return fmt.Errorf("text: dropping shares of %g and %g: 0 up to 1 is possible", o.Dropout, o.DropWords)
	}
	return nil
}

// Result is a trained classifier.
type Result struct {
	History []learn.Epoch
	Test    *learn.Evaluation // over Corpus.Test by the graph; nil if there is none

	classifier *classifier
	store      *model.Store
	corpus     *Corpus
}

// Model returns the classifier as the content of a code file.
func (r *Result) Model() (*codefile.Model, error) {
	return r.classifier.export(r.store, r.corpus.Words, r.corpus.Labels)
}

// Train trains a classifier on the embedding layer words, of the corpus's
// words. It evaluates on Valid after each epoch, and on Test at the end.
func Train(ctx context.Context, c *Corpus, words learn.Embedding, o Options) (*Result, error) {
	o = o.withDefaults(words)
	if err := o.check(); err != nil {
		return nil, err
	}
	switch {
	case words.Symbols() != len(c.Words):
		return nil, fmt.Errorf("text: an embedding of %d symbols for %d words", words.Symbols(), len(c.Words))
	case len(c.Train) == 0:
		return nil, errors.New("text: no texts to train on; Corpus.Train has them")
	}
	store := model.NewStore()
	if err := learn.SetSeed(store, int64(o.Seed)); err != nil {
		return nil, err
	}
	r := &Result{corpus: c, store: store, classifier: &classifier{words, len(c.Labels), o.Dropout}}
	evaluate, err := newEvaluator(o, store, r.classifier)
	if err != nil {
		return nil, err
	}
	if r.History, err = r.training(ctx, o, evaluate).Run(ctx); err != nil {
		return r, err
	}
	if len(c.Test) > 0 {
		e, err := evaluate.over(ctx, c.Test)
		if err != nil {
			return nil, err
		}
		r.Test = &e
	}
	return r, nil
}

// training sets up the epochs.
func (r *Result) training(ctx context.Context, o Options, evaluate *evaluator) *learn.Training {
	c := r.corpus
	b := &batcher{words: len(c.Words), size: o.Batch, round: o.Round}
	steps := (len(c.Train) + o.Batch - 1) / o.Batch
	epochs := o.Epochs
	if epochs == 0 {
		epochs = int(math.Ceil(float64(o.Steps) / float64(steps)))
	}
	adam := learn.LazyAdam(o.Rate).Codes(learn.Rule{Adam: true, Scale: o.CodeRate})
	t := &learn.Training{
		Trainer: train.NewTrainer(o.Backend, r.store, r.classifier.train, nil, adam, nil, nil),
		Epochs:  epochs,
		Steps:   steps,
		Batches: func(epoch, from int) iter.Seq2[train.Batch, error] {
			b.drop = dropper{o.DropWords, o.Seed, epoch}
			return b.batches(c.Train, shuffled(len(c.Train), o.Seed, epoch), from)
		},
		LayerScope:  r.store.Scope("/" + wordsScope),
		Checkpoints: o.Checkpoints,
		Settings:    o.Settings,
		OnStep:      o.OnStep,
		OnEpoch:     o.OnEpoch,
	}
	t.Trainer.OnExecCreation(func(e *model.Exec, _ train.GraphType) { e.SetMaxCache(anyShapes) })
	if !o.Constant {
		t.Rate = func(epoch int) float64 { return o.Rate * (1 - float64(epoch)/float64(epochs)) }
	}
	t.Layer, _ = r.classifier.words.(learn.Coder)
	if len(c.Valid) > 0 {
		t.Evaluate = func() (learn.Evaluation, error) { return evaluate.over(ctx, c.Valid) }
		t.KeepBest = o.Checkpoints != ""
		if o.Patience > 0 {
			t.Stop = learn.Patience(o.Patience)
		}
	}
	return t
}

// anyShapes lets there be as many graphs as batches have numbers of distinct
// words, rounded. GoMLX would stop at 32.
const anyShapes = -1

// evaluator evaluates a classifier in the graph.
type evaluator struct {
	batcher batcher
	exec    *model.Exec
}

func newEvaluator(o Options, store *model.Store, c *classifier) (*evaluator, error) {
	exec, err := model.NewExec(o.Backend, store, c.evaluate)
	if err != nil {
		return nil, err
	}
	return &evaluator{batcher{words: c.words.Symbols(), size: o.Batch, round: o.Round}, exec.SetMaxCache(anyShapes)}, nil
}

// over returns the mean loss and the accuracy over documents.
func (e *evaluator) over(ctx context.Context, docs []Document) (learn.Evaluation, error) {
	var loss, right float64
	for batch, err := range e.batcher.batches(docs, inOrder(len(docs)), 0) {
		if err != nil {
			return learn.Evaluation{}, err
		}
		if err := ctx.Err(); err != nil {
			return learn.Evaluation{}, err
		}
		inputs := make([]any, len(batch.Inputs))
		for i, t := range batch.Inputs {
			inputs[i] = t
		}
		out, err := e.exec.Call(inputs...)
		if err != nil {
			return learn.Evaluation{}, err
		}
		loss += float64(tensors.ToScalar[float32](out[0]))
		right += float64(tensors.ToScalar[float32](out[1]))
		_ = batch.Finalize()
	}
	n := float64(max(len(docs), 1))
	return learn.Evaluation{Loss: loss / n, Score: right / n}, nil
}
