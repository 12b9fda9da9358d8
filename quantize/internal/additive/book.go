package additive

import (
	"github.com/kdcode/kdcode/internal/simd"
	"github.com/kdcode/kdcode/quantize/internal/kernel"
)

// book is the code embeddings at work: W, padded for the kernels, for vectors
// less their mean.
type book struct {
	K, D, d int
	stride  int       // floats of a row of W
	lanes   int       // digits of a vector of scores
	W       []float32 // [D, K, stride]
	mean    []float32 // [stride]
}

func newBook(K, D, d int) *book {
	stride := simd.Stride(d)
	return &book{
		K: K, D: D, d: d, stride: stride, lanes: lanes(D),
		W:    simd.AlignedFloats(D * K * stride),
		mean: make([]float32, stride),
	}
}

// lanes returns D, padded to whole vectors of scores.
func lanes(D int) int { return (D + kernel.Lanes - 1) / kernel.Lanes * kernel.Lanes }

// of returns W^j[k].
func (b *book) of(j, k int) []float32 {
	return b.W[(j*b.K+k)*b.stride:][:b.stride:b.stride]
}

// digit returns W^j, [K, stride].
func (b *book) digit(j int) []float32 { return b.W[j*b.K*b.stride:][:b.K*b.stride] }

// residual writes v − Σ_j W^j[c_j] to dst and returns its squared length.
// sum is scratch; all are [stride].
func (b *book) residual(dst, v, sum []float32, code []uint16) float32 {
	simd.SumRows(sum, b.W, b.stride, b.K, code)
	copy(dst, v)
	simd.Axpy(dst, -1, sum)
	return simd.Dot(dst, dst)
}

// energy returns the mean squared distance of code embeddings to the mean of
// their digit.
func (b *book) energy() float64 {
	total := 0.0
	mean := make([]float32, b.stride)
	for j := range b.D {
		b.meanOf(mean, j)
		for k := range b.K {
			total += float64(simd.SquaredDistance(b.of(j, k), mean))
		}
	}
	return total / float64(b.D*b.K)
}

// meanOf writes the mean of W^j to dst.
func (b *book) meanOf(dst []float32, j int) {
	clear(dst)
	for k := range b.K {
		simd.Axpy(dst, 1/float32(b.K), b.of(j, k))
	}
}

// packed returns W^j as panels, and half the squared length of each of its
// rows, padded with infinity: with scores −⟨v, W^j[k]⟩, Argmin finds the nearest.
func packed(rows []float32, n, stride int, panels, halves []float32) {
	kernel.Pack(panels, rows, n, stride, stride)
	for k := range halves {
		halves[k] = infinity
		if k < n {
			row := rows[k*stride:][:stride]
			halves[k] = simd.Dot(row, row) / 2
		}
	}
}
