package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// grouped writes n with commas: 341,479.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// units writes a number of bytes for a human eye: 6.83 MB.
func units(bytes int64) string {
	if bytes < 1000 {
		return fmt.Sprintf("%d B", bytes)
	}
	x := float64(bytes)
	for _, unit := range []string{"kB", "MB", "GB"} {
		if x /= 1000; x < 999.5 {
			return fmt.Sprintf("%.3g %s", x, unit)
		}
	}
	return fmt.Sprintf("%.3g TB", x/1000)
}

// quoted returns a symbol for a line of words: as it is, or in quotes where it
// would not look like one word.
func quoted(symbol string) string {
	odd := func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == unicode.ReplacementChar }
	if symbol == "" || strings.IndexFunc(symbol, odd) >= 0 {
		return strconv.Quote(symbol)
	}
	return symbol
}

// clipped returns text, or the beginning of one that is too long for a message.
func clipped(text string) string {
	const most = 40
	for n, at := 0, 0; at < len(text); n++ {
		if n == most {
			return text[:at] + "…"
		}
		_, width := utf8.DecodeRuneInString(text[at:])
		at += width
	}
	return text
}

// plural is "1 file", "2 files".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(int64(n)) + " " + noun + "s"
}
