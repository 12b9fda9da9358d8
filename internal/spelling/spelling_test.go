package spelling

import (
	"context"
	"slices"
	"testing"
)

func TestEdits(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"cat", "cat", 0},
		{"cat", "cats", 1},
		{"cat", "at", 1},
		{"cat", "cut", 1},
		{"cat", "cta", 1}, // swapped
		{"tuedsay", "tuesday", 1},
		{"cat", "act", 1},
		{"café", "cafe", 1},
		{"cat", "dog", 3},
		{"kitten", "sitting", 3},
		{"abcdef", "badcfe", 3},
		{"", "ab", 2},
		{"", "abc", 3},
		{"abcd", "bacdx", 2},
	} {
		var d distance
		for range 2 { // its memory is used again
			if got := d.edits([]rune(test.a), test.b); got != test.want {
				t.Errorf("%q to %q: %d edits, want %d", test.a, test.b, got, test.want)
			}
			if got := d.edits([]rune(test.b), test.a); got != test.want {
				t.Errorf("%q to %q: %d edits, want %d", test.b, test.a, got, test.want)
			}
		}
	}
}

func TestNearest(t *testing.T) {
	symbols := slices.All([]string{"the", "cat", "Dog", "cats", "cut", "bat", "a", "tuesday"})
	for _, test := range []struct {
		symbol string
		want   []string
	}{
		{"cta", []string{"cat"}},
		{"dog", []string{"Dog"}},
		{"catt", []string{"cat", "cats", "cut"}},
		{"tuedsay", []string{"tuesday"}},
		{"zzzzzz", nil},
		{"", nil},
	} {
		got, err := Nearest(t.Context(), symbols, test.symbol)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, %v instead of %q", test.symbol, got, err, test.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Nearest(ctx, symbols, "cat"); err == nil {
		t.Error("goes on after its context has ended")
	}
}
