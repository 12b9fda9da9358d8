package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/gomlx/compute"

	"github.com/kdcode/kdcode/learn"
	"github.com/kdcode/kdcode/learn/lm"
)

// languageModels returns training steps of the sizes asked for, with full and
// with KD embeddings.
func languageModels(o benchEngineOptions) []measured {
	var list []measured
	for _, name := range o.lm {
		for _, kind := range []lm.Kind{lm.Ordinary, lm.Coded} {
			size, _ := lm.SizeOf(name, kind) // the name is one of them
			m := lmSteps{size: size, words: madeUpText(o.words, size), kind: kind}
			list = append(list, measured{
				name:  "lm step, " + name + map[lm.Kind]string{lm.Ordinary: ", full", lm.Coded: ", KD"}[kind],
				shape: fmt.Sprintf("%d×%d, d = %d, N = %d", lmRows, size.Steps, size.Dim, o.words),
				open:  m.open,
			})
		}
	}
	return list
}

// lmRows is the paper's B.
const lmRows = 20

// lmSteps trains a language model on one batch an epoch, which lets it see when
// a step begins and ends.
type lmSteps struct {
	size  lm.Size
	kind  lm.Kind
	words *lm.Corpus
}

// madeUpText returns a batch of words drawn by Zipf's law.
func madeUpText(n int, size lm.Size) *lm.Corpus {
	c := &lm.Corpus{Words: make([]string, n)}
	for i := range c.Words {
		c.Words[i] = strconv.Itoa(i)
	}
	zipf := rand.NewZipf(rand.New(rand.NewPCG(3, 4)), 1.1, 10, uint64(n-1))
	draw := func(count int) []int32 {
		text := make([]int32, count)
		for i := range text {
			text[i] = int32(zipf.Uint64())
		}
		return text
	}
	c.Train, c.Valid, c.Test = draw(lmRows*(size.Steps+1)), draw(2*lmRows), draw(2)
	return c
}

// optimizer returns that of kd train lm, with a low rate: all steps are on the
// same batch.
func (m lmSteps) optimizer() *learn.Optimizer {
	if m.kind == lm.Coded {
		return learn.Mixed(lmRate, m.size.Clip)
	}
	return learn.SGD(lmRate, m.size.Clip)
}

const lmRate = 1e-3

// codeless hides that a layer has codes: reading them after each step would take
// longer than the step.
type codeless struct{ learn.Embedding }

func (m lmSteps) layer() learn.Embedding {
	if m.kind == lm.Coded {
		kd := learn.NewKD(len(m.words.Words), m.size.Dim).Ways(32).CodeLength(32).CodeDim(300).InitScale(m.size.InitScale)
		return codeless{kd}
	}
	return learn.NewFull(len(m.words.Words), m.size.Dim).InitScale(m.size.InitScale)
}

// open starts a training, which waits between its steps.
func (m lmSteps) open(ctx context.Context, b compute.Backend) (runner, func(), error) {
	next, stop := iter.Pull2(m.steps(ctx, b))
	run := func() (time.Duration, error) {
		spent, err, ok := next()
		if !ok {
			return 0, errors.New("the training ended early")
		}
		return spent, err
	}
	return run, stop, nil
}

// steps returns the times of training steps, without end.
func (m lmSteps) steps(ctx context.Context, b compute.Backend) iter.Seq2[time.Duration, error] {
	return func(yield func(time.Duration, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		size := m.size
		size.Epochs, size.Flat = math.MaxInt32, math.MaxInt32
		began := time.Now()
		enough := false
		_, err := lm.Train(ctx, m.words, m.layer(), lm.Options{
			Backend: b, Size: size, Batch: lmRows, Optimizer: m.optimizer(), Rate: lmRate,
			OnStep: func(learn.Progress) {
				if !enough && !yield(time.Since(began), nil) {
					enough = true
					cancel()
				}
			},
			OnEpoch: func(learn.Epoch) { began = time.Now() },
		})
		if !enough {
			yield(0, err)
		}
	}
}
