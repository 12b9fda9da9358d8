package main

import (
	"github.com/kdcode/kdcode/internal/results"
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
	var all []float64
	for _, r := range s.Runs {
		all = append(all, *r.Accuracy)
	}
	mean, deviation := results.MeanAndSpread(all)
	s.Mean, s.Deviation = &mean, &deviation
}
