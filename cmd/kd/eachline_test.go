package main

import (
	"bufio"
	"bytes"
	"slices"
	"strings"
	"testing"
)

// writes notes what is written to it at once.
type writes []string

func (w *writes) Write(p []byte) (int, error) {
	*w = append(*w, string(p))
	return len(p), nil
}

// Slow work shows each line when it is done; other work shows many at once.
func TestEachLine(t *testing.T) {
	long := strings.Repeat("x", 3*chunkSize)
	upper := func() func(dst, line []byte) ([]byte, error) {
		return func(dst, line []byte) ([]byte, error) { return append(append(dst, bytes.ToUpper(line)...), '\n'), nil }
	}
	for _, test := range []struct {
		in   string
		how  lineReading
		want []string
	}{
		{"a\nb\r\n\nc", lineReading{threads: 1}, []string{"A\nB\n\n", "C\n"}},
		{"a\nb\r\n\nc", lineReading{threads: 1, single: true}, []string{"A\n", "B\n", "\n", "C\n"}},
		{"a\n" + long + "\nb", lineReading{threads: 1, single: true}, []string{"A\n", strings.ToUpper(long) + "\n", "B\n"}},
		{"\ufeffa\nb", lineReading{threads: 1}, []string{"A\n", "B\n"}},
		{"\ufeffa\nb", lineReading{threads: 1, single: true}, []string{"A\n", "B\n"}},
		{"", lineReading{threads: 1, single: true}, nil},
	} {
		var got writes
		if err := eachLine(t.Context(), bufio.NewWriter(&got), strings.NewReader(test.in), "in", test.how, upper); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%.20q, %+v: %d writes, %.60q", test.in, test.how, len(got), []string(got))
		}
	}
}
