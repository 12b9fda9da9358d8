package main

import (
	"math"

	"github.com/kdcode/kdcode/learn/graph"
)

// seedsResult is what --json prints of trainings that differ by their seed
// alone. Accuracies are measured by the graph that was trained.
type seedsResult struct {
	Mean      *float64     `json:"accuracy_mean"` // null without a test set; so the following
	Deviation *float64     `json:"accuracy_deviation"`
	Runs      []seedResult `json:"runs"`
}

// seedResult is one of them.
type seedResult struct {
	Seed          uint64   `json:"seed"`
	Accuracy      *float64 `json:"accuracy"`       // null without a test set
	ValidAccuracy *float64 `json:"valid_accuracy"` // of the epoch that was kept
	Epoch         int      `json:"epoch"`          // that one
	Epochs        int      `json:"epochs"`
	Seconds       float64  `json:"seconds"`
}

// add adds a training.
func (s *seedsResult) add(seed uint64, r *graph.Result) {
	kept := r.History[r.Epoch-1]
	run := seedResult{Seed: seed, ValidAccuracy: kept.Score, Epoch: r.Epoch, Epochs: len(r.History), Seconds: r.History[len(r.History)-1].Seconds}
	if r.Test != nil {
		run.Accuracy = &r.Test.Score
	}
	s.Runs = append(s.Runs, run)
	if r.Test != nil {
		s.summarize()
	}
}

// summarize fills in the mean and the standard deviation of the sample.
func (s *seedsResult) summarize() {
	n := float64(len(s.Runs))
	mean, square := 0.0, 0.0
	for _, r := range s.Runs {
		mean += *r.Accuracy / n
	}
	for _, r := range s.Runs {
		square += (*r.Accuracy - mean) * (*r.Accuracy - mean)
	}
	deviation := math.Sqrt(square / max(n-1, 1))
	s.Mean, s.Deviation = &mean, &deviation
}
