package kdcode

import (
	"sync"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/simd"
)

// composer turns the digits of a code into a vector. It is one struct with a
// switch rather than an interface, so that digits stay on the caller's stack.
type composer struct {
	kind    kind
	K, D    int
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
	group      int       // the most codes that are composed together
	scratch    sync.Pool // *[]float32, what projected needs for so many
}

// The most codes that are composed together, and the floats that they may need
// meanwhile: of very wide vectors there are fewer.
const (
	maxGroup   = 32
	maxScratch = 1 << 20
)

// kind is a codefile.Composition as a number: comparing strings would show in
// the time of a lookup.
type kind uint8

const (
	kindSum kind = iota
	kindConcat
	kindProjected // affine and lstm
)

func (c *composer) init(f *codefile.Reader) {
	c.K, c.D, c.codeDim, c.shared = f.K, f.D, f.CodeDim, f.Shared
	c.stride = stride(f)
	c.W = simd.AlignedFloats(f.EmbeddingRows() * c.stride)
	f.Embeddings(c.W, c.stride)
	need := c.codeDim
	switch f.Composition {
	case codefile.Concat:
		c.kind = kindConcat
	case codefile.Affine, codefile.Recur:
		c.kind = kindProjected
		c.projection, c.bias = f.Projection()
	}
	if w := f.LSTM(); w != nil {
		c.lstm = newLSTM(w, f.CodeDim)
		need = c.lstm.scratch()
	}
	c.group = min(maxGroup, max(1, maxScratch/need))
	need *= c.group
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

// vectors composes the digits of up to group codes, one after the other, into
// dst. It returns -1, or the place of a digit ≥ K.
func (c *composer) vectors(dst []float32, digits []uint16) int {
	switch c.kind {
	case kindSum:
		return c.sums(dst, digits)
	case kindProjected:
		return c.projected(dst, digits)
	}
	d := len(dst) / (len(digits) / c.D)
	for at := 0; at < len(digits); at += c.D {
		if j := c.concat(dst[:d], digits[at:][:c.D]); j >= 0 {
			return at + j
		}
		dst = dst[d:]
	}
	return -1
}

// projected is H·x + b of each of up to group codes, where x is the sum of its code
// embeddings or of the LSTM's outputs on them.
func (c *composer) projected(dst []float32, digits []uint16) int {
	scratch := c.scratch.Get().(*[]float32)
	defer c.scratch.Put(scratch)
	n := len(digits) / c.D
	var x []float32
	var bad int
	if c.lstm != nil {
		x, bad = c.lstm.run(*scratch, c, digits)
	} else {
		x = (*scratch)[:n*c.codeDim]
		bad = c.sums(x, digits)
	}
	if bad < 0 {
		c.project(dst, x, n)
	}
	return bad
}

// sums is Σ_j W^j[c_j] of each of several codes.
func (c *composer) sums(dst []float32, digits []uint16) int {
	if c.shared {
		return simd.SumCodesShared(dst, c.W, c.stride, c.K, digits, c.D)
	}
	return simd.SumCodes(dst, c.W, c.stride, c.K, digits, c.D)
}

// sumPacked is the sum of one code as it is stored, in digits of width bits.
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

// project is H·x + b of n vectors, either of which may be missing.
func (c *composer) project(dst, x []float32, n int) {
	if c.projection != nil {
		simd.MatVecs(dst, c.projection, x, n)
	} else {
		copy(dst, x)
	}
	if c.bias != nil {
		for i := range n {
			simd.Add(dst[i*len(c.bias):][:len(c.bias)], c.bias)
		}
	}
}
