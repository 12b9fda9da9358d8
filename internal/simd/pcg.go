package simd

import (
	"encoding/binary"
	"math/bits"
)

// PCG is the state of a generator of random bits, PCG-DXSM: that of
// math/rand/v2, and of GoMLX's Go backend.
//
// That backend keeps the state in a tensor of two uint64, High and Low; what it
// returns as the next state are both with their bytes reversed.
type PCG struct{ High, Low uint64 }

// The multiplier and the increment, from math/rand/v2.
var (
	pcgMul = PCG{2549297995355413924, 4865540595714422341}
	pcgAdd = PCG{6364136223846793005, 1442695040888963407}
)

// Fill fills dst with random bits, eight bytes a number with the lowest first,
// and moves the state on. The last number may be used in part.
func (p *PCG) Fill(dst []byte) {
	dst = p.fillFours(dst)
	for len(dst) > 0 {
		var number [8]byte
		binary.LittleEndian.PutUint64(number[:], p.next())
		dst = dst[copy(dst, number[:]):]
	}
}

// fillFours fills dst but for its last bytes, fewer than 32, which it returns. It
// makes four numbers at a time, with steps of four: one waits for its
// multiplications.
func (p *PCG) fillFours(dst []byte) []byte {
	if len(dst) < 32 {
		return dst
	}
	a, b := pcgSteps(4)
	p.step(pcgMul, pcgAdd)
	p0, p1, p2, p3 := *p, *p, *p, *p
	p1.Skip(1)
	p2.Skip(2)
	p3.Skip(3)
	for ; len(dst) >= 32; dst = dst[32:] {
		*p = p3
		binary.LittleEndian.PutUint64(dst, p0.output())
		binary.LittleEndian.PutUint64(dst[8:], p1.output())
		binary.LittleEndian.PutUint64(dst[16:], p2.output())
		binary.LittleEndian.PutUint64(dst[24:], p3.output())
		p0.step(a, b)
		p1.step(a, b)
		p2.step(a, b)
		p3.step(a, b)
	}
	return dst
}

// Skip moves the state on as filling 8·n bytes does.
func (p *PCG) Skip(n uint64) { p.step(pcgSteps(n)) }

// pcgSteps returns what makes one step of n: n times x → mul·x + add is such a
// function too, which squaring finds.
func pcgSteps(n uint64) (mul, add PCG) {
	mul = PCG{0, 1}
	for a, b := pcgMul, pcgAdd; n > 0; n >>= 1 {
		if n&1 == 1 {
			mul, add = a.times(mul), a.times(add).plus(b)
		}
		a, b = a.times(a), a.times(b).plus(b)
	}
	return mul, add
}

func (p *PCG) next() uint64 {
	p.step(pcgMul, pcgAdd)
	return p.output()
}

func (p *PCG) step(mul, add PCG) {
	*p = p.times(mul).plus(add)
}

// output is the "double xorshift multiply" of the state.
func (p PCG) output() uint64 {
	const mul = 0xda942042e4dd58b5
	high := p.High
	high ^= high >> 32
	high *= mul
	high ^= high >> 48
	return high * (p.Low | 1)
}

// times and plus are those of 128-bit integers.
func (p PCG) times(q PCG) PCG {
	high, low := bits.Mul64(p.Low, q.Low)
	return PCG{high + p.High*q.Low + p.Low*q.High, low}
}

func (p PCG) plus(q PCG) PCG {
	low, carry := bits.Add64(p.Low, q.Low, 0)
	high, _ := bits.Add64(p.High, q.High, carry)
	return PCG{high, low}
}
