//go:build amd64 && !noasm

package bitpack

// unpack picks the kernel. Its arguments have been checked: dst is not empty.
func unpack(dst []uint16, src []byte, w int) {
	if active == vbmi && w <= 8 {
		unpackVBMI(&dst[0], len(dst), &src[0], w)
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
