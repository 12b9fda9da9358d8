package learn

import (
	"cmp"

	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/kdcode/kdcode/codefile"
)

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
	if err := r.withMeans(func() error { return r.measure(&e) }); err != nil {
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

// measure notes how good the model is, and its codes.
func (r *run) measure(e *Epoch) error {
	if r.Evaluate != nil {
		evaluation, err := r.Evaluate()
		if err != nil {
			return err
		}
		err = cmp.Or(r.checkNumber("the loss on data held out", evaluation.Loss), r.checkNumber("the score", evaluation.Score),
			r.checkNumber("the perplexity on data held out", evaluation.Perplexity))
		if err != nil {
			return err
		}
		e.EvalLoss, e.Score = &evaluation.Loss, &evaluation.Score
		if evaluation.Perplexity > 0 {
			e.Perplexity = &evaluation.Perplexity
		}
	}
	return r.look(e)
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
	return loadCheckpoint(r.Trainer.Store(), r.Checkpoints, bestCheckpoint)
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
	if err := r.checkNumber("the entropy of the codes", entropy); err != nil {
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
