package classify

import (
	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/simd"
)

// words gives each word a row of floats, such that the rows of a text's words,
// added up, give its scores. There are two ways: a row is the word's scores,
// or its embedding.
type words interface {
	// width returns the floats of a row.
	width() int
	// row computes the row of word id. code is scratch of the caller's.
	row(dst []float32, id int, code *[]byte) error
	// scores turns the sum of the rows of known words into scores.
	scores(dst, sum []float32, known int)
}

// newWords chooses the way with less work for a word.
func newWords(t *kdcode.Table, c *Classifier) (words, error) {
	if partialCost(t, c) > lookupCost(t) || !partialFits(t, c) {
		return &embeddings{t, c}, nil
	}
	return newPartial(t, c)
}

// lookupCost is the number of floats read to look up a word and add its
// vector. That of an LSTM is beyond comparison, but then it has no other way.
func lookupCost(t *kdcode.Table) int {
	D, d, codeDim := t.CodeLength(), t.Dim(), t.Info().CodeDim
	switch t.Info().Composition {
	case codefile.Concat:
		return d + d
	case codefile.Affine:
		return D*codeDim + d*codeDim + d
	}
	return D*d + d
}

// partialCost is the same for partial scores.
func partialCost(t *kdcode.Table, c *Classifier) int { return (t.CodeLength() + 1) * len(c.Labels) }

// embeddings is the way of all others: the embeddings are looked up and added
// up, and their mean is multiplied by W once a text.
type embeddings struct {
	t *kdcode.Table
	c *Classifier
}

func (e *embeddings) width() int { return e.t.Dim() }

func (e *embeddings) row(dst []float32, id int, _ *[]byte) error { return e.t.Lookup(dst, id) }

func (e *embeddings) scores(dst, sum []float32, known int) {
	simd.MatVec(dst, e.c.Weight, sum)
	scale := 1 / float32(max(known, 1))
	for i, b := range e.c.Bias {
		dst[i] = dst[i]*scale + b
	}
}
