package learn

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/optimizer"

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

	// Layer, with its variables at LayerScope, is looked at after each epoch:
	// how its codes have changed. Nil is none.
	Layer      Coder
	LayerScope *model.Scope

	// Checkpoints is a folder for them; empty is none. Settings identifies the
	// run: a checkpoint of other settings is refused.
	Checkpoints string
	Settings    string
	SaveEvery   time.Duration // between checkpoints; 0 stands for a minute

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

// Epoch is what is known after an epoch.
type Epoch struct {
	Epoch    int      `json:"epoch"` // from 1
	Step     int      `json:"step"`  // in all
	Loss     float64  `json:"loss"`  // mean of the epoch's batches, regularisers included
	Rate     *float64 `json:"learning_rate,omitempty"`
	EvalLoss *float64 `json:"eval_loss,omitempty"`
	Score    *float64 `json:"score,omitempty"`
	Seconds  float64  `json:"seconds"` // since the beginning, resumed runs added up

	Perplexity *float64 `json:"perplexity,omitempty"` // on data held out, of a language model

	CodesChanged *float64 `json:"codes_changed,omitempty"` // share of digits, since the epoch before
	SharingCodes *int     `json:"sharing_codes,omitempty"` // symbols whose code another has, too
	Entropy      *float64 `json:"entropy,omitempty"`       // mean of a digit's softmax, in nats
}

// drainEvery is after how many steps the losses are read. Reading waits for the
// device, so it is not done after every step.
const drainEvery = 32

// Run trains. When ctx ends it keeps a checkpoint and returns ctx's error.
func (t *Training) Run(ctx context.Context) ([]Epoch, error) {
	if t.KeepBest && t.Checkpoints == "" {
		return nil, errors.New("learn: keeping the best epoch needs a folder for checkpoints")
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
	return r.state.History, r.restoreBest()
}

// run is a training under way.
type run struct {
	*Training
	state   state
	started time.Time
	saved   time.Time
	pending []*tensors.Tensor
}

// state is what a checkpoint keeps beside the variables.
type state struct {
	Settings string
	Step     int     // of the epoch under way
	LossSum  float64 // of its steps
	Seconds  float64
	History  []Epoch
	Best     int    // the epoch with the highest score, from 1; 0 is none yet
	Stopped  bool   // early
	Codes    []byte // packed, after the epoch before
}

func (r *run) done() bool { return r.state.Stopped || len(r.state.History) >= r.Epochs }

// seconds returns how long the training has taken, resumed runs added up.
func (r *run) seconds() float64 { return r.state.Seconds + time.Since(r.started).Seconds() }

// epoch trains one epoch, or what is left of it.
func (r *run) epoch(ctx context.Context) error {
	n := len(r.state.History)
	if err := r.setRate(n); err != nil {
		return err
	}
	for batch, err := range r.Batches(n, r.state.Step) {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			_ = batch.Finalize()
			return r.interrupted(ctx)
		}
		if err := r.step(batch); err != nil {
			return err
		}
	}
	if err := r.drain(); err != nil {
		return err
	}
	if err := r.finishEpoch(n); err != nil {
		if ctx.Err() != nil { // evaluating was stopped: the epoch's steps are kept
			return r.interrupted(ctx)
		}
		return err
	}
	if r.done() || time.Since(r.saved) >= r.saveEvery() {
		return r.save(lastCheckpoint)
	}
	return nil
}

func (r *run) saveEvery() time.Duration {
	if r.SaveEvery == 0 {
		return time.Minute
	}
	return r.SaveEvery
}

// step trains on a batch.
func (r *run) step(batch train.Batch) error {
	metrics, err := r.Trainer.TrainStep(batch)
	if err != nil {
		return fmt.Errorf("learn: epoch %d, step %d: %w", len(r.state.History)+1, r.state.Step+1, err)
	}
	r.pending = append(r.pending, metrics[0]) // the batch's loss
	for _, m := range metrics[1:] {
		_ = m.FinalizeAll()
	}
	r.state.Step++
	if len(r.pending) < drainEvery {
		return nil
	}
	if err := r.drain(); err != nil {
		return err
	}
	if time.Since(r.saved) >= r.saveEvery() {
		return r.save(lastCheckpoint)
	}
	return nil
}

// drain reads the losses of the last steps.
func (r *run) drain() error {
	for _, t := range r.pending {
		loss := float64(tensors.ToScalar[float32](t))
		_ = t.FinalizeAll()
		if math.IsNaN(loss) || math.IsInf(loss, 0) {
			return r.diverged(loss)
		}
		r.state.LossSum += loss
	}
	r.pending = r.pending[:0]
	if r.OnStep != nil && r.state.Step > 0 {
		r.OnStep(Progress{
			Epoch: len(r.state.History), Epochs: r.Epochs,
			Step: r.state.Step, Steps: r.Steps, Loss: r.state.LossSum / float64(r.state.Step),
		})
	}
	return nil
}

