package lm

import (
	"context"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// evaluator measures a language model.
type evaluator struct {
	network *network
	exec    *model.Exec
}

func newEvaluator(backend compute.Backend, store *model.Store, n *network) (*evaluator, error) {
	exec, err := model.NewExec(backend, store, n.evaluate)
	if err != nil {
		return nil, err
	}
	return &evaluator{n, exec.SetMaxCache(-1)}, nil // there are texts of all lengths, each short one with a graph of its own
}

// fit returns as many of the rows, and of the steps of a batch, as n words are
// enough for.
func fit(n, rows, steps int) (int, int) {
	rows = max(min(rows, n/(steps+1)), 1)
	return rows, max(min(steps, n/rows-1), 1)
}

// loss returns the mean negative log likelihood of a text's words, read in so
// many rows, which the first word of each is not among. A short text is read in
// fewer rows, and one too short for a batch of T steps in a shorter one.
func (e *evaluator) loss(ctx context.Context, words []int32, rows int) (float64, error) {
	rows, steps := fit(len(words), rows, e.network.size.Steps)
	text, err := newWholeStream(words, e.network.words.Symbols(), rows, steps)
	if err != nil {
		return 0, err
	}
	state := make([]*tensors.Tensor, 2*depth)
	for i := range state {
		state[i] = e.network.zero(rows)
	}
	total := 0.0
	for batch, err := range text.from(0) {
		if err != nil {
			return 0, err
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		inputs := make([]any, 0, len(batch.Inputs)+len(state))
		for _, t := range append(batch.Inputs, state...) {
			inputs = append(inputs, t)
		}
		out, err := e.exec.Call(inputs...)
		if err != nil {
			return 0, err
		}
		total += float64(tensors.ToScalar[float32](out[0]))
		state = out[1:]
		_ = batch.Finalize()
	}
	return total / float64(text.predicted()), nil
}
