package text

import (
	"iter"
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/kdcode/kdcode/learn"
)

// batcher makes batches of documents. A batch is
//
//	ids [U]     its distinct words
//	weight [U]  how often each occurs; 0 is padding
//	bag [B, U]  how often each occurs in a text, over the text's length
//	label [B]
//	counts [B]  1 for a text, 0 where the batch is not full
//
// so that the texts' means are one product.
type batcher struct {
	words int // N
	size  int // B
	round int // U is a multiple of it
	drop  dropper
	found learn.Occurrences
}

// dropper leaves out words of training texts. What it leaves out follows from
// the seed, the epoch and the text, so that a resumed training does the same.
type dropper struct {
	rate  float64
	seed  uint64
	epoch int
}

// words returns the words of document i that are not left out: all if that
// would leave none.
func (d dropper) words(i int, words []int32) []int32 {
	if d.rate == 0 {
		return words
	}
	rng := rand.New(rand.NewPCG(d.seed, uint64(d.epoch)<<32|uint64(i)))
	kept := make([]int32, 0, len(words))
	for _, w := range words {
		if rng.Float64() >= d.rate {
			kept = append(kept, w)
		}
	}
	if len(kept) == 0 {
		return words
	}
	return kept
}

// shuffled returns the documents' order in an epoch.
func shuffled(n int, seed uint64, epoch int) []int {
	return rand.New(rand.NewPCG(seed, uint64(epoch)+1)).Perm(n)
}

// inOrder returns the order of documents that are not shuffled.
func inOrder(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// batches returns the documents in the given order, from a batch on.
func (b *batcher) batches(docs []Document, order []int, from int) iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) {
		for at := from * b.size; at < len(order); at += b.size {
			if !yield(b.batch(docs, order[at:min(at+b.size, len(order))])) {
				return
			}
		}
	}
}

// batch returns some documents as a batch.
func (b *batcher) batch(docs []Document, of []int) (train.Batch, error) {
	var ids []int32
	texts := make([][]int32, len(of))
	for row, i := range of {
		texts[row] = b.drop.words(i, docs[i].Words)
		ids = append(ids, texts[row]...)
	}
	if err := b.found.Find(ids, b.words, b.round); err != nil {
		return train.Batch{}, err
	}
	u := len(b.found.IDs)
	bag := make([]float32, b.size*u)
	label, counts := make([]int32, b.size), make([]float32, b.size)
	place := b.found.Position
	for row, i := range of {
		words := texts[row]
		for _, p := range place[:len(words)] {
			bag[row*u+int(p)] += 1 / float32(len(words))
		}
		place = place[len(words):]
		label[row], counts[row] = docs[i].Label, 1
	}
	return train.Batch{Inputs: []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(b.found.IDs, u),
		tensors.FromFlatDataAndDimensions(b.found.Weight, u),
		tensors.FromFlatDataAndDimensions(bag, b.size, u),
		tensors.FromFlatDataAndDimensions(label, b.size),
		tensors.FromFlatDataAndDimensions(counts, b.size),
	}}, nil
}
