//go:build amd64 && !noasm

package simd

import (
	"os"

	"golang.org/x/sys/cpu"
)

// active is the level in use. Only tests change it.
var active = choose(supported(), os.Getenv("KDCODE_SIMD"))

func current() level { return active }

// supported returns the highest level this processor and operating system run.
func supported() level {
	x := &cpu.X86
	switch {
	case !x.HasAVX2 || !x.HasFMA || !x.HasBMI2:
		return portable
	case !x.HasAVX512F || !x.HasAVX512DQ || !x.HasAVX512BW || !x.HasAVX512VL:
		return avx2
	}
	return avx512
}

// choose returns the level named by the environment, where it names one that
// the machine has.
func choose(highest level, name string) level {
	for l := portable; l < highest; l++ {
		if l.String() == name {
			return l
		}
	}
	return highest
}
