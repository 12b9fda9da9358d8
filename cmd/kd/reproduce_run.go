package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kdcode/kdcode/internal/results"
)

// say notes on stderr how far the work is.
func (r *reproduction) say(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintf(r.s.err, "%s %s\n", time.Now().Format("15:04:05"), fmt.Sprintf(format, args...))
}

// workPath returns where in the folder for work a file is.
func (r *reproduction) workPath(name string) string {
	dir := r.o.work
	if r.o.quick {
		dir = filepath.Join(dir, "quick")
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

// made returns where a file is that an experiment makes.
func (r *reproduction) made(kind, name string, seed int) string {
	return r.workPath(results.FileName(kind, name, seed))
}

// exists reports whether it is there.
func (r *reproduction) exists(kind, name string, seed int) bool {
	_, err := os.Stat(r.made(kind, name, seed))
	return err == nil
}

// runOne does a run and keeps its record.
func (r *reproduction) runOne(ctx context.Context, run *results.Run) (*results.Record, error) {
	model := r.made(results.FileCodes, run.Experiment.Name, run.Seed)
	log, err := r.takeLog(ctx, run, beside(model, ".log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	if record, err := r.doneByOther(run); record != nil || err != nil {
		return record, err
	}
	args, printed := r.args(run, model), beside(model, ".result")
	record := r.leftBehind(run, args, log, printed)
	if record == nil {
		began := time.Now()
		text, err := r.runChild(ctx, args, log, printed)
		if err != nil {
			return nil, err
		}
		if record, err = r.record(run, text); err != nil {
			return nil, fmt.Errorf("%w; see %s", err, printed)
		}
		record.TotalSeconds = cmp.Or(record.TotalSeconds, time.Since(began).Seconds()) // not all commands tell
	}
	if err := r.lookAtWords(run.Experiment, record); err != nil {
		return nil, err
	}
	if !run.Again {
		if err := r.store.Write(record); err != nil {
			return nil, fmt.Errorf("%w; what the run printed is kept in %s", err, printed)
		}
	}
	return record, os.Remove(printed)
}

// lockEvery is how often a run that waits for another kd looks again.
const lockEvery = time.Second

// takeLog opens the log of a run, whose lock keeps the run from another kd
// reproduce in the same folder.
func (r *reproduction) takeLog(ctx context.Context, run *results.Run, path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	for !tryLock(f) {
		if !run.Wait {
			return nil, errors.Join(results.ErrBusy, f.Close())
		}
		select {
		case <-time.After(lockEvery):
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), f.Close())
		}
	}
	return f, nil
}

// complete reports whether the files are there that a run makes.
func (r *reproduction) complete(run *results.Run) bool {
	name := run.Experiment.Name
	if run.Experiment.Measures() {
		return true
	}
	return r.exists(results.FileCodes, name, run.Seed) && (!r.suite.Teaches(name) || r.exists(results.FileEmbedding, name, run.Seed))
}

// doneByOther returns the record of a run that another kd did since the plan was
// made, nil if none did.
func (r *reproduction) doneByOther(run *results.Run) (*results.Record, error) {
	if run.Again && !r.complete(run) {
		return nil, nil
	}
	return r.store.Read(run.Experiment.Name, run.Seed)
}

// args returns the arguments of a run, whose model is to be written there.
func (r *reproduction) args(run *results.Run, model string) []string {
	e := run.Experiment
	args := e.Args(r.o.quick, r.dataPath, func(kind, name string) string { return r.made(kind, name, run.Seed) })
	args = append(args, "--json")
	if e.Measures() {
		if r.suite == results.LM { // others are measured without
			args = append(args, "--backend", r.o.backend)
		}
		return args
	}
	args = append(args, "--seed", fmt.Sprint(run.Seed), "-o", model)
	if e.Verb() == "train" {
		args = append(args, "--backend", r.o.backend, "--metrics", beside(model, ".jsonl"))
		if entries, err := os.ReadDir(model + ".checkpoints"); err == nil && len(entries) > 0 {
			args = append(args, "--resume")
		}
	}
	if r.suite.Teaches(e.Name) {
		args = append(args, "--save-embedding", r.made(results.FileEmbedding, e.Name, run.Seed))
	}
	return args
}

// beside returns the name of a file beside a model, with its ending.
func beside(model, ending string) string {
	return strings.TrimSuffix(model, filepath.Ext(model)) + ending
}

// commandLine is how a log begins: the command of the run.
func commandLine(args []string) string {
	return "kd " + strings.Join(slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return arg == "--resume" }), " ") + "\n"
}

// leftBehind returns the record of a run that ended without one, because kd was
// killed while the run went on, or could not write it, or because the run failed
// after it had made all that counts; nil if there is none. The log tells of which
// command the run was.
func (r *reproduction) leftBehind(run *results.Run, args []string, log *os.File, printed string) *results.Record {
	text, err := os.ReadFile(printed)
	if err != nil || !r.complete(run) {
		return nil
	}
	head := make([]byte, len(commandLine(args)))
	if _, err := log.ReadAt(head, 0); err != nil || string(head) != commandLine(args) {
		return nil
	}
	record, err := r.record(run, text)
	if err != nil {
		return nil // it is not whole
	}
	return record
}

// runChild runs kd with those arguments, what it says going to a log that begins
// anew, and returns the object that it prints. That goes to a file of its own,
// not through a pipe: a run goes on when this kd is killed.
func (r *reproduction) runChild(ctx context.Context, args []string, log *os.File, printed string) ([]byte, error) {
	out, err := os.Create(printed)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	if err := log.Truncate(0); err != nil {
		return nil, err
	}
	if _, err := log.WriteString(commandLine(args)); err != nil {
		return nil, err
	}
	err = r.start(ctx, args, out, log)
	if err != nil {
		err = errors.Join(err, removeEmpty(out)) // a run may have failed after all was done: see leftBehind
	}
	var exit exitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("it ended with %w: %s (%s)", exit, lastLine(log.Name()), log.Name())
	} else if err != nil {
		return nil, err
	}
	return os.ReadFile(printed)
}

// removeEmpty removes a file that nothing was written to.
func removeEmpty(f *os.File) error {
	if stat, err := f.Stat(); err != nil || stat.Size() > 0 {
		return err
	}
	return os.Remove(f.Name())
}

// lastLine returns the last line of a log: there kd says what went wrong.
func lastLine(log string) string {
	text, err := os.ReadFile(log)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}
