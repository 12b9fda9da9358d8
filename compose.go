package kdcode

import (
	"sync"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/simd"
)

// composer turns the digits of a code into a vector. It is one struct with a
// switch rather than an interface, so that digits stay on the caller's stack.
type composer struct {
	kind    codefile.Composition
	K, D    int
	dim     int // d
	codeDim int // d'
	shared  bool

	// W holds the code embeddings, rows of stride floats: [D, K, stride], or
	// [K, stride] if shared. Rows begin on cache lines: a row that straddles
	// two costs two reads for one.
	W      []float32
	stride int

	projection []float32 // H [d, d'] or [d, h], or nil
	bias       []float32 // b [d], or nil
	lstm       *lstm
	scratch    sync.Pool // *[]float32, what the sum or the LSTM needs
}

func (c *composer) init(f *codefile.Reader) {
	c.kind, c.K, c.D, c.dim, c.codeDim, c.shared = f.Composition, f.K, f.D, f.Dim, f.CodeDim, f.Shared
	c.stride = stride(f)
	c.W = simd.AlignedFloats(f.EmbeddingRows() * c.stride)
	f.Embeddings(c.W, c.stride)
	need := c.codeDim
	switch c.kind {
	case codefile.Affine:
		c.projection, c.bias = f.Projection()
	case codefile.Recur:
		c.projection, c.bias = f.Projection()
		c.lstm = newLSTM(f.LSTM(), f.CodeDim)
		need = c.lstm.scratch()
	}
	c.scratch.New = func() any { s := make([]float32, need); return &s }
}

// stride returns the floats from one code embedding to the next: whole cache
// lines, except where rows are narrow (padding them would multiply the
// memory) or only copied.
func stride(f *codefile.Reader) int {
	if f.CodeDim < 16 || f.Composition == codefile.Concat {
		return f.CodeDim
	}
	return simd.Stride(f.CodeDim)
}

// vector composes digits into dst, of width d. It returns -1, or the place of
// a digit ≥ K.
func (c *composer) vector(dst []float32, digits []uint16) int {
	switch c.kind {
	case codefile.Sum:
		return c.sum(dst, digits)
	case codefile.Concat:
		return c.concat(dst, digits)
	}
	scratch := c.scratch.Get().(*[]float32)
	defer c.scratch.Put(scratch)
	if c.kind == codefile.Affine {
		if j := c.sum(*scratch, digits); j >= 0 {
			return j
		}
		c.project(dst, *scratch)
		return -1
	}
	sum, j := c.lstm.run(*scratch, c, digits)
	if j >= 0 {
		return j
	}
	c.project(dst, sum)
	return -1
}

// sum is Σ_j W^j[c_j], as wide as dst.
func (c *composer) sum(dst []float32, digits []uint16) int {
	if c.shared {
		return simd.SumRowsShared(dst, c.W, c.stride, c.K, digits)
	}
	return simd.SumRows(dst, c.W, c.stride, c.K, digits)
}

// sumPacked is sum of a code as it is stored, in digits of width bits.
func (c *composer) sumPacked(dst []float32, code []byte, width int) int {
	if c.shared {
		return simd.SumPackedShared(dst, c.W, c.stride, c.K, code, width, c.D)
	}
	return simd.SumPacked(dst, c.W, c.stride, c.K, code, width, c.D)
}

// concat is W^1[c_1] ‖ … ‖ W^D[c_D].
func (c *composer) concat(dst []float32, digits []uint16) int {
	n := c.codeDim
	for j := range digits {
		row := c.row(j, digits[j])
		if row == nil {
			return j
		}
		copy(dst[j*n:][:n], row)
	}
	return -1
}

// row returns W^j[k], or nil if k ≥ K.
func (c *composer) row(j int, k uint16) []float32 {
	if int(k) >= c.K {
		return nil
	}
	at := int(k)
	if !c.shared {
		at += j * c.K
	}
	return c.W[at*c.stride:][:c.codeDim]
}

// project is H·x + b, either of which may be missing.
func (c *composer) project(dst, x []float32) {
	if c.projection != nil {
		simd.MatVec(dst, c.projection, x)
	} else {
		copy(dst, x)
	}
	if c.bias != nil {
		simd.Add(dst, c.bias)
	}
}
