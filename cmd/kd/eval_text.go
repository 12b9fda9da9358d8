package main

import (
	"context"

	"github.com/kdcode/kdcode/classify"
)

func evalText(ctx context.Context, s *streams, o evalOptions) (*evalResult, error) {
	if o.test == "" {
		return nil, usagef("--test FILE is missing: %s classifies texts", o.model)
	}
	if err := o.refuse("a text classifier", "part", "backend"); err != nil {
		return nil, err
	}
	m, err := openClassifier(o.model)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	s.progress.note("measuring " + o.model)
	report, err := evaluateText(ctx, m, o.test, o.format, o.threads)
	if err != nil {
		return nil, err
	}
	size, err := sizeOf(o.model)
	if err != nil {
		return nil, err
	}
	return newEvalResult(o.model, "text", o.test, "text", report, size), nil
}

// evaluateText measures a classifier over the labelled texts at path.
func evaluateText(ctx context.Context, m *classify.Model, path, format string, threads int) (*classify.Report, error) {
	f, err := classify.ParseFormat(format)
	if err != nil {
		return nil, err
	}
	return await(ctx, func() (*classify.Report, error) {
		r, err := classify.OpenExamples(path, f)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return m.Evaluate(r, threads)
	})
}
