//go:build amd64 && !noasm

package bitpack

import (
	"os"

	"golang.org/x/sys/cpu"
)

// A level is a set of kernels; a higher one falls back on the lower ones.
type level uint8

const (
	portable level = iota
	bmi2
	vbmi
)

// active is the level in use. Only tests change it.
var active = choose()

func choose() level {
	if os.Getenv("KDCODE_SIMD") == "portable" {
		return portable
	}
	highest := supported()
	if highest == bmi2 && slowDeposit() {
		return portable
	}
	return highest
}

// supported returns the highest level this processor and operating system run.
func supported() level {
	x := &cpu.X86
	switch {
	case !x.HasBMI2 || !x.HasAVX:
		return portable
	case !x.HasAVX512F || !x.HasAVX512BW || !x.HasAVX512VL || !x.HasAVX512VBMI:
		return bmi2
	}
	return vbmi
}

// slowDeposit tells whether PDEP is microcode, hundreds of cycles: on AMD's
// processors before Zen 3 (family 19h).
func slowDeposit() bool {
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
