//go:build amd64 && !noasm

package bitpack

import (
	"os"

	"golang.org/x/sys/cpu"
)

// assembly tells whether to unpack in assembly. Only tests change it.
var assembly = cpu.X86.HasBMI2 && cpu.X86.HasAVX && !slowDeposit() && os.Getenv("KDCODE_SIMD") != "portable"

// slowDeposit tells whether PDEP is microcode, hundreds of cycles: on AMD's
// processors before Zen 3 (family 19h).
func slowDeposit() bool {
	if !cpu.X86.HasBMI2 {
		return false
	}
	vendor, signature := cpuid()
	const auth, hygo = 0x68747541, 0x6f677948 // "Auth"enticAMD, "Hygo"nGenuine
	if vendor != auth && vendor != hygo {
		return false
	}
	family := signature >> 8 & 0xf
	if family == 0xf {
		family += signature >> 20 & 0xff
	}
	return family < 0x19
}

func unpack(dst []uint16, src []byte, w int) {
	switch {
	case !assembly:
		unpackPortable(dst, src, w)
	case w <= 8:
		unpackBytes(&dst[0], len(dst), &src[0], len(src), w)
	default:
		unpackWords(&dst[0], len(dst), &src[0], len(src), w)
	}
}
