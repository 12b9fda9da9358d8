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
// U is the most distinct words that a batch has, so that there is one graph to
// compile. For the same reason the words at the end that fill no batch are left
// out in training, and followed by nothing in evaluation.
type stream struct {
	words []int32
	n     int  // N
	rows  int  // B
	steps int  // T
	slots int  // U
	whole bool // the last batch may be filled up: all words of a row count
	found learn.Occurrences
}

// nothing is the next word where none is to be predicted. Its one-hot vector is
// zero, and so is its likelihood's part of a loss.
const nothing = -1

// slotsMultiple is of U: products like round numbers.
const slotsMultiple = 32

// newStream cuts a text into rows for training.
func newStream(words []int32, n, rows, steps int) (*stream, error) {
	s := &stream{words: words, n: n, rows: rows, steps: steps}
	return s, s.count()
}

// newWholeStream cuts a text into rows for evaluation.
func newWholeStream(words []int32, n, rows, steps int) (*stream, error) {
	s := &stream{words: words, n: n, rows: rows, steps: steps, whole: true}
	return s, s.count()
}

// count finds U.
func (s *stream) count() error {
	if s.batches() < 1 {
		return fmt.Errorf("%w: %d words are too few for %d rows of %d steps: take fewer of either, or more text", ErrFormat, len(s.words), s.rows, s.steps)
	}
	if err := known(s.words, s.n); err != nil {
		return err
	}
	last := make([]int, s.n) // the last batch that a word occurs in, from 1
	for i := range s.batches() {
		distinct := 0
		for row := range s.rows {
			ids, _ := s.row(row, i)
			for _, id := range ids {
				if last[id] != i+1 {
					last[id] = i + 1
					distinct++
				}
			}
		}
		s.slots = max(s.slots, distinct)
	}
	s.slots = min((s.slots+slotsMultiple-1)/slotsMultiple*slotsMultiple, s.rows*s.steps)
	return nil
}

// length returns how many words a row has.
func (s *stream) length() int { return len(s.words) / s.rows }

// batches returns how many batches the text has.
func (s *stream) batches() int {
	predicted := s.length() - 1
	if s.whole {
		return (predicted + s.steps - 1) / s.steps
	}
	return predicted / s.steps
}

// row returns a row's words in batch i, and those that follow them.
func (s *stream) row(row, i int) (ids, next []int32) {
	at := row*s.length() + i*s.steps
	n := min(s.steps, (row+1)*s.length()-1-at)
	return s.words[at : at+n], s.words[at+1 : at+1+n]
}

// predicted returns how many words the batches predict.
func (s *stream) predicted() int {
	return s.rows * min(s.batches()*s.steps, s.length()-1)
}

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
	all, after := make([]int32, 0, s.rows*s.steps), make([]int32, 0, s.rows*s.steps)
	for row := range s.rows {
		ids, next := s.row(row, i)
		all, after = append(all, ids...), append(after, next...)
		for range s.steps - len(ids) { // of the whole stream's last batch
			all, after = append(all, ids[0]), append(after, nothing)
		}
	}
	if err := s.found.Find(all, s.n, s.slots); err != nil {
		return train.Batch{}, err
	}
	return train.Batch{Inputs: []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(s.found.IDs, s.slots),
		tensors.FromFlatDataAndDimensions(s.found.Weight, s.slots),
		tensors.FromFlatDataAndDimensions(s.found.Position, s.rows, s.steps),
		tensors.FromFlatDataAndDimensions(after, s.rows, s.steps),
	}}, nil
}
