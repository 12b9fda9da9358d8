// Package bitpack packs codes: rows of D digits of w bits each, the lowest bit
// first, a row padded to whole bytes. Digit j of a row is its bits j·w to
// j·w+w-1, where bit i is bit i%8 of byte i/8.
//
// Unpacking is on the path of every lookup. On amd64 with BMI2 it is done in
// assembly (written by internal/simd/_generate), unless the build tag noasm is
// set or the environment variable KDCODE_SIMD is "portable".
package bitpack

import (
	"encoding/binary"
	"math/bits"
)

//go:generate go run -C ../simd/_generate . -kernel unpack -out ../../bitpack/unpack_amd64.s -stubs ../../bitpack/unpack_amd64.go -pkg bitpack

// MaxWidth is the widest digit, in bits: that of K = 65,536.
const MaxWidth = 16

// Width returns the bits of a digit 0…K-1: ⌈log2 K⌉. K is at least 2.
func Width(K int) int { return bits.Len(uint(K - 1)) }

// RowBytes returns the bytes of a row of D digits of w bits.
func RowBytes(D, w int) int { return (D*w + 7) / 8 }

// Pack writes the digits to the first RowBytes(len(digits), w) bytes of dst,
// the padding bits zero. Of a digit that does not fit w bits, the low w bits
// are written. It panics where dst is shorter, or w is not 1 to 16.
func Pack(dst []byte, digits []uint16, w int) {
	if w < 1 || w > MaxWidth {
		panic("bitpack: width is not 1 to 16")
	}
	dst = dst[:RowBytes(len(digits), w)]
	mask := uint16(1<<w - 1)
	var pending uint64 // bits not written yet, held of them
	var held int
	at := 0
	for _, c := range digits {
		pending |= uint64(c&mask) << held
		held += w
		if held >= 32 {
			binary.LittleEndian.PutUint32(dst[at:], uint32(pending))
			pending >>= 32
			held -= 32
			at += 4
		}
	}
	for ; held > 0; held -= 8 {
		dst[at] = byte(pending)
		pending >>= 8
		at++
	}
}
