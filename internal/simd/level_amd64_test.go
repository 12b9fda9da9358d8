//go:build amd64 && !noasm

package simd

import "testing"

func highest() level { return supported() }

// setLevel makes kernels run at level l until the test ends. Tests that use it
// are not parallel.
func setLevel(tb testing.TB, l level) {
	old := active
	active = l
	tb.Cleanup(func() { active = old })
}

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		highest level
		name    string
		want    level
	}{
		{avx512, "", avx512},
		{avx512, "avx512", avx512},
		{avx512, "avx2", avx2},
		{avx512, "portable", portable},
		{avx2, "avx512", avx2},
		{portable, "avx512", portable},
		{avx512, "no such level", avx512},
	} {
		if got := choose(c.highest, c.name); got != c.want {
			t.Errorf("choose(%v, %q) = %v, want %v", c.highest, c.name, got, c.want)
		}
	}
}
