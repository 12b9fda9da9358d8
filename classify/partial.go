package classify

import (
	"fmt"
	"math/bits"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/simd"
)

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
		part := weight(j)
		for k := range info.K {
			at := j*info.K + k
			e := at
			if info.Shared {
				e = k
			}
			dst := p.sums[at*p.stride:][:C]
			simd.MatVec(dst, part, W[e*info.CodeDim:][:info.CodeDim])
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

func (p *partial) row(dst []float32, id int, code *[]byte) (err error) {
	if *code, err = p.t.PackedCodes((*code)[:0], id, 1); err != nil {
		return err
	}
	if j := simd.SumPacked(dst, p.sums, p.stride, p.t.Ways(), *code, p.w, p.t.CodeLength()); j >= 0 {
		return fmt.Errorf("%w: code %d, digit %d is not below K = %d; run kd check, then copy or make the file again", kdcode.ErrDamaged, id, j, p.t.Ways())
	}
	return nil
}

func (p *partial) scores(dst, sum []float32, known int) {
	copy(dst, p.c.Bias)
	if known > 0 {
		simd.Axpy(dst, 1/float32(known), sum)
	}
}
