package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gomlx/compute"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/learn"
)

// trainingTask is what differs between the tasks that kd trains models for. Its
// data is read already.
type trainingTask interface {
	// settings returns what determines the result, besides the layer and the
	// training's options.
	settings() (map[string]any, error)

	// train trains a model on the layer.
	train(ctx context.Context, backend compute.Backend, layer learn.Embedding, settings string, run *trainingRun) (*trained, error)

	// describe fills in what the task knows of its data.
	describe(*trainResult)

	// measure returns the score, or the perplexity, on the test set by the
	// written file; nil where there is no test set, or no way to.
	measure(context.Context) (*learn.Evaluation, error)
}

// trained is a trained model.
type trained struct {
	model   func() (*codefile.Model, error)
	history []learn.Epoch
	test    *learn.Evaluation // by the graph; nil without a test set
}

// trainingJob trains a model for a task, writes it and reports on it.
type trainingJob struct {
	s       *streams
	task    trainingTask
	name    string // of the task
	source  string // of the data
	symbols []string
	began   time.Time

	embedding embeddingOptions
	training  trainingOptions
	outputs   trainingOutputs

	layer learn.Embedding
	notes []string
}

// run does all of it. Where the model cannot be written there is a report
// besides the error.
func (j *trainingJob) run(ctx context.Context) error {
	if err := j.makeLayer(ctx); err != nil {
		return err
	}
	backend, name, err := openBackend(j.training.Backend)
	if err != nil {
		return err
	}
	defer backend.Finalize()
	j.training.Backend = name
	result, err := j.train(ctx, backend)
	if result != nil {
		result.TotalSeconds = time.Since(j.began).Seconds()
		j.s.progress.clear()
		if printErr := result.write(j.s, j.outputs.json); printErr != nil {
			return printErr
		}
	}
	return err
}

// makeLayer makes the layer, and says on stderr what a human should know of it.
func (j *trainingJob) makeLayer(ctx context.Context) error {
	var err error
	if j.layer, j.notes, err = j.embedding.layer(ctx, j.s, j.symbols, j.training.Seed); err != nil {
		return err
	}
	j.s.progress.clear()
	for _, note := range j.notes {
		fmt.Fprintf(j.s.err, "kd: %s\n", note)
	}
	return ctx.Err()
}

func (j *trainingJob) train(ctx context.Context, backend compute.Backend) (*trainResult, error) {
	settings, err := j.settings()
	if err != nil {
		return nil, err
	}
	run, err := j.outputs.begin(j.s, settings)
	if err != nil {
		return nil, err
	}
	defer run.lock.Close()
	t, err := j.task.train(ctx, backend, j.layer, settings, run)
	if err != nil {
		return nil, run.ended(err)
	}
	r := j.result(t)
	r.Settings, r.resumed = json.RawMessage(settings), run.resumed
	m, err := t.model()
	if err != nil {
		r.File = ""
		return r, errors.Join(fmt.Errorf("%s: not written: %w", j.outputs.out, err), run.finish(r))
	}
	j.note(m)
	if r.FileBytes, err = run.write(ctx, m); err != nil {
		return nil, run.ended(err)
	}
	if err := j.measure(ctx, r); err != nil {
		return nil, run.ended(err)
	}
	if err := run.saveEmbedding(ctx); err != nil {
		return nil, run.ended(err)
	}
	if err := run.finish(r); err != nil {
		return r, fmt.Errorf("%w; %s is complete", err, j.outputs.out)
	}
	return r, nil
}

// settings returns what determines the result. How the model is stored is not
// among it.
func (j *trainingJob) settings() (string, error) {
	j.s.progress.note("reading")
	own, err := j.task.settings()
	if err != nil {
		return "", err
	}
	files, err := contentsOf(map[string]string{"codes_from": j.embedding.CodesFrom, "vectors_from": j.embedding.VectorsFrom, "guide_from": j.embedding.GuideFrom})
	if err != nil {
		return "", err
	}
	return settingsOf(map[string]any{"task": j.name}, own, files, j.training, j.embedding)
}

// result is what is known before the model is written.
func (j *trainingJob) result(t *trained) *trainResult {
	r := newTrainResult(j.name, j.embedding.Kind, j.layer.Size(), t.history)
	r.File, r.Backend, r.Seed, r.Notes = j.outputs.out, j.training.Backend, j.training.Seed, append(r.Notes, j.notes...)
	r.tested(t.test)
	r.GraphAccuracy, r.GraphPerplexity = r.Accuracy, r.Perplexity
	j.task.describe(r)
	return r
}

// measure fills in what is seen of the written file.
func (j *trainingJob) measure(ctx context.Context, r *trainResult) error {
	t, err := openTable(j.outputs.out)
	if err != nil {
		return err
	}
	defer t.Close()
	r.shape(t)
	j.s.progress.note("measuring " + j.outputs.out)
	e, err := j.task.measure(ctx)
	if e != nil {
		r.tested(e)
		r.fromFile = true
	}
	return err
}

// note notes in a model how it was made. Nothing of it may differ between a
// resumed run and one in one piece.
func (j *trainingJob) note(m *codefile.Model) {
	if m.Metadata == nil {
		m.Metadata = map[string]string{}
	}
	m.Metadata[keyMadeBy] = "kd train " + j.name
	m.Metadata[keyVersion] = moduleVersion()
	m.Metadata[keySource] = filepath.Base(j.source)
	m.Metadata[keyMethod] = j.embedding.Kind
	m.Metadata[keySeed] = strconv.FormatUint(j.training.Seed, 10)
}
