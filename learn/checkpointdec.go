package learn

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/checkpoint"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/kdcode/kdcode/internal/mmap"
)

// loadCheckpoint reads variables into the store.
func loadCheckpoint(store *model.Store, dir, name string) error {
	from := filepath.Join(dir, name)
	var err error
	if caught := exceptions.TryCatch[error](func() { err = readCheckpoint(store, from) }); caught != nil {
		err = caught // GoMLX's, of a damaged file
	}
	if err != nil {
		return fmt.Errorf("%w: %s: %w; remove it to begin anew", ErrCheckpoint, from, err)
	}
	return nil
}

// readCheckpoint reads the two files of a checkpoint. GoMLX could read them by
// itself, but takes a variable by one read, which gives 1 GiB of a file at most.
// Of memory it gives all.
func readCheckpoint(store *model.Store, dir string) error {
	text, err := readOnly(dir, checkpoint.JsonNameSuffix, os.ReadFile)
	if err != nil {
		return err
	}
	values, err := readOnly(dir, checkpoint.BinDataSuffix, mmap.Open)
	if err != nil {
		return err
	}
	defer values.Close()
	store.SetLoader(nil) // what an earlier checkpoint has not been asked for yet must not win over this one
	handler, err := checkpoint.Load(store).FromEmbed(string(text), values.Data).Done()
	if err != nil {
		return err
	}
	loadAll(store, handler.LoadedVariables())
	return nil
}

// readOnly reads the only file of a folder that ends in suffix.
func readOnly[T any](dir, suffix string, read func(path string) (T, error)) (T, error) {
	entries, err := os.ReadDir(dir)
	var all []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) {
			all = append(all, e.Name())
		}
	}
	if err == nil && len(all) != 1 {
		err = fmt.Errorf("%d files that end in %s instead of one", len(all), suffix)
	}
	if err != nil {
		var none T
		return none, err
	}
	return read(filepath.Join(dir, all[0]))
}

// readState returns the state of the training whose checkpoint it is. It is one
// of the parameters in GoMLX's file, which is read without the variables.
func readState(dir, name string) (state, error) {
	var s state
	from := filepath.Join(dir, name)
	var file struct {
		Params []struct {
			Scope, Key string
			Value      any
		}
	}
	text, err := readOnly(from, checkpoint.JsonNameSuffix, os.ReadFile)
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	if err != nil {
		return s, fmt.Errorf("%w: %s: %w; remove it to begin anew", ErrCheckpoint, from, err)
	}
	for _, p := range file.Params {
		if model.JoinPath(p.Scope, p.Key) != stateParam {
			continue
		}
		if err := json.Unmarshal([]byte(fmt.Sprint(p.Value)), &s); err != nil {
			return s, fmt.Errorf("%w: %s: the state of the training: %w; remove it to begin anew", ErrCheckpoint, from, err)
		}
		return s, nil
	}
	return s, fmt.Errorf("%w: %s is not one of a training; remove it to begin anew", ErrCheckpoint, from)
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
