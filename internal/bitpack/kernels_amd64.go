//go:build amd64 && !noasm

package bitpack

// unpack picks the kernel. Its arguments have been checked: dst is not empty.
func unpack(dst []uint16, src []byte, w int) {
	if active == vbmi && w <= 8 {
		var first int
		unpackVBMI(&dst[0], len(dst), &src[0], w, 0, &first, 1)
		return
	}
	if active == portable {
		unpackPortable(dst, src, w)
		return
	}
	if len(src) < 8 {
		padded := pad(src)
		src = padded[:]
	}
	if w <= 8 {
		unpackBytes(&dst[0], len(dst), &src[0], len(src), w)
	} else {
		unpackWords(&dst[0], len(dst), &src[0], len(src), w)
	}
}

// unpackRows is for at least one row.
func unpackRows(dst []uint16, src []byte, w, D int, rows []int) {
	if active == vbmi && w <= 8 {
		unpackVBMI(&dst[0], D, &src[0], w, RowBytes(D, w), &rows[0], len(rows))
		return
	}
	unpackEach(dst, src, w, D, rows)
}
