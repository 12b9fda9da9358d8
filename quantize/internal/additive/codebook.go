package additive

import (
	"math"
)

var infinity = float32(math.Inf(1))

// Codebook is what codes are composed with: the code embeddings.
type Codebook struct {
	K, D, Dim int
	W         []float32 // [D, K, Dim]
}

// Result is a table, learned.
type Result struct {
	*Codebook
	Codes []uint16 // [N, D]
	Error float64  // Σ w‖v−v̂‖² / Σ w‖v‖²
}

// codebook returns the code embeddings without padding. What all codes have in
// common, the mean of the vectors and those of the digits' code embeddings, is
// divided evenly among the digits: that keeps numbers small.
func (b *book) codebook() *Codebook {
	c := &Codebook{K: b.K, D: b.D, Dim: b.d, W: make([]float32, b.D*b.K*b.d)}
	common := make([]float64, b.d)
	means := make([]float32, b.D*b.stride)
	for j := range b.D {
		b.meanOf(means[j*b.stride:][:b.stride], j)
		for t := range common {
			common[t] += float64(means[j*b.stride+t])
		}
	}
	for t := range common {
		common[t] = (common[t] + float64(b.mean[t])) / float64(b.D)
	}
	for j := range b.D {
		for k := range b.K {
			dst, src := c.W[(j*b.K+k)*b.d:][:b.d], b.of(j, k)
			for t := range dst {
				dst[t] = float32(float64(src[t]) - float64(means[j*b.stride+t]) + common[t])
			}
		}
	}
	return c
}

// book returns the code embeddings for work.
func (c *Codebook) book() *book {
	b := newBook(c.K, c.D, c.Dim)
	for i := range c.D * c.K {
		copy(b.W[i*b.stride:], c.W[i*c.Dim:][:c.Dim])
	}
	return b
}
