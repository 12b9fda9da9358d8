package engine

import (
	"encoding/binary"
	"math/rand/v2"
	"unsafe"
)

// bits makes random bits as GoMLX's Go backend does: of PCG, whose state is
// carried on.
type bits struct {
	state, after, values operand
	bytes                int
	keepsState           bool
	keepsValues          bool
}

func (p *plan) newRandom(nodes []*node) *bits {
	b := &bits{}
	for _, n := range nodes {
		switch {
		case n.op != opPick:
			b.state = p.operandOf(n.inputs[0])
			b.bytes = int(n.results[1].shape.ByteSize())
		case !p.isRead[n]:
		case n.attrs.(pick) == 0:
			b.after, b.keepsState = p.operandOf(n), true
		default:
			b.values, b.keepsValues = p.operandOf(n), true
		}
	}
	return b
}

func (b *bits) run(x *execution) {
	state := unsafe.Slice((*uint64)(unsafe.Add(x.base[b.state.storage], b.state.offset*8)), 3)
	rng := rand.NewPCG(state[0], state[1])
	third := state[2]
	if b.keepsValues {
		values := unsafe.Slice((*byte)(unsafe.Add(x.base[b.values.storage], b.values.offset*b.values.width)), b.bytes)
		for ; len(values) >= 8; values = values[8:] {
			binary.LittleEndian.PutUint64(values, rng.Uint64())
		}
		if len(values) > 0 {
			var last [8]byte
			binary.LittleEndian.PutUint64(last[:], rng.Uint64())
			copy(values, last[:])
		}
	} else {
		for range (b.bytes + 7) / 8 {
			rng.Uint64()
		}
	}
	if !b.keepsState {
		return
	}
	after := unsafe.Slice((*uint64)(unsafe.Add(x.base[b.after.storage], b.after.offset*8)), 3)
	var buffer [20]byte
	text, err := rng.AppendBinary(buffer[:0])
	if err != nil {
		panic(stepError{err})
	}
	after[0], after[1], after[2] = binary.LittleEndian.Uint64(text[4:]), binary.LittleEndian.Uint64(text[12:]), third
}
