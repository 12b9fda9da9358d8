package lm

import (
	"fmt"
	"iter"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/kdcode/kdcode/learn"
)

// stream is a text cut into B rows, read T steps at a time: the next batch goes
// on where the last ended, row by row. A batch is
//
//	ids [U], weight [U]  its distinct words
//	position [B, T]      where they occur
//	next [B, T]          the words that follow
//
// U is B·T, so that there is one graph to compile.
type stream struct {
	words []int32
	n     int // N
	rows  int // B
	steps int // T
	found learn.Occurrences
}

// newStream cuts a text into rows.
func newStream(words []int32, n, rows, steps int) (*stream, error) {
	s := &stream{words: words, n: n, rows: rows, steps: steps}
	if s.batches() < 1 {
		return nil, fmt.Errorf("%w: %d words are too few for %d rows of %d steps", ErrFormat, len(words), rows, steps)
	}
	return s, nil
}

// row returns how many words a row has.
func (s *stream) row() int { return len(s.words) / s.rows }

// batches returns how many batches the text has.
func (s *stream) batches() int { return (s.row() - 1) / s.steps }

// predicted returns how many words the batches predict.
func (s *stream) predicted() int { return s.batches() * s.rows * s.steps }

// from returns the batches from one on.
func (s *stream) from(first int) iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) {
		for i := first; i < s.batches(); i++ {
			if !yield(s.batch(i)) {
				return
			}
		}
	}
}

func (s *stream) batch(i int) (train.Batch, error) {
	ids, next := make([]int32, 0, s.rows*s.steps), make([]int32, 0, s.rows*s.steps)
	for row := range s.rows {
		at := row*s.row() + i*s.steps
		ids = append(ids, s.words[at:at+s.steps]...)
		next = append(next, s.words[at+1:at+1+s.steps]...)
	}
	if err := s.found.Find(ids, s.n, len(ids)); err != nil {
		return train.Batch{}, err
	}
	return train.Batch{Inputs: []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(s.found.IDs, len(ids)),
		tensors.FromFlatDataAndDimensions(s.found.Weight, len(ids)),
		tensors.FromFlatDataAndDimensions(s.found.Position, s.rows, s.steps),
		tensors.FromFlatDataAndDimensions(next, s.rows, s.steps),
	}}, nil
}
