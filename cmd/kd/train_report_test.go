package main

import "testing"

// What is larger than the full table is not called smaller.
func TestTimesSmaller(t *testing.T) {
	for ratio, want := range map[float64]string{
		85.2: "85.2 times smaller", 1: "1.0 times smaller", 0.96: "1.0 times smaller", 0.94: "1.1 times larger", 0.16: "6.2 times larger",
	} {
		if got := timesSmaller(ratio); got != want {
			t.Errorf("%g: %s, want %s", ratio, got, want)
		}
	}
}