// diverged returns the error of a run whose loss is no number. The last
// checkpoint was made of numbers: saving follows draining.
func (r *run) diverged(loss float64) error {
	kept := "there is no checkpoint yet"
	if r.Checkpoints != "" && checkpointExists(r.Checkpoints, lastCheckpoint) {
		kept = "the last good checkpoint is kept in " + r.Checkpoints
	}
	return fmt.Errorf("%w: the loss is %g by step %d of epoch %d; %s; a lower learning rate or clipping may help",
		ErrDiverged, loss, r.state.Step, len(r.state.History)+1, kept)
}

// interrupted keeps a checkpoint of a run that is asked to end.
func (r *run) interrupted(ctx context.Context) error {
	if err := r.drain(); err != nil {
		return err
	}
	if r.Checkpoints == "" {
		return context.Cause(ctx)
	}
	if err := r.save(lastCheckpoint); err != nil {
		return err
	}
	return fmt.Errorf("learn: stopped in epoch %d of %d, checkpoint kept in %s: %w", len(r.state.History)+1, r.Epochs, r.Checkpoints, context.Cause(ctx))
}

// setRate sets the learning rate of an epoch.
func (r *run) setRate(epoch int) error {
	if r.Rate == nil {
		return nil
	}
	v := optimizer.LearningRateVar(r.Trainer.Store().RootScope(), dtypes.Float32, 0)
	return v.SetValue(tensors.FromScalar(float32(r.Rate(epoch))))
}

// finishEpoch evaluates and notes the epoch.
func (r *run) finishEpoch(n int) error {
	e := Epoch{Epoch: n + 1, Step: int(optimizer.GetGlobalStep(r.Trainer.Store()))}
	if r.state.Step > 0 {
		e.Loss = r.state.LossSum / float64(r.state.Step)
	}
	if r.Rate != nil {
		rate := r.Rate(n)
		e.Rate = &rate
	}
	if r.Evaluate != nil {
		evaluation, err := r.Evaluate()
		if err != nil {
			return err
		}
		e.EvalLoss, e.Score = &evaluation.Loss, &evaluation.Score
		if evaluation.Perplexity > 0 {
			e.Perplexity = &evaluation.Perplexity
		}
	}
	if err := r.look(&e); err != nil {
		return err
	}
	e.Seconds = r.seconds()
	r.state.Step, r.state.LossSum = 0, 0
	r.state.History = append(r.state.History, e)
	r.state.Stopped = r.Stop != nil && r.Stop(r.state.History)
	if err := r.noteBest(e); err != nil {
		return err
	}
	if r.OnEpoch != nil {
		r.OnEpoch(e)
	}
	return nil
}

// noteBest keeps the model of an epoch that is better than all before.
func (r *run) noteBest(e Epoch) error {
	if e.Score == nil || r.state.Best > 0 && *e.Score <= *r.state.History[r.state.Best-1].Score {
		return nil
	}
	r.state.Best = e.Epoch
	if !r.KeepBest {
		return nil
	}
	return r.save(bestCheckpoint)
}

// restoreBest makes the model that of the best epoch.
func (r *run) restoreBest() error {
	if !r.KeepBest || r.state.Best == 0 || r.state.Best == len(r.state.History) {
		return nil
	}
	_, err := loadCheckpoint(r.Trainer.Store(), r.Checkpoints, bestCheckpoint)
	return err
}

// look notes how the codes have changed.
func (r *run) look(e *Epoch) error {
	if r.Layer == nil {
		return nil
	}
	codes, entropy, err := r.Layer.CodesAndEntropy(r.LayerScope)
	if err != nil {
		return err
	}
	sharing := SharingCodes(codes)
	e.Entropy, e.SharingCodes = &entropy, &sharing
	if before := r.state.Codes; before != nil {
		changed, err := Compare(codefile.Codes{K: codes.K, D: codes.D, Packed: before}, codes)
		if err != nil {
			return err
		}
		e.CodesChanged = &changed
	}
	r.state.Codes = codes.Packed
	return nil
}

// Patience stops when the score has not risen for n epochs.
func Patience(n int) func([]Epoch) bool {
	return func(history []Epoch) bool {
		best := 0
		for i, e := range history {
			if e.Score != nil && *e.Score > *history[best].Score {
				best = i
			}
		}
		return n > 0 && len(history)-1-best >= n
	}
}

// Window stops when the evaluation's loss is above the mean of the n epochs
// before, as Kipf & Welling do.
func Window(n int) func([]Epoch) bool {
	return func(history []Epoch) bool {
		last := len(history) - 1
		if n <= 0 || last <= n {
			return false
		}
		mean := 0.0
		for _, e := range history[last-n : last] {
			mean += *e.EvalLoss / float64(n)
		}
		return *history[last].EvalLoss > mean
	}
}
