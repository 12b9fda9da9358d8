package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/kdcode/kdcode/classify"
	"github.com/kdcode/kdcode/learn/graph"
)

func evalGraph(ctx context.Context, s *streams, o evalOptions) (*evalResult, error) {
	if o.data.dir == "" {
		return nil, usagef("--data DIR is missing: %s classifies the nodes of a graph", o.model)
	}
	if err := o.refuse("a classifier of a graph's nodes", "part", "backend"); err != nil {
		return nil, err
	}
	d, err := o.data.read(ctx, s)
	if err != nil {
		return nil, err
	}
	if len(d.Test) == 0 {
		return nil, dataf("%s: the split has no nodes to test", o.data.dir)
	}
	s.progress.note("measuring " + o.model)
	report, err := evaluateGraph(ctx, o.model, d)
	if err != nil {
		return nil, err
	}
	size, err := sizeOf(o.model)
	if err != nil {
		return nil, err
	}
	return newEvalResult(o.model, "graph", o.data.String(), "node", report, size), nil
}

// evaluateGraph measures the network in a code file over the nodes to test.
func evaluateGraph(ctx context.Context, path string, d *graph.Dataset) (*classify.Report, error) {
	m, err := graph.Open(path)
	if err != nil {
		return nil, withFile(path, err)
	}
	defer m.Close()
	scores, err := await(ctx, func() ([]float32, error) { return m.Scores(d, d.Test) })
	if err != nil {
		return nil, withFile(path, err)
	}
	labels := m.Labels()
	classes := numbered(d.ClassNames, d.Classes)
	confusion := make([][]int, len(labels))
	for i := range confusion {
		confusion[i] = make([]int, len(labels))
	}
	for i, node := range d.Test {
		name := classes[d.Labels[node]]
		label := slices.Index(labels, name)
		if label < 0 {
			return nil, fmt.Errorf("%s: %w: it has no label %q", path, graph.ErrMismatch, name)
		}
		confusion[label][classify.Best(scores[i*len(labels):][:len(labels)])]++
	}
	return classify.NewReport(labels, confusion), nil
}
