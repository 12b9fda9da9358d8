package learn

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"time"

	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/kdcode/kdcode/codefile"
)

// ErrDiverged is returned when the loss is no number any more.
var ErrDiverged = errors.New("training diverged")

// Training runs a trainer over epochs: it evaluates, reports, stops early and
// keeps checkpoints. A training that is interrupted and run again with the same
// settings goes on where it was, to the same result.
type Training struct {
	Trainer *train.Trainer
	Epochs  int

	// Batches returns the batches of an epoch from the given one on. They must
	// be the same whenever they are asked for. Steps is their number.
	Batches func(epoch, from int) iter.Seq2[train.Batch, error]
	Steps   int

	// Rate returns an epoch's learning rate. Nil leaves the optimizer's own.
	Rate func(epoch int) float64

	// Evaluate is called after each epoch. Nil is no evaluation.
	Evaluate func() (Evaluation, error)

	// Stop reports whether to stop after the last of the epochs. Nil never
	// does. See [Patience] and [Window].
	Stop func([]Epoch) bool

	// KeepBest makes the trained model that of the epoch with the highest
	// Evaluation.Score rather than that of the last. It needs Checkpoints.
	KeepBest bool

	// Average makes the trained model the mean of its weights over about so
	// many epochs, which is what is evaluated, too. 0 is none: the weights are
	// those after the last step.
	Average int

	// Layer, with its variables at LayerScope, is looked at after each epoch:
	// how its codes have changed. Nil is none.
	Layer      Coder
	LayerScope *model.Scope

	// Checkpoints is a folder for them, which Run makes; empty is none. Settings identifies the
	// run: a checkpoint of other settings is refused.
	Checkpoints string
	Settings    string
	SaveEvery   time.Duration // between checkpoints; 0 stands for a minute
	Temporary   bool          // the folder is removed after Run: only the best epoch is kept there

	OnStep  func(Progress) // called now and then
	OnEpoch func(Epoch)    // called after each epoch
}

// Coder is a layer that has codes to look at while they are learned.
type Coder interface {
	CodesAndEntropy(scope *model.Scope) (codefile.Codes, float64, error)
}

// Evaluation is how good a model is on data held out.
type Evaluation struct {
	Loss       float64
	Score      float64 // higher is better: an accuracy, say
	Perplexity float64 // of a language model; 0 for others
}

// Progress is how far a training is.
type Progress struct {
	Epoch, Epochs int // Epoch counts from 0
	Step, Steps   int // of the epoch
	Loss          float64
}

// Run trains. When ctx ends it keeps a checkpoint and returns ctx's error.
func (t *Training) Run(ctx context.Context) ([]Epoch, error) {
	if t.KeepBest && t.Checkpoints == "" {
		return nil, errors.New("learn: keeping the best epoch needs a folder for checkpoints")
	}
	if t.Checkpoints != "" {
		if err := os.MkdirAll(t.Checkpoints, 0o777); err != nil {
			return nil, fmt.Errorf("learn: a folder for checkpoints: %w", err)
		}
	}
	r := &run{Training: t, started: time.Now(), saved: time.Now()}
	if err := r.resume(); err != nil {
		return nil, err
	}
	for !r.done() {
		if err := r.epoch(ctx); err != nil {
			return r.state.History, err
		}
	}
	if err := r.restoreBest(); err != nil {
		return r.state.History, err
	}
	return r.state.History, r.settle()
}
