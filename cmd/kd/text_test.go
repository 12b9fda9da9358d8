package main

import (
	"strings"
	"testing"
)

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 341479: "341,479", 13388800: "13,388,800", -1000: "-1,000", -100: "-100"} {
		if got := grouped(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestUnits(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1 kB", 999_400: "999 kB", 999_600: "1 MB", 6_829_580: "6.83 MB", 136_591_600: "137 MB", 2_500_000_000_000_000: "2.5e+03 TB"} {
		if got := units(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestClipped(t *testing.T) {
	forty := strings.Repeat("é", 40)
	for in, want := range map[string]string{"": "", "man king": "man king", forty: forty, forty + "x": forty + "…"} {
		if got := clipped(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

func TestQuoted(t *testing.T) {
	for symbol, want := range map[string]string{"cat": "cat", "naïve": "naïve", "new york": `"new york"`, "": `""`, "a\tb": `"a\tb"`, "\xff": `"\xff"`, "🐈": "🐈"} {
		if got := quoted(symbol); got != want {
			t.Errorf("%q: %s, want %s", symbol, got, want)
		}
	}
}
