package bitpack

import "encoding/binary"

// Unpack reads len(dst) digits of w bits from the first RowBytes(len(dst), w)
// bytes of src. It is fastest where src holds at least 8 bytes, of which those
// after the row may be anything. It panics where src is shorter than the row,
// or w is not 1 to 16.
func Unpack(dst []uint16, src []byte, w int) {
	if uint(w-1) >= MaxWidth || len(src) < RowBytes(len(dst), w) {
		panic("bitpack: width is not 1 to 16, or row is cut short")
	}
	if len(dst) > 0 {
		unpack(dst, src, w)
	}
}

// pad returns a row of 1 to 7 bytes, and zeros after it.
func pad(src []byte) (padded [8]byte) {
	var row uint64
	switch n := len(src); {
	case n >= 4:
		row = uint64(binary.LittleEndian.Uint32(src)) | uint64(binary.LittleEndian.Uint32(src[n-4:]))<<(8*(n-4))
	case n >= 2:
		row = uint64(binary.LittleEndian.Uint16(src)) | uint64(binary.LittleEndian.Uint16(src[n-2:]))<<(8*(n-2))
	default:
		row = uint64(src[0])
	}
	binary.LittleEndian.PutUint64(padded[:], row)
	return padded
}

// unpackPortable specifies Unpack. It takes as many digits at a time as a load
// of 8 bytes always holds. Near the end of src it loads the last 8 bytes and
// shifts those before the digits out.
func unpackPortable(dst []uint16, src []byte, w int) {
	if len(src) < 8 {
		padded := pad(src)
		src = padded[:]
	}
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
