package simd

import "testing"

// levels returns those this build and machine run, the portable one first.
func levels() []level {
	var list []level
	for l := portable; l <= highest(); l++ {
		list = append(list, l)
	}
	return list
}

// atLevels runs a test once a level.
func atLevels(t *testing.T, test func(t *testing.T)) {
	for _, l := range levels() {
		t.Run(l.String(), func(t *testing.T) {
			setLevel(t, l)
			test(t)
		})
	}
}

func TestLevel(t *testing.T) {
	for _, l := range levels() {
		setLevel(t, l)
		if got := Level(); got != l.String() {
			t.Errorf("Level() = %q at level %v", got, l)
		}
	}
}
