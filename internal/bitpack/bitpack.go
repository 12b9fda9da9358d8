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
	checkWidth(w)
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

// Unpack reads len(dst) digits of w bits from the first RowBytes(len(dst), w)
// bytes of src. It is fastest where src holds at least 8 bytes, of which those
// after the row may be anything. It panics where src is shorter than the row,
// or w is not 1 to 16.
func Unpack(dst []uint16, src []byte, w int) {
	checkWidth(w)
	if len(src) < RowBytes(len(dst), w) {
		panic("bitpack: row is cut short")
	}
	if len(dst) == 0 {
		return
	}
	if len(src) < 8 {
		unpackShort(dst, src, w)
		return
	}
	unpack(dst, src, w)
}

func checkWidth(w int) {
	if w < 1 || w > MaxWidth {
		panic("bitpack: width is not 1 to 16")
	}
}

// unpackShort unpacks a row of 1 to 7 bytes, from a copy padded to 8.
func unpackShort(dst []uint16, src []byte, w int) {
	var row uint64
	switch n := len(src); {
	case n >= 4:
		row = uint64(binary.LittleEndian.Uint32(src)) | uint64(binary.LittleEndian.Uint32(src[n-4:]))<<(8*(n-4))
	case n >= 2:
		row = uint64(binary.LittleEndian.Uint16(src)) | uint64(binary.LittleEndian.Uint16(src[n-2:]))<<(8*(n-2))
	default:
		row = uint64(src[0])
	}
	var padded [8]byte
	binary.LittleEndian.PutUint64(padded[:], row)
	unpack(dst, padded[:], w)
}

// unpackPortable specifies unpacking from 8 bytes or more: as many digits at a
// time as a load of 8 bytes always holds. Near the end of src it loads the last
// 8 bytes and shifts those before the digits out.
func unpackPortable(dst []uint16, src []byte, w int) {
	shift := uint(w) & 31 // so that the compiler knows it is below 32
	mask := uint64(1)<<shift - 1
	last := len(src) - 8
	group := groupDigits(w)
	for bit := 0; len(dst) > 0; bit += group * w {
		at := min(bit/8, last)
		row := binary.LittleEndian.Uint64(src[at:]) >> (uint(bit-8*at) & 63)
		digits := dst[:min(group, len(dst))]
		for j := range digits {
			digits[j] = uint16(row & mask)
			row >>= shift
		}
		dst = dst[len(digits):]
	}
}

// groupDigits returns how many digits of w bits are unpacked at a time. 8
// digits of up to 8 bits begin on a byte and take up to 8; 4 digits of more
// begin on half a byte at worst, and then are of at most 15 bits (an odd
// number), so that with the half byte they fill 64 bits at most.
func groupDigits(w int) int {
	if w <= 8 {
		return 8
	}
	return 4
}
