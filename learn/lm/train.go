package lm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/learn"
)

// Options are the settings of a training.
type Options struct {
	Backend     compute.Backend
	Size        Size
	Batch       int              // B: 20
	Optimizer   *learn.Optimizer // whose own rate does not count
	Rate        float64          // multiplies the size's; 0 stands for 1
	Average     int              // the model is the mean of its weights over about so many epochs; 0 is none
	KeepBest    bool             // the model is that of the epoch that is best on Valid; needs Checkpoints
	Seed        uint64
	Checkpoints string // a folder; empty is none
	Settings    string // identifies the run to its checkpoints
	OnStep      func(learn.Progress)
	OnEpoch     func(learn.Epoch)
}

// Result is a trained language model.
type Result struct {
	History []learn.Epoch // EvalLoss is that of Valid, a word's, in nats
	Valid   float64       // perplexity, of the epoch that was kept
	Test    float64       // perplexity, of the text as one stream

	network *network
	store   *model.Store
	corpus  *Corpus
}

// Model returns the language model as the content of a code file.
func (r *Result) Model() (*codefile.Model, error) { return r.network.export(r.store, r.corpus.Words) }

// Train trains a language model on the embedding layer words, of the corpus's
// words. It measures on Valid after each epoch, and on Test at the end.
func Train(ctx context.Context, c *Corpus, words learn.Embedding, o Options) (*Result, error) {
	o.Batch, o.Rate = cmp.Or(o.Batch, 20), cmp.Or(o.Rate, 1)
	if err := o.check(c, words); err != nil {
		return nil, err
	}
	store := model.NewStore()
	if err := learn.SetSeed(store, int64(o.Seed)); err != nil {
		return nil, err
	}
	r := &Result{corpus: c, store: store, network: &network{words, o.Size}}
	evaluate, err := newEvaluator(o.Backend, store, r.network)
	if err != nil {
		return nil, err
	}
	training, err := r.training(ctx, o, evaluate)
	if err != nil {
		return nil, err
	}
	if r.History, err = training.Run(ctx); err != nil {
		return r, err
	}
	r.Valid = *r.kept(o.KeepBest).Perplexity
	loss, err := evaluate.loss(ctx, c.Test, 1)
	if err == nil {
		r.Test, err = perplexity(loss)
	}
	return r, err
}

// kept returns the epoch that the model is of.
func (r *Result) kept(best bool) learn.Epoch {
	if !best {
		return r.History[len(r.History)-1]
	}
	return slices.MaxFunc(r.History, func(a, b learn.Epoch) int { return cmp.Compare(*a.Score, *b.Score) })
}

// perplexity returns that of a mean loss. One that no number holds is an
// error: nobody wants to read it.
func perplexity(loss float64) (float64, error) {
	if p := math.Exp(loss); p < math.Inf(1) {
		return p, nil
	}
	return 0, fmt.Errorf("%w: the loss of a word held out is %g; a lower learning rate or clipping may help", learn.ErrDiverged, loss)
}

func (o Options) check(c *Corpus, words learn.Embedding) error {
	switch {
	case o.Backend == nil || o.Optimizer == nil:
		return errors.New("lm: a backend and an optimizer are needed")
	case o.Average < 0:
		return fmt.Errorf("lm: weights averaged over %d epochs", o.Average)
	case o.Batch < 1:
		return fmt.Errorf("lm: batches of %d rows", o.Batch)
	case !(o.Rate > 0):
		return fmt.Errorf("lm: a learning rate of %g: it must be positive", o.Rate)
	case words.Symbols() != len(c.Words):
		return fmt.Errorf("lm: an embedding of %d symbols for %d words", words.Symbols(), len(c.Words))
	case len(c.Valid) < 2 || len(c.Test) < 2:
		return fmt.Errorf("%w: %d words to validate and %d to test: of the first word nothing is predicted, so two are needed", ErrFormat, len(c.Valid), len(c.Test))
	case words.Dim() != o.Size.Dim:
		return fmt.Errorf("lm: an embedding of width %d for a model of width %d", words.Dim(), o.Size.Dim)
	}
	if err := cmp.Or(known(c.Valid, len(c.Words)), known(c.Test, len(c.Words))); err != nil { // before hours of training
		return err
	}
	return o.Size.Check()
}

// training sets up the epochs.
func (r *Result) training(ctx context.Context, o Options, evaluate *evaluator) (*learn.Training, error) {
	text, err := newStream(r.corpus.Train, len(r.corpus.Words), o.Batch, o.Size.Steps)
	if err != nil {
		return nil, err
	}
	t := &learn.Training{
		Trainer: train.NewTrainer(o.Backend, r.store, r.network.train, nil, o.Optimizer, nil, nil),
		Epochs:  o.Size.Epochs,
		Steps:   text.batches(),
		Batches: func(_, from int) iter.Seq2[train.Batch, error] {
			if from == 0 {
				if err := r.network.forget(r.store, o.Batch); err != nil {
					return failing(err)
				}
			}
			return text.from(from)
		},
		Rate: func(epoch int) float64 { return o.Rate * o.Size.Rate(epoch) },
		Evaluate: func() (learn.Evaluation, error) {
			loss, err := evaluate.loss(ctx, r.corpus.Valid, o.Batch)
			return learn.Evaluation{Loss: loss, Score: -loss, Perplexity: math.Exp(loss)}, err
		},
		Average:     o.Average,
		KeepBest:    o.KeepBest,
		LayerScope:  r.store.Scope("/" + wordsScope),
		Checkpoints: o.Checkpoints,
		Settings:    o.Settings,
		OnStep:      o.OnStep,
		OnEpoch:     o.OnEpoch,
	}
	t.Layer, _ = r.network.words.(learn.Coder)
	return t, nil
}

func failing(err error) iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) { yield(train.Batch{}, err) }
}
