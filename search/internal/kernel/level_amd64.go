//go:build amd64 && !noasm

package kernel

import (
	"golang.org/x/sys/cpu"

	"github.com/kdcode/kdcode/internal/simd"
)

// supported returns the highest level of this machine, or of KDCODE_SIMD.
func supported() level {
	switch simd.Level() {
	case "avx512":
		if cpu.X86.HasAVX512VBMI {
			return vbmi
		}
		return avx512
	case "avx2":
		return avx2
	}
	return portable
}
