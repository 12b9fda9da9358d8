//go:build amd64 && !noasm

package bitpack

import (
	"testing"

	"golang.org/x/sys/cpu"
)

func levels() []bool {
	if cpu.X86.HasBMI2 && cpu.X86.HasAVX {
		return []bool{false, true}
	}
	return []bool{false}
}

func setAssembly(tb testing.TB, on bool) {
	old := assembly
	assembly = on
	tb.Cleanup(func() { assembly = old })
}
