package gemm

import (
	"math/rand/v2"
	"testing"

	"github.com/kdcode/kdcode/internal/simd"
)

// levels returns those this build and machine run, the portable one first.
func levels() []level {
	all := []level{portable, avx2, avx512}
	for i, l := range all {
		if string(l) == simd.Level() {
			return all[:i+1]
		}
	}
	return all[:1]
}

func setLevel(tb testing.TB, l level) {
	before := active
	use := func(l level) { active, shape = l, geometries[l] }
	use(l)
	tb.Cleanup(func() { use(before) })
}

// atLevels runs a test once a level.
func atLevels(t *testing.T, test func(t *testing.T)) {
	for _, l := range levels() {
		t.Run(string(l), func(t *testing.T) {
			setLevel(t, l)
			test(t)
		})
	}
}

func TestLevel(t *testing.T) {
	if string(active) != simd.Level() {
		t.Errorf("the kernels are at level %q, those of simd at %q", active, simd.Level())
	}
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }
