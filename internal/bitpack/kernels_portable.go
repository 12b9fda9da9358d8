//go:build !amd64 || noasm

package bitpack

func unpack(dst []uint16, src []byte, w int) { unpackPortable(dst, src, w) }
