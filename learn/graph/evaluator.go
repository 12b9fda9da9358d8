package graph

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/kdcode/kdcode/learn"
)

// evaluator evaluates a network over some nodes, in the graph.
type evaluator struct {
	field *field
	exec  *model.Exec
}

func newEvaluator(backend compute.Backend, store *model.Store, n *network, f *field) (*evaluator, error) {
	exec, err := model.NewExec(backend, store, n.evaluate(f))
	if err != nil {
		return nil, err
	}
	return &evaluator{f, exec}, nil
}

func (e *evaluator) close() { e.exec.Finalize() }

// run returns the loss and the accuracy, and the scores [nodes, C].
func (e *evaluator) run() (learn.Evaluation, []float32, error) {
	out, err := e.exec.Call()
	if err != nil {
		return learn.Evaluation{}, nil, err
	}
	defer func() {
		for _, t := range out {
			_ = t.FinalizeAll()
		}
	}()
	logits, err := tensors.CopyFlatData[float32](out[1])
	if err != nil {
		return learn.Evaluation{}, nil, err
	}
	loss := float64(tensors.ToScalar[float32](out[0]))
	return learn.Evaluation{Loss: loss, Score: accuracy(logits, e.field.labels)}, logits, nil
}

// accuracy returns the share of nodes whose label has the highest of their
// scores [nodes, C], the first of equal ones.
func accuracy(scores []float32, labels []int32) float64 {
	classes, right := len(scores)/len(labels), 0
	for i, label := range labels {
		if best(scores[i*classes:][:classes]) == int(label) {
			right++
		}
	}
	return float64(right) / float64(len(labels))
}

// best returns where the highest of a node's scores is.
func best(scores []float32) int {
	at := 0
	for i, s := range scores {
		if s > scores[at] {
			at = i
		}
	}
	return at
}
