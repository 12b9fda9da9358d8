package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/kdcode/kdcode/internal/results"
)

// record makes the record of a run out of the object that kd printed.
func (r *reproduction) record(run *results.Run, text []byte) (*results.Record, error) {
	record := &results.Record{
		Name: run.Experiment.Name, Seed: run.Seed, KD: moduleVersion(), Jobs: r.o.jobs, Epochs: []results.Epoch{},
		Command: run.Experiment.Line(r.o.quick, run.Seed, r.dataName, r.embeddingFlag(run.Experiment, run.Seed)...),
	}
	var err error
	switch {
	case run.Experiment.Measures():
		err = ofEvaluation(record, text)
	case run.Experiment.Verb() == "compress":
		err = ofCompression(record, text)
	default:
		err = ofTraining(record, text)
	}
	if err != nil {
		return nil, fmt.Errorf("reading what it printed: %w", err)
	}
	return record, nil
}

// embeddingFlag are the flags by which a run whose embedding others need writes it.
func (r *reproduction) embeddingFlag(e *results.Experiment, seed int) []string {
	if !r.suite.Teaches(e.Name) {
		return nil
	}
	return []string{"--save-embedding", filepath.Base(results.FileName(results.FileEmbedding, e.Name, seed))}
}

var errNoMeasure = errors.New("there is neither a perplexity nor an accuracy")

// ofTraining fills in a record from what kd train printed.
func ofTraining(record *results.Record, text []byte) error {
	var t trainResult
	if err := json.Unmarshal(text, &t); err != nil {
		return err
	}
	switch {
	case t.Perplexity != nil:
		record.Metric, record.Test, record.Valid = results.Perplexity, *t.Perplexity, t.ValidPerplexity
	case t.Accuracy != nil:
		record.Metric, record.Test, record.Valid = results.Accuracy, *t.Accuracy, t.ValidAccuracy
	case t.Fidelity != nil:
		record.Metric, record.Test = results.RelativeError, t.RelativeError
		record.Words = &results.Words{MeanCosine: t.MeanCosine, NeighbourOverlap: t.NeighbourOverlap}
	default:
		return errNoMeasure
	}
	record.Backend, record.Settings = t.Backend, t.Settings
	record.Parameters, record.Bits, record.FullBits, record.Ratio = t.Parameters, t.Bits, t.FullBits, t.Ratio
	record.Seconds, record.TotalSeconds = t.Seconds, t.TotalSeconds
	for _, e := range t.Epochs {
		kept := results.Epoch{Epoch: e.Epoch, Loss: e.Loss, Valid: e.Perplexity, Seconds: e.Seconds}
		if kept.Valid == nil {
			kept.Valid = e.Score
		}
		record.Epochs = append(record.Epochs, kept)
	}
	record.SecondsPerEpoch = results.PerEpoch(record.Epochs)
	return nil
}

// ofCompression fills in a record from what kd compress printed.
func ofCompression(record *results.Record, text []byte) error {
	var c compressResult
	if err := json.Unmarshal(text, &c); err != nil {
		return err
	}
	record.Metric, record.Test = results.RelativeError, c.RelativeError
	record.Words = &results.Words{MeanCosine: c.MeanCosine, NeighbourOverlap: c.NeighbourOverlap}
	record.Bits, record.FullBits, record.Ratio = c.Bits.Codes+c.Bits.Parameters, c.Bits.Full, c.Ratio
	record.Seconds, record.TotalSeconds = c.Seconds, c.TotalSeconds
	return nil
}

// ofEvaluation fills in a record from what kd eval printed.
func ofEvaluation(record *results.Record, text []byte) error {
	var e struct {
		Perplexity, Accuracy *float64
		Backend              string
		tableSize
	}
	if err := json.Unmarshal(text, &e); err != nil {
		return err
	}
	switch {
	case e.Perplexity != nil:
		record.Metric, record.Test = results.Perplexity, *e.Perplexity
	case e.Accuracy != nil:
		record.Metric, record.Test = results.Accuracy, *e.Accuracy
	default:
		return errNoMeasure
	}
	record.Backend = e.Backend
	record.Bits, record.FullBits, record.Ratio = e.StoredBits, e.FullBits, e.Ratio
	return nil
}
