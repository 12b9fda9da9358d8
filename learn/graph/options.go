package graph

import (
	"errors"
	"fmt"
	"os"

	"github.com/gomlx/compute"

	"github.com/kdcode/kdcode/learn"
)

// Options are the settings of a training. Zero values stand for the recipe's. A
// Dropout or Decay below zero is none.
//
// With a Window of n epochs, training stops when the loss on Valid is above its
// mean over the n before, and the last epoch is kept: Kipf & Welling's rule, with
// n = 10. It is the default for layers without codes. Where codes are learned the
// loss jumps whenever digits change, and the rule stops far too early. With a
// Window below zero, the default there, all epochs are trained, and the one with
// the best accuracy on Valid is kept.
type Options struct {
	Backend     compute.Backend
	Epochs      int     // at most, each one step over the whole graph: 200
	Rate        float64 // learning rate of Adam: 0.01
	CodeRate    float64 // times Rate for the code logits: 1
	Dropout     float64 // of the inputs of both layers: 0.5
	Decay       float64 // weight of ΣW0²/2 in the loss: 5e-4
	Window      int     // epochs that early stopping looks back: see above
	Seed        uint64
	Checkpoints string // a folder; empty is none
	Settings    string // identifies the run to its checkpoints
	OnStep      func(learn.Progress)
	OnEpoch     func(learn.Epoch)
}

func (o *Options) defaults(features learn.Embedding) error {
	for _, s := range []struct {
		v *float64
		d float64
	}{{&o.Rate, 0.01}, {&o.CodeRate, 1}, {&o.Dropout, 0.5}, {&o.Decay, 5e-4}} {
		if *s.v == 0 {
			*s.v = s.d
		}
	}
	o.Dropout, o.Decay = max(o.Dropout, 0), max(o.Decay, 0)
	if o.Epochs == 0 {
		o.Epochs = 200
	}
	if _, codes := features.(learn.Coder); o.Window == 0 && codes {
		o.Window = -1
	} else if o.Window == 0 {
		o.Window = 10
	}
	switch {
	case o.Backend == nil:
		return errors.New("graph: no backend to train on; compute.NewWithConfig(\"go\") is one")
	case o.Epochs < 1:
		return fmt.Errorf("graph: %d epochs; give a number from 1 up", o.Epochs)
	case !(o.Rate > 0) || !(o.CodeRate > 0):
		return fmt.Errorf("graph: learning rates of %g, and of %g times that for codes; both must be above zero (KD.Codes fixes codes)", o.Rate, o.CodeRate)
	case !(o.Dropout < 1):
		return fmt.Errorf("graph: a dropout of %g leaves nothing; give a share below 1", o.Dropout)
	}
	return nil
}

// makeTemporary makes a temporary folder for the best epoch, where one is to be
// kept and no folder is named. remove removes it.
func (o *Options) makeTemporary(d *Dataset) (made bool, remove func(), err error) {
	if o.Checkpoints != "" || o.Window >= 0 || len(d.Valid) == 0 {
		return false, func() {}, nil
	}
	o.Checkpoints, err = os.MkdirTemp("", "kdcode-graph-")
	return true, func() { _ = os.RemoveAll(o.Checkpoints) }, err
}
