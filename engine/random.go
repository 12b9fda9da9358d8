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
	if b.values != nil {
		rng.Fill(unsafe.Slice((*byte)(unsafe.Add(x.base[b.values.storage], b.values.offset*b.values.width)), b.bytes))
	} else {
		rng.Skip(uint64(b.bytes+7) / 8)
	}
	if b.after != nil {
		after := x.words(*b.after, b.words)
		copy(after, before)
		after[0], after[1] = bits.ReverseBytes64(rng.High), bits.ReverseBytes64(rng.Low)
	}
}

// words returns n 64-bit words of an operand.
func (x *execution) words(o operand, n int) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Add(x.base[o.storage], o.offset*8)), n)
}
