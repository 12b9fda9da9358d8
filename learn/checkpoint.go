package learn

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"
)

// Names of the checkpoints in a training's folder: each is a folder of GoMLX's
// checkpoint files.
const (
	lastCheckpoint = "last"
	bestCheckpoint = "best"
	tmpSuffix      = ".tmp" // of one that is being written
	oldSuffix      = ".old" // of the one whose place it takes
)

// ErrCheckpoint is wrapped by errors about a checkpoint that cannot be gone on
// from.
var ErrCheckpoint = errors.New("bad checkpoint")

// stateParam is the store's parameter that holds the training's state.
const stateParam = "/learn_training"

// save writes a checkpoint, unless the last step left weights that are no numbers:
// their loss would only come with the next.
func (r *run) save(name string) error {
	if r.Checkpoints == "" || r.Temporary && name == lastCheckpoint {
		return nil
	}
	if err := r.checkWeights(); err != nil {
		return err
	}
	s := r.state
	s.Settings, s.Seconds = r.Settings, r.seconds()
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("learn: the state of the training: %w", err)
	}
	store := r.Trainer.Store()
	store.SetParam(stateParam, string(text))
	if err := saveCheckpoint(store, r.Checkpoints, name); err != nil {
		return err
	}
	if name == lastCheckpoint {
		r.saved = time.Now()
	}
	return nil
}

// checkWeights returns an error if a weight is no number.
func (r *run) checkWeights() error {
	for v := range r.Trainer.Store().IterVariables() {
		if !v.Trainable || v.DType() != dtypes.Float32 {
			continue
		}
		value, err := v.Value()
		if err != nil {
			return fmt.Errorf("learn: checkpoint: %s: %w", v.Path(), err)
		}
		var diverged error
		err = tensors.ConstFlatData(value, func(x []float32) {
			if bad := slices.IndexFunc(x, func(x float32) bool { return x-x != 0 }); bad >= 0 { // NaN or infinite
				diverged = r.checkNumber("a weight of "+v.Path(), float64(x[bad]))
			}
		})
		if err := errors.Join(diverged, err); err != nil {
			return err
		}
	}
	return nil
}

// resume loads the checkpoint that is furthest, if there is one.
func (r *run) resume() error {
	name, s, err := r.furthest()
	if err != nil || name == "" {
		return err
	}
	if s.Settings != r.Settings {
		return fmt.Errorf("%w: %s is of a training with other settings:\n  then: %s\n  now:  %s\nremove it to begin anew, or use the settings of then", ErrCheckpoint, r.Checkpoints, s.Settings, r.Settings)
	}
	r.state = s
	return loadCheckpoint(r.Trainer.Store(), r.Checkpoints, name)
}

// furthest returns which checkpoint to go on from, and its state. A training that
// was killed may have kept its best epoch after it wrote the last checkpoint. It
// goes on from there: on a device that does not repeat itself bit by bit, the
// epoch might not be the best again, but would still be the one that is kept.
func (r *run) furthest() (name string, s state, err error) {
	if r.Checkpoints == "" {
		return "", s, nil
	}
	names := []string{lastCheckpoint}
	if r.KeepBest {
		names = append(names, bestCheckpoint)
	}
	for _, n := range names {
		if !checkpointExists(r.Checkpoints, n) {
			continue
		}
		of, err := readState(r.Checkpoints, n)
		if err != nil {
			return "", s, err
		}
		if name == "" || len(of.History) > len(s.History) {
			name, s = n, of
		}
	}
	return name, s, nil
}

// HasCheckpoint reports whether a folder has a checkpoint to go on from.
func HasCheckpoint(dir string) bool {
	return checkpointExists(dir, lastCheckpoint) || checkpointExists(dir, bestCheckpoint)
}

// RemoveCheckpoints removes those of a folder, and what is left of unfinished
// ones.
func RemoveCheckpoints(dir string) error {
	var all error
	for _, name := range []string{lastCheckpoint, bestCheckpoint} {
		for _, suffix := range []string{"", tmpSuffix, oldSuffix} {
			all = errors.Join(all, os.RemoveAll(filepath.Join(dir, name+suffix)))
		}
	}
	return all
}

// checkpointExists reports whether there is a checkpoint of that name. One that
// a crash left aside, between the two renamings of saveCheckpoint, is put back.
func checkpointExists(dir, name string) bool {
	to := filepath.Join(dir, name)
	if _, err := os.Stat(to); err == nil {
		return true
	}
	return os.Rename(to+oldSuffix, to) == nil
}
