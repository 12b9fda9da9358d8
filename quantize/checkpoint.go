package quantize

import (
	"encoding/gob"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"

	"github.com/kdcode/kdcode/internal/atomicfile"
	"github.com/kdcode/kdcode/quantize/internal/additive"
)

// ErrCheckpoint is wrapped by errors about a checkpoint that cannot be used.
var ErrCheckpoint = errors.New("checkpoint cannot be used")

// checkpoint is what its file holds: the state, and what it is a state of.
type checkpoint struct {
	Run   string // fingerprint of the options and the table
	State additive.State
}

// keeper keeps the state of a run in a file, and finds it there.
type keeper struct {
	path   string
	run    string
	resume *additive.State // nil: from the start
}

// keeper returns the keeper of a run, with the state to resume from if that
// was asked for and is there.
func (o Options) keeper(src Source) (*keeper, error) {
	k := &keeper{path: o.Checkpoint}
	if k.path == "" {
		return k, nil
	}
	var err error
	if k.run, err = o.fingerprint(src); err != nil || !o.Resume {
		return k, err
	}
	c, err := readCheckpoint(k.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return k, nil
	case err != nil:
		return nil, err
	case c.Run != k.run:
		return nil, fmt.Errorf("%w: %s is of another table or other options; remove it, or leave out the wish to resume", ErrCheckpoint, k.path)
	}
	k.resume = &c.State
	return k, nil
}

func readCheckpoint(path string) (*checkpoint, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var c checkpoint
	if err := gob.NewDecoder(f).Decode(&c); err != nil {
		return nil, fmt.Errorf("%w: %s: %v; remove it and begin anew", ErrCheckpoint, path, err)
	}
	return &c, nil
}

// save returns what the learner calls between rounds, or nil.
func (k *keeper) save() func(additive.State) error {
	if k.path == "" {
		return nil
	}
	return func(s additive.State) error {
		f, err := atomicfile.Create(k.path)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := gob.NewEncoder(f).Encode(checkpoint{k.run, s}); err != nil {
			return fmt.Errorf("write %s: %w", k.path, err)
		}
		return f.Commit()
	}
}

// fingerprint tells runs apart: by what shapes the result, and by some rows.
func (o Options) fingerprint(src Source) (string, error) {
	h := fnv.New64a()
	fmt.Fprint(h, src.Len(), src.Dim(), o.K, o.D, o.composition(), o.CodeDim, o.Effort, o.Seed, o.sample(src.Len(), src.Dim()), o.Weights)
	row := make([]float32, src.Dim())
	const rows = 16
	for i := range rows {
		if err := src.Rows(row, i*(src.Len()-1)/rows, 1); err != nil {
			return "", err
		}
		fmt.Fprint(h, row)
	}
	return fmt.Sprintf("%016x", h.Sum64()), nil
}
