package lm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// Sampling is how a text is continued.
type Sampling struct {
	Words       int     // how many to add at most
	Temperature float64 // 0 takes the likeliest word, 1 draws as the model has it
	Seed        uint64
	ToEnd       bool // stops at the end of a sentence
}

// Continue returns the words that follow a text.
func (m *Model) Continue(ctx context.Context, text []int32, s Sampling) ([]int32, error) {
	if err := known(text, len(m.Words)); err != nil {
		return nil, err
	}
	if m.step == nil {
		var err error
		if m.step, err = model.NewExec(m.backend, m.store, m.network.next); err != nil {
			return nil, err
		}
	}
	rng := rand.New(rand.NewPCG(s.Seed, 0))
	end, hasEnd := m.ids[EndOfSentence]
	if len(text) == 0 {
		text = []int32{end} // a sentence begins where another ended
	}
	state := make([]*tensors.Tensor, 2*depth)
	for i := range state {
		state[i] = m.network.zero(1)
	}
	var logits []float32
	var err error
	for _, id := range text {
		if logits, state, err = m.read(ctx, id, state); err != nil {
			return nil, err
		}
	}
	var more []int32
	for len(more) < s.Words {
		id := draw(logits, s.Temperature, rng)
		more = append(more, id)
		if s.ToEnd && hasEnd && id == end {
			break
		}
		if logits, state, err = m.read(ctx, id, state); err != nil {
			return nil, err
		}
	}
	return more, nil
}

// read reads one word, and returns the scores of the next.
func (m *Model) read(ctx context.Context, id int32, state []*tensors.Tensor) ([]float32, []*tensors.Tensor, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	inputs := []any{[]int32{id}}
	for _, t := range state {
		inputs = append(inputs, t)
	}
	out, err := m.step.Call(inputs...)
	if err != nil {
		return nil, nil, err
	}
	logits, err := tensors.CopyFlatData[float32](out[0])
	for _, x := range logits {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 1) {
			return nil, nil, unusable(fmt.Sprintf("the score of a word is %g", x))
		}
	}
	return logits, out[1:], err
}

// next builds the scores [1, N] after one word, and the state.
func (n *network) next(scope *model.Scope, inputs []*Node) []*Node {
	position := ZerosLike(Reshape(inputs[0], 1, 1))
	logits, state := n.logits(scope, []*Node{inputs[0], nil, position}, inputs[1:])
	return append([]*Node{logits}, state...)
}

// draw draws a word from softmax(logits/temperature).
func draw(logits []float32, temperature float64, rng *rand.Rand) int32 {
	best := 0
	for i, x := range logits {
		if x > logits[best] {
			best = i
		}
	}
	if temperature == 0 {
		return int32(best)
	}
	weights := make([]float64, len(logits))
	total := 0.0
	for i, x := range logits {
		weights[i] = math.Exp(float64(x-logits[best]) / temperature)
		total += weights[i]
	}
	u := rng.Float64() * total
	for i, w := range weights {
		if u -= w; u < 0 {
			return int32(i)
		}
	}
	return int32(best)
}
