//go:build !amd64 || noasm

package bitpack

func unpack(dst []uint16, src []byte, w int) { unpackPortable(dst, src, w) }

func unpackRows(dst []uint16, src []byte, w, D int, rows []int) { unpackEach(dst, src, w, D, rows) }
