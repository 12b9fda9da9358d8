package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/learn"
	"github.com/kdcode/kdcode/vectors"
)

// trainingRun is a training under way, of whatever task: its checkpoints, its
// metrics, and what is shown of it.
type trainingRun struct {
	s       *streams
	o       trainingOutputs
	lock    io.Closer    // of the folder of checkpoints, to close at the end
	metrics *metricsFile // nil is none
	failed  error        // of writing metrics: no reason to stop learning
	last    *learn.Epoch // nil before the first
	epochs  int          // to train in all
	resumed bool
}

// begin prepares the outputs. Settings are what determines the result.
func (o trainingOutputs) begin(s *streams, settings string) (*trainingRun, error) {
	lock, err := o.lockCheckpoints()
	if err != nil {
		return nil, err
	}
	r := &trainingRun{s: s, o: o, lock: lock}
	if err := r.open(settings); err != nil {
		_ = os.Remove(o.checkpoints) // unless something is in it
		return nil, errors.Join(err, lock.Close())
	}
	s.progress.note("building the model")
	return r, nil
}

// open opens the checkpoints and the metrics, to go on with or to begin anew.
func (r *trainingRun) open(settings string) error {
	var err error
	r.resumed, err = r.o.openCheckpoints(r.s, settings)
	if err != nil || r.o.metrics == "" {
		return err
	}
	if r.metrics, err = openMetrics(r.o.metrics, r.resumed); err != nil {
		return errors.Join(err, r.o.tidyCheckpoints())
	}
	return nil
}

// onStep shows how far the training is.
func (r *trainingRun) onStep(p learn.Progress) {
	r.epochs = p.Epochs
	detail := fmt.Sprintf("epoch %d/%d step %d/%d  loss %.4f", p.Epoch+1, p.Epochs, p.Step, p.Steps, p.Loss)
	add := func(format string, value any) { detail += "  " + fmt.Sprintf(format, value) }
	if e := r.last; e != nil {
		switch {
		case e.Perplexity != nil:
			add("perplexity %.2f", *e.Perplexity)
		case e.Score != nil:
			add("accuracy %.4f", *e.Score)
		}
		if e.CodesChanged != nil {
			add("changed %.1f%%", 100**e.CodesChanged)
		}
		if e.SharingCodes != nil {
			add("sharing %d", *e.SharingCodes)
		}
		if e.Entropy != nil {
			add("entropy %.2f", *e.Entropy)
		}
	}
	r.s.progress.bar("training", p.Epoch*p.Steps+p.Step, p.Epochs*p.Steps, detail)
}

// onEpoch notes an epoch.
func (r *trainingRun) onEpoch(e learn.Epoch) {
	r.last = &e
	if r.metrics != nil && r.failed == nil {
		r.failed = r.metrics.write(e)
	}
}

// ended returns the error that ends a training, with what can be done.
func (r *trainingRun) ended(err error) error {
	r.s.progress.clear()
	kept := learn.HasCheckpoint(r.o.checkpoints)
	err = errors.Join(err, r.failed, r.o.tidyCheckpoints())
	const remedy = "what was learned is kept: go on with the same command and --resume"
	switch {
	case !kept || errors.Is(err, learn.ErrDiverged) || errors.Is(err, learn.ErrCheckpoint): // which say for themselves what is kept
		return err
	case errors.Is(err, context.Canceled):
		return interruption{err, remedy}
	}
	return fmt.Errorf("%w; %s", err, remedy)
}

// write writes the trained model.
func (r *trainingRun) write(ctx context.Context, m *codefile.Model) (int64, error) {
	m.Embeddings.DType = codefile.DType(r.o.dtype)
	if err := writeModel(ctx, r.o.out, m); err != nil {
		return 0, err
	}
	stat, err := os.Stat(r.o.out)
	if err != nil {
		return 0, err
	}
	return stat.Size(), nil
}

// saveEmbedding writes the vectors of the written model as an ordinary table.
func (r *trainingRun) saveEmbedding(ctx context.Context) error {
	if r.o.embedding == "" {
		return nil
	}
	format, gzip, _ := vectors.FormatOf(r.o.embedding)
	_, err := codesToVectors(ctx, r.s, convertOptions{in: r.o.out, out: r.o.embedding}, target{format: format, gzip: gzip})
	return err
}

// finish draws the epochs and removes the checkpoints. What went wrong with
// either, or with the metrics, is told at the end: it is no reason to lose the
// model.
func (r *trainingRun) finish(result *trainResult) error {
	var err error
	if r.metrics != nil {
		err = errors.Join(r.failed, r.metrics.close())
	}
	if r.o.plot != "" {
		err = errors.Join(err, drawEpochs(r.o.plot, result.title(), result.Epochs))
	}
	return errors.Join(err, r.o.removeCheckpoints())
}
