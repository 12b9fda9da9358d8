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
const (
	pcgMulHigh = 2549297995355413924
	pcgMulLow  = 4865540595714422341
	pcgAddHigh = 6364136223846793005
	pcgAddLow  = 1442695040888963407
)

// Fill fills dst with random bits, eight bytes a number with the lowest first,
// and moves the state on. The last number may be used in part.
func (p *PCG) Fill(dst []byte) {
	for ; len(dst) >= 8; dst = dst[8:] {
		binary.LittleEndian.PutUint64(dst, p.next())
	}
	if len(dst) > 0 {
		var last [8]byte
		binary.LittleEndian.PutUint64(last[:], p.next())
		copy(dst, last[:])
	}
}

// Skip moves the state on as filling 8·n bytes does.
func (p *PCG) Skip(n uint64) {
	// n steps of x → a·x + b are one step, of powers of a that squaring finds.
	a, b := PCG{pcgMulHigh, pcgMulLow}, PCG{pcgAddHigh, pcgAddLow}
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			*p = p.times(a).plus(b)
		}
		b = a.times(b).plus(b)
		a = a.times(a)
	}
}

func (p *PCG) next() uint64 {
	*p = p.times(PCG{pcgMulHigh, pcgMulLow}).plus(PCG{pcgAddHigh, pcgAddLow})
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
