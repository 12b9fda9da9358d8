package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
	text, err := r.runChild(ctx, r.args(run, model), log)
	if err != nil {
		return nil, err
	}
	record, err := r.record(run, text)
	if err != nil {
		return nil, fmt.Errorf("%w; see %s", err, log.Name())
	}
	if err := r.lookAtWords(run.Experiment, record); err != nil {
		return nil, err
	}
	if run.Again {
		return record, nil
	}
	if err := r.store.Write(record); err != nil {
		return nil, fmt.Errorf("%w; what the run printed is in %s until it is run again", err, log.Name())
	}
	return record, nil
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

// doneByOther returns the record of a run that another kd did since the plan was
// made, nil if none did.
func (r *reproduction) doneByOther(run *results.Run) (*results.Record, error) {
	name := run.Experiment.Name
	if run.Again && !(r.exists(results.FileCodes, name, run.Seed) && (!r.suite.Teaches(name) || r.exists(results.FileEmbedding, name, run.Seed))) {
		return nil, nil
	}
	return r.store.Read(name, run.Seed)
}

// args returns the arguments of a run, whose model is to be written there.
func (r *reproduction) args(run *results.Run, model string) []string {
	e := run.Experiment
	args := e.Args(r.o.quick, r.dataPath, func(kind, name string) string { return r.made(kind, name, run.Seed) })
	args = append(args, "--seed", fmt.Sprint(run.Seed), "-o", model, "--json")
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

// runChild runs kd with those arguments, what it says going to a log that begins
// anew, and returns the object that it prints.
func (r *reproduction) runChild(ctx context.Context, args []string, log *os.File) ([]byte, error) {
	if err := log.Truncate(0); err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(log, "kd %s\n", strings.Join(args, " ")); err != nil {
		return nil, err
	}
	var out strings.Builder
	err := r.start(ctx, args, io.MultiWriter(log, &out), log)
	var exit exitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("it ended with %w: %s (%s)", exit, lastLine(log.Name()), log.Name())
	}
	return []byte(out.String()), err
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
