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

// UnpackRows reads the D digits of each of some rows of src, which is rows of
// RowBytes(D, w) bytes: those of row rows[i] to dst[i·D:]. It is faster than as
// many Unpacks, and fastest where src goes on after the last row. It panics where
// there is no such row, dst does not hold D digits for each, D is below 1, or w
// is not 1 to 16.
func UnpackRows(dst []uint16, src []byte, w, D int, rows []int) {
	if uint(w-1) >= MaxWidth || D < 1 || len(dst) != D*len(rows) {
		panic("bitpack: width is not 1 to 16, or dst does not fit the rows")
	}
	n := uint(len(src) / RowBytes(D, w))
	for _, r := range rows {
		if uint(r) >= n {
			panic("bitpack: no such row")
		}
	}
	if len(rows) > 0 {
		unpackRows(dst, src, w, D, rows)
	}
}

// unpackEach specifies UnpackRows.
func unpackEach(dst []uint16, src []byte, w, D int, rows []int) {
	size := RowBytes(D, w)
	for i, r := range rows {
		unpack(dst[i*D:][:D], src[r*size:], w)
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
// of 8 bytes always holds: 8 of up to 8 bits, which begin on a byte; or 4 of
// more, which begin on half a byte at worst, and then are of at most 15 bits (an
// odd number), so that with the half byte they fill 64 bits at most.
func unpackPortable(dst []uint16, src []byte, w int) {
	if len(src) < 8 {
		padded := pad(src)
		src = padded[:]
	}
	shift := uint(w) // shifts are below 64: the masks tell the compiler
	mask := uint64(1)<<(shift&63) - 1
	bit := 0
	if w <= 8 {
		for ; len(dst) >= 8; dst = dst[8:] {
			d, x := (*[8]uint16)(dst), window(src, bit)
			d[0] = uint16(x & mask)
			d[1] = uint16(x >> (shift & 63) & mask)
			d[2] = uint16(x >> (2 * shift & 63) & mask)
			d[3] = uint16(x >> (3 * shift & 63) & mask)
			d[4] = uint16(x >> (4 * shift & 63) & mask)
			d[5] = uint16(x >> (5 * shift & 63) & mask)
			d[6] = uint16(x >> (6 * shift & 63) & mask)
			d[7] = uint16(x >> (7 * shift & 63) & mask)
			bit += 8 * w
		}
	}
	for ; len(dst) >= 4; dst = dst[4:] {
		d, x := (*[4]uint16)(dst), window(src, bit)
		d[0] = uint16(x & mask)
		d[1] = uint16(x >> (shift & 63) & mask)
		d[2] = uint16(x >> (2 * shift & 63) & mask)
		d[3] = uint16(x >> (3 * shift & 63) & mask)
		bit += 4 * w
	}
	for i := range dst {
		dst[i] = uint16(window(src, bit) & mask)
		bit += w
	}
}

// window returns the bits of src from one on: 57 of them or more, but where the
// end is nearer. There it loads the last 8 bytes, and shifts out those before.
func window(src []byte, bit int) uint64 {
	at := min(bit/8, len(src)-8)
	return binary.LittleEndian.Uint64(src[at:]) >> (uint(bit-8*at) & 63)
}
