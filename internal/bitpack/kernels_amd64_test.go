//go:build amd64 && !noasm

package bitpack

import (
	"os"
	"testing"
)

func levels() []string { return []string{"portable", "bmi2", "vbmi"}[:supported()+1] }

// setLevel makes Unpack use the kernels of a level until the test ends.
func setLevel(tb testing.TB, name string) {
	old := active
	active = map[string]level{"portable": portable, "bmi2": bmi2, "vbmi": vbmi}[name]
	tb.Cleanup(func() { active = old })
}

// TestAssemblyRuns calls the kernels themselves, and holds that Unpack uses the
// best of them unless it is told not to.
func TestAssemblyRuns(t *testing.T) {
	if os.Getenv("KDCODE_SIMD") == "" && !slowDeposit() && active != supported() {
		t.Errorf("level %d is in use, %d is supported", active, supported())
	}
	src := []byte("thirty-two bytes, for 16 digits.")
	check := func(name string, w int, dst []uint16) {
		for j, got := range dst {
			if want := reference(src, j, w); got != want {
				t.Errorf("%s: digit %d is %d, want %d", name, j, got, want)
			}
		}
	}
	var dst [16]uint16
	if supported() >= bmi2 {
		unpackBytes(&dst[0], 16, &src[0], len(src), 5)
		check("unpackBytes", 5, dst[:])
		unpackWords(&dst[0], 16, &src[0], len(src), 13)
		check("unpackWords", 13, dst[:])
	}
	if supported() >= vbmi {
		unpackVBMI(&dst[0], 16, &src[0], 7, 0, new(int), 1)
		check("unpackVBMI", 7, dst[:])
	}
}
