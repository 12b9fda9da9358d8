package classify

import (
	"fmt"
	"math/bits"

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
	// row computes the row of word id. code is scratch.
	row(dst []float32, id int, code []byte) ([]byte, error)
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

// maxPartial bounds the partial scores, in floats: 16 MB.
const maxPartial = 4 << 20

// partialFits reports whether there are partial scores: for compositions that
// are linear in the code embeddings.
func partialFits(t *kdcode.Table, c *Classifier) bool {
	return t.Info().Composition != codefile.Recur && t.CodeLength()*t.Ways() <= maxPartial/partialStride(len(c.Labels))
}

// partialStride is the number of floats from one row to the next: a few
// classes are packed, so that they stay in the nearest cache.
func partialStride(classes int) int {
	if classes <= 8 {
		return classes
	}
	return simd.Stride(classes)
}

// partial is the way of compositions that are linear in the code embeddings,
// scores being linear in the embeddings: each value k of digit j contributes
// a partial score to each class, computed once, and a word's scores are the
// sums of D of them. With 4 classes that is 4·D additions instead of 300·D.
type partial struct {
	t         *kdcode.Table
	c         *Classifier
	sums      []float32 // [D, K, stride]
	stride, w int
}

func newPartial(t *kdcode.Table, c *Classifier) (*partial, error) {
	info, C := t.Info(), len(c.Labels)
	p := &partial{t: t, c: c, stride: partialStride(C), w: bits.Len(uint(info.K - 1))}
	weight, constant, err := composedWeight(t, c)
	if err != nil {
		return nil, err
	}
	p.sums = simd.AlignedFloats(info.D * info.K * p.stride)
	W := t.CodeEmbeddings()
	for j := range info.D {
		for k := range info.K {
			at := j*info.K + k
			e := at
			if info.Shared {
				e = k
			}
			dst := p.sums[at*p.stride:][:C]
			simd.MatVec(dst, weight(j), W[e*info.CodeDim:][:info.CodeDim])
			if j == 0 && constant != nil {
				simd.Add(dst, constant) // once a word
			}
		}
	}
	return p, nil
}

// composedWeight returns, for digit j, the matrix [C, d'] that takes a code
// embedding to its partial scores, and what each word's scores have besides.
func composedWeight(t *kdcode.Table, c *Classifier) (weight func(j int) []float32, constant []float32, err error) {
	info, C := t.Info(), len(c.Labels)
	switch info.Composition {
	case codefile.Affine: // W·(H·s + b) = (W·H)·s + W·b
		return affineWeight(t, c)
	case codefile.Concat: // the columns of W that meet digit j's part
		block := make([]float32, C*info.CodeDim)
		return func(j int) []float32 {
			for i := range C {
				copy(block[i*info.CodeDim:][:info.CodeDim], c.Weight[i*info.Dim+j*info.CodeDim:])
			}
			return block
		}, nil, nil
	case codefile.Sum:
		return func(int) []float32 { return c.Weight }, nil, nil
	}
	return nil, nil, fmt.Errorf("classify: the composition %q is not linear", info.Composition)
}

func affineWeight(t *kdcode.Table, c *Classifier) (weight func(j int) []float32, constant []float32, err error) {
	info, C := t.Info(), len(c.Labels)
	raw, err := t.Tensor("projection")
	if err != nil {
		return nil, nil, err
	}
	h, err := raw.Floats() // [d, d']
	if err != nil {
		return nil, nil, err
	}
	product := make([]float32, C*info.CodeDim)
	for i := range C {
		for m := range info.Dim {
			simd.Axpy(product[i*info.CodeDim:][:info.CodeDim], c.Weight[i*info.Dim+m], h[m*info.CodeDim:][:info.CodeDim])
		}
	}
	if raw, err := t.Tensor("bias"); err == nil {
		b, err := raw.Floats()
		if err != nil {
			return nil, nil, err
		}
		constant = make([]float32, C)
		simd.MatVec(constant, c.Weight, b)
	}
	return func(int) []float32 { return product }, constant, nil
}

func (p *partial) width() int { return len(p.c.Labels) }

func (p *partial) row(dst []float32, id int, code []byte) ([]byte, error) {
	code, err := p.t.PackedCodes(code[:0], id, 1)
	if err != nil {
		return code, err
	}
	if j := simd.SumPacked(dst, p.sums, p.stride, p.t.Ways(), code, p.w, p.t.CodeLength()); j >= 0 {
		return code, fmt.Errorf("%w: code %d has a digit beyond K = %d; run kd check, then copy or make the file again", kdcode.ErrDamaged, id, p.t.Ways())
	}
	return code, nil
}

func (p *partial) scores(dst, sum []float32, known int) {
	copy(dst, p.c.Bias)
	if known > 0 {
		simd.Axpy(dst, 1/float32(known), sum)
	}
}

// embeddings is the way of all others: the embeddings are looked up and added
// up, and their mean is multiplied by W once a text.
type embeddings struct {
	t *kdcode.Table
	c *Classifier
}

func (e *embeddings) width() int { return e.t.Dim() }

func (e *embeddings) row(dst []float32, id int, code []byte) ([]byte, error) {
	return code, e.t.Lookup(dst, id)
}

func (e *embeddings) scores(dst, sum []float32, known int) {
	simd.MatVec(dst, e.c.Weight, sum)
	scale := 1 / float32(max(known, 1))
	for i, b := range e.c.Bias {
		dst[i] = dst[i]*scale + b
	}
}
