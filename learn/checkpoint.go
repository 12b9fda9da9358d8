package learn

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/checkpoint"
)

// Names of the checkpoints in a training's folder: each is a folder of GoMLX's
// checkpoint files.
const (
	lastCheckpoint = "last"
	bestCheckpoint = "best"
)

// ErrCheckpoint is wrapped by errors about a checkpoint that cannot be gone on
// from.
var ErrCheckpoint = errors.New("bad checkpoint")

// stateParam is the store's parameter that holds the training's state.
const stateParam = "/learn_training"

// save writes a checkpoint.
func (r *run) save(name string) error {
	if r.Checkpoints == "" {
		return nil
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

// resume loads the last checkpoint, if there is one.
func (r *run) resume() error {
	if r.Checkpoints == "" || !checkpointExists(r.Checkpoints, lastCheckpoint) {
		return nil
	}
	s, err := loadCheckpoint(r.Trainer.Store(), r.Checkpoints, lastCheckpoint)
	if err != nil {
		return err
	}
	if s.Settings != r.Settings {
		return fmt.Errorf("%w: %s is of a training with other settings:\n  then: %s\n  now:  %s\nremove it to begin anew, or use the settings of then", ErrCheckpoint, r.Checkpoints, s.Settings, r.Settings)
	}
	r.state = s
	return nil
}

// checkpointExists reports whether there is a checkpoint of that name. One that
// a crash left aside, between the two renamings of saveCheckpoint, is put back.
func checkpointExists(dir, name string) bool {
	to := filepath.Join(dir, name)
	if _, err := os.Stat(to); err == nil {
		return true
	}
	return os.Rename(to+".old", to) == nil
}

// saveCheckpoint writes the store's variables. GoMLX writes two files in place
// and does not look at every write's error, so they are written to a folder of
// their own, checked, synced, and put in the place of the old one by renaming.
func saveCheckpoint(store *model.Store, dir, name string) error {
	to := filepath.Join(dir, name)
	tmp, old := to+".tmp", to+".old"
	for _, stale := range []string{tmp, old} {
		if err := os.RemoveAll(stale); err != nil {
			return fmt.Errorf("learn: checkpoint: %w", err)
		}
	}
	if err := writeCheckpoint(store, tmp); err != nil {
		_ = os.RemoveAll(tmp)
		return fmt.Errorf("learn: writing the checkpoint %s: %w", to, err)
	}
	if err := os.Rename(to, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("learn: checkpoint: %w", err)
	}
	if err := os.Rename(tmp, to); err != nil {
		return fmt.Errorf("learn: checkpoint: %w", err)
	}
	return os.RemoveAll(old)
}

func writeCheckpoint(store *model.Store, dir string) error {
	before := store.Loader()
	defer store.SetLoader(before) // the handler puts itself there
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	handler, err := checkpoint.Build(store).Dir(dir).Keep(-1).WithCompression(checkpoint.BinUncompressed).Done()
	if err != nil {
		return err
	}
	if err := handler.Save(); err != nil {
		return err
	}
	return checkWritten(store, dir)
}

// checkWritten syncs a checkpoint's files, and returns an error unless all the
// variables' bytes are in them.
func checkWritten(store *model.Store, dir string) error {
	var want, got int64
	for v := range store.IterVariables() {
		want += int64(v.Shape().ByteSize())
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return err
	}
	for _, path := range files {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		info, err := f.Stat()
		if err == nil {
			err = f.Sync()
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
		if filepath.Ext(path) == checkpoint.BinDataSuffix {
			got += info.Size()
		}
	}
	if got < want {
		return fmt.Errorf("%d bytes of %d were written: is the disk full?", got, want)
	}
	return nil
}

// loadCheckpoint reads variables into the store, and returns the training's
// state.
func loadCheckpoint(store *model.Store, dir, name string) (state, error) {
	var s state
	from := filepath.Join(dir, name)
	store.SetLoader(nil) // what an earlier checkpoint has not been asked for yet must not win over this one
	handler, err := checkpoint.Load(store).Dir(from).Done()
	if err != nil {
		return s, fmt.Errorf("%w: %s: %w; remove it to begin anew", ErrCheckpoint, from, err)
	}
	loadAll(store, handler.LoadedVariables())
	text, ok := store.GetParam(stateParam)
	if !ok {
		return s, fmt.Errorf("%w: %s is not one of a training; remove it to begin anew", ErrCheckpoint, from)
	}
	if err := json.Unmarshal([]byte(fmt.Sprint(text)), &s); err != nil {
		return s, fmt.Errorf("%w: %s: the state of the training: %w; remove it to begin anew", ErrCheckpoint, from, err)
	}
	return s, nil
}

// loadAll reads what a checkpoint has into the store. GoMLX reads what graphs
// ask for, and writes what was read: of a training that is stopped again before
// its next step, the rest would be lost. Metrics have other names in each run.
func loadAll(store *model.Store, loaded map[string]*tensors.Tensor) {
	for _, key := range slices.Collect(maps.Keys(loaded)) { // reading removes it
		_, path, _ := strings.Cut(key, "/") // keys are paths after a prefix
		if path = "/" + path; strings.Contains(path, metricsScope) {
			continue
		}
		v := store.GetVariable(path) // trainable, until a graph says otherwise
		if v != nil && (strings.HasPrefix(path, meansScope) || !v.DType().IsFloat()) {
			v.SetTrainable(false) // none does so of means, nor of a generator's state
		}
	}
}
