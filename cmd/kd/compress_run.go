package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/quantize"
)

// The metadata in which kd compress notes how a file was made.
const (
	keyMadeBy        = "made_by"
	keyVersion       = "kdcode_version"
	keySource        = "source"
	keyMethod        = "method"
	keyEffort        = "effort"
	keySeed          = "seed"
	keyWeights       = "weights"
	keyRelativeError = "relative_error"
)

// run learns the codes, writes OUT and reports on it.
func (c *compressor) run(ctx context.Context) (*compressResult, error) {
	m, seconds, err := c.learn(ctx)
	if err != nil {
		return nil, err
	}
	result, err := c.measure(ctx, m)
	if err != nil {
		return nil, c.stopped(err)
	}
	result.Seconds = seconds
	c.in.rest.addTo(m)
	if err := c.keepPromise(m, result); err != nil {
		return nil, err
	}
	if err := writeModel(ctx, c.o.out, m); err != nil {
		return nil, c.stopped(err)
	}
	stat, err := os.Stat(c.o.out)
	if err != nil {
		return nil, err
	}
	result.FileBytes = stat.Size()
	if err := os.Remove(c.checkpoint()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if c.o.compare || c.o.plot != "" {
		if err := c.compareAll(ctx, result); errors.Is(err, context.Canceled) {
			return nil, interruption{err, c.o.out + " is complete"}
		} else if err != nil {
			return nil, err
		}
	}
	return result, nil
}

// checkpoint is the file that keeps what was learned so far, beside OUT.
func (c *compressor) checkpoint() string {
	return filepath.Join(filepath.Dir(c.o.out), "."+filepath.Base(c.o.out)+".checkpoint")
}

// learn learns the codes, and returns how many seconds it took.
func (c *compressor) learn(ctx context.Context) (*codefile.Model, float64, error) {
	q := c.q
	q.Checkpoint, q.Resume = c.checkpoint(), c.o.resume
	_, err := os.Stat(q.Checkpoint)
	switch {
	case q.Resume && errors.Is(err, fs.ErrNotExist):
		fmt.Fprintf(c.s.err, "kd: %s: there is no checkpoint to go on from: begins anew\n", q.Checkpoint)
		q.Resume = false
	case !q.Resume && err == nil:
		fmt.Fprintf(c.s.err, "kd: %s: begins anew; an interrupted run could be gone on from with --resume\n", c.o.out)
		if err := os.Remove(q.Checkpoint); err != nil {
			return nil, 0, err
		}
	}
	began := time.Now()
	m, err := c.compress(ctx, q)
	if err != nil {
		return nil, 0, c.stopped(fmt.Errorf("%s: %w", c.in.path, err))
	}
	return m, time.Since(began).Seconds(), nil
}

// compress learns with q, or with the K and D that give what is asked for.
func (c *compressor) compress(ctx context.Context, q quantize.Options) (*codefile.Model, error) {
	if !c.asksResult() {
		return quantize.Compress(ctx, c.in, c.in.symbols, q)
	}
	c.s.progress.note("choosing K and D")
	target, beside := quantize.Target{Bytes: int64(c.o.size), MaxError: c.o.maxError}, c.in.rest.bytes()
	if target.Bytes > 0 && c.in.rest.tensors != nil {
		if target.Bytes -= beside; target.Bytes <= 0 {
			return nil, dataf("what the model holds beside its table takes %s bytes alone, more than the %s of --target-size", grouped(beside), grouped(int64(c.o.size)))
		}
	}
	m, chosen, err := quantize.CompressTo(ctx, c.in, c.in.symbols, target, q)
	if errors.Is(err, quantize.ErrTarget) && target.Bytes != int64(c.o.size) {
		err = fmt.Errorf("%w; of the %s bytes of --target-size, %s are for what the model holds beside its table", err, grouped(int64(c.o.size)), grouped(beside))
	}
	if err != nil {
		return nil, err
	}
	c.q.K, c.q.D = chosen.K, chosen.D
	return m, c.checkTable(c.q)
}

// stopped adds to an interruption that the work can be gone on with.
func (c *compressor) stopped(err error) error {
	if _, statErr := os.Stat(c.checkpoint()); statErr == nil && errors.Is(err, context.Canceled) {
		return interruption{err, "what was learned is kept: go on with the same command and --resume"}
	}
	return err
}

// measure compares what the model composes, as it will be stored, with the
// table, and notes in the model how it was made.
func (c *compressor) measure(ctx context.Context, m *codefile.Model) (*compressResult, error) {
	c.s.progress.note("measuring what was lost")
	t, err := tableOf(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.o.out, err)
	}
	defer t.Close()
	fidelity, err := quantize.Measure(ctx, c.in, codeSource{t}, c.q)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.in.path, err)
	}
	r := newCompressResult(t, fidelity, quantize.CodeUse(m.Codes))
	r.File, r.Source, r.Notes = c.o.out, c.in.name, append(r.Notes, c.notes...)
	r.Effort, r.Seed = c.o.learning.effort, c.q.Seed

	noted := map[string]string{
		keyMadeBy:        "kd compress",
		keyVersion:       moduleVersion(),
		keySource:        c.in.name,
		keyMethod:        r.Method,
		keyEffort:        r.Effort,
		keySeed:          strconv.FormatUint(r.Seed, 10),
		keyRelativeError: strconv.FormatFloat(fidelity.RelativeError, 'g', 6, 64),
	}
	if c.o.weights != "" {
		noted[keyWeights] = filepath.Base(c.o.weights)
	}
	if m.Metadata == nil {
		m.Metadata = map[string]string{}
	}
	maps.Copy(m.Metadata, noted)
	return r, nil
}

// tableOf opens the model as the code file that it will be.
func tableOf(m *codefile.Model) (*kdcode.Table, error) {
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		return nil, err
	}
	return kdcode.FromBytes(file.Bytes())
}

// keepPromise refuses a result that is not as small or as good as asked for.
func (c *compressor) keepPromise(m *codefile.Model, r *compressResult) error {
	if c.o.size > 0 {
		size, err := m.WriteTo(io.Discard)
		if err != nil {
			return fmt.Errorf("%s: %w", c.o.out, err)
		}
		if size > int64(c.o.size) {
			return fmt.Errorf("%s: not written: it takes %s bytes with K = %d, D = %d, more than the %s of --target-size", c.o.out, grouped(size), r.Ways, r.CodeLength, grouped(int64(c.o.size)))
		}
	}
	if c.o.maxError > 0 && r.RelativeError > c.o.maxError {
		return fmt.Errorf("%s: not written: the relative error is %.4f with K = %d, D = %d, more than --max-error %g", c.o.out, r.RelativeError, r.Ways, r.CodeLength, c.o.maxError)
	}
	return nil
}
