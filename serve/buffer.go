package serve

import (
	"encoding/binary"
	"math"
	"slices"
	"sync"
)

// buffer is the memory that a request works in. It is used again by others.
type buffer struct {
	body   []byte // what was asked
	out    []byte // what is answered
	floats []float32
	ids    []int
	digits []uint16
}

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// keep is the most bytes that stay allocated for the next request: a rare huge
// one should not hold its memory for ever.
const keep = 1 << 20

func getBuffer() *buffer { return buffers.Get().(*buffer) }

func (b *buffer) put() {
	if cap(b.body) > keep || cap(b.out) > keep || 4*cap(b.floats) > keep || 8*cap(b.ids) > keep {
		return
	}
	buffers.Put(b)
}

// vectors returns room for n floats.
func (b *buffer) vectors(n int) []float32 {
	b.floats = slices.Grow(b.floats[:0], n)[:n]
	return b.floats
}

// packFloats writes v to out, little-endian.
func (b *buffer) packFloats(v []float32) {
	b.out = slices.Grow(b.out[:0], 4*len(v))[:4*len(v)]
	out := b.out
	for i, x := range v {
		binary.LittleEndian.PutUint32(out[4*i:], math.Float32bits(x))
	}
}

// packDigits appends code to out, little-endian.
func (b *buffer) packDigits(code []uint16) {
	for _, digit := range code {
		b.out = binary.LittleEndian.AppendUint16(b.out, digit)
	}
}
