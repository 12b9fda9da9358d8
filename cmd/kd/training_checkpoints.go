package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kdcode/kdcode/internal/atomicfile"
	"github.com/kdcode/kdcode/learn"
)

// A folder of checkpoints has those of package learn, and beside them the
// settings of the run.
const settingsFile = "settings.json"

// lockCheckpoints makes the folder for checkpoints, and keeps it from others
// that train, until the lock is closed.
func (o *trainingOutputs) lockCheckpoints() (lock io.Closer, err error) {
	if err := os.MkdirAll(o.checkpoints, 0o777); err != nil {
		return nil, err
	}
	f, err := os.Open(o.checkpoints)
	if err != nil {
		return nil, err
	}
	if !tryLock(f) {
		f.Close()
		return nil, fmt.Errorf("%s: another kd is training there; wait for it to end, or choose another folder with --checkpoints", o.checkpoints)
	}
	return f, nil
}

// openCheckpoints notes the settings in the folder for checkpoints, and reports
// whether there is something to go on from.
func (o *trainingOutputs) openCheckpoints(s *streams, settings string) (resumed bool, err error) {
	if err := o.removeUnfinished(); err != nil {
		return false, err
	}
	entries, err := os.ReadDir(o.checkpoints)
	if err != nil {
		return false, err
	}
	switch _, err := os.Stat(filepath.Join(o.checkpoints, settingsFile)); {
	case len(entries) > 0 && errors.Is(err, fs.ErrNotExist):
		return false, usagef("%s is no folder of checkpoints: it has no %s; choose another with --checkpoints", o.checkpoints, settingsFile)
	case len(entries) == 0 && o.resume:
		fmt.Fprintf(s.err, "kd: %s: there is no checkpoint to go on from: begins anew\n", o.checkpoints)
	case len(entries) > 0 && !o.resume:
		return false, usagef("%s is left of a run that did not end: pass --resume to go on, or remove it", o.checkpoints)
	case len(entries) > 0:
		return true, o.checkSettings(settings)
	}
	f, err := atomicfile.Create(filepath.Join(o.checkpoints, settingsFile))
	if err != nil {
		return false, err
	}
	defer f.Close()
	if _, err := f.Write([]byte(settings + "\n")); err != nil {
		return false, err
	}
	return false, f.Commit()
}

// removeUnfinished removes what is left of settings whose kd was killed while it
// wrote them: it would make the folder look like somebody else's.
func (o *trainingOutputs) removeUnfinished() error {
	entries, err := os.ReadDir(o.checkpoints)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "."+settingsFile+".tmp-") {
			if err := os.Remove(filepath.Join(o.checkpoints, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkSettings returns an error that names what differs, unless the settings of
// the run to go on from are those.
func (o *trainingOutputs) checkSettings(settings string) error {
	path := filepath.Join(o.checkpoints, settingsFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var then, now map[string]any
	if err := unmarshal(text, &then); err != nil {
		return dataf("%s: %w; remove %s to begin anew", path, err, o.checkpoints)
	}
	if err := unmarshal([]byte(settings), &now); err != nil {
		return err
	}
	names := slices.AppendSeq(slices.Collect(maps.Keys(then)), maps.Keys(now)) // another version of kd may have had others
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		was, _ := json.Marshal(then[name])
		is, _ := json.Marshal(now[name])
		if string(was) != string(is) {
			return usagef("--resume: %s is of a run whose %s was %s, not %s; use the same data and flags, or remove it to begin anew", o.checkpoints, name, was, is)
		}
	}
	return nil
}

// tidyCheckpoints removes the folder where no checkpoint was made yet.
func (o *trainingOutputs) tidyCheckpoints() error {
	if learn.HasCheckpoint(o.checkpoints) {
		return nil
	}
	return o.removeCheckpoints()
}

// removeCheckpoints removes what training wrote there, and the folder unless
// something else is in it.
func (o *trainingOutputs) removeCheckpoints() error {
	if err := errors.Join(learn.RemoveCheckpoints(o.checkpoints), os.RemoveAll(filepath.Join(o.checkpoints, settingsFile))); err != nil {
		return err
	}
	_ = os.Remove(o.checkpoints)
	return nil
}
