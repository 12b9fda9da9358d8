package engine

import (
	"math/bits"
	"unsafe"

	"github.com/kdcode/kdcode/internal/simd"
)

// bitGenerator makes random bits as GoMLX's Go backend does: of PCG, whose
// state is carried on.
type bitGenerator struct {
	state         operand
	words         int      // of the state, of which two are PCG's
	after, values *operand // nil where nobody reads them
	bytes         int
}

func (p *plan) newRandom(nodes []*node) *bitGenerator {
	b := &bitGenerator{}
	for _, n := range nodes {
		if n.op != opPick {
			b.state = p.operandOf(n.inputs[0])
			b.words = n.inputs[0].shape.Size()
			b.bytes = int(n.results[1].shape.ByteSize())
			continue
		}
		if !p.isRead[n] {
			continue
		}
		o := p.operandOf(n)
		if n.attrs.(pick) == 0 {
			b.after = &o
		} else {
			b.values = &o
		}
	}
	return b
}

func (b *bitGenerator) run(x *execution) {
	before := x.words(b.state, b.words)
	rng := simd.PCG{High: before[0], Low: before[1]}
	rng.Skip(uint64(b.bytes+7) / 8)
	if b.values != nil {
		x.split(b, (b.bytes+drawnAtOnce-1)/drawnAtOnce, 4)
	}
	if b.after != nil {
		after := x.words(*b.after, b.words)
		copy(after, before)
		after[0], after[1] = bits.ReverseBytes64(rng.High), bits.ReverseBytes64(rng.Low)
	}
}

// drawnAtOnce is how many bytes a processor draws at a time.
const drawnAtOnce = 8 << 10

// part draws some of the bytes, with the state that those before leave.
func (b *bitGenerator) part(x *execution, from, to int) {
	state := x.words(b.state, b.words)
	rng := simd.PCG{High: state[0], Low: state[1]}
	rng.Skip(uint64(from) * drawnAtOnce / 8)
	first := unsafe.Add(x.base[b.values.storage], b.values.offset*b.values.width)
	rng.Fill(unsafe.Slice((*byte)(first), b.bytes)[from*drawnAtOnce : min(to*drawnAtOnce, b.bytes)])
}

// words returns n 64-bit words of an operand.
func (x *execution) words(o operand, n int) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Add(x.base[o.storage], o.offset*8)), n)
}
