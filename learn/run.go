package learn

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/optimizer"
)

// drainEvery is after how many steps the losses are read. Reading waits for the
// device, so it is not done after every step.
const drainEvery = 32

// run is a training under way.
type run struct {
	*Training
	state   state
	started time.Time
	saved   time.Time
	pending []*tensors.Tensor
	means   *means // of the weights, once there are some
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
	Averaged int    `json:",omitempty"` // how often the weights have entered their means
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
	for batch, err := range ahead(r.Trainer.Backend(), r.Batches(n, r.state.Step)) {
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
	if err := r.average(); err != nil {
		return err
	}
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
		if err := r.checkNumber("the loss", loss); err != nil {
			return err
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

// checkNumber returns the error of a run that has diverged unless x is a number.
// The last checkpoint was made of numbers: saving follows draining.
func (r *run) checkNumber(what string, x float64) error {
	if !math.IsNaN(x) && !math.IsInf(x, 0) {
		return nil
	}
	kept := "there is no checkpoint yet"
	if r.Checkpoints != "" && !r.Temporary && HasCheckpoint(r.Checkpoints) {
		kept = "the last good checkpoint is kept in " + r.Checkpoints
	}
	return fmt.Errorf("%w: %s is %g by step %d of epoch %d; %s; a lower learning rate or clipping may help",
		ErrDiverged, what, x, r.state.Step, len(r.state.History)+1, kept)
}

// interrupted keeps a checkpoint of a run that is asked to end.
func (r *run) interrupted(ctx context.Context) error {
	if err := r.drain(); err != nil {
		return err
	}
	if r.Checkpoints == "" || r.Temporary {
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
