package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/quantize"
)

// allRows reads a source to its end, in pieces.
func allRows(t *testing.T, src quantize.Source) []float32 {
	t.Helper()
	all := make([]float32, src.Len()*src.Dim())
	for first := 0; first < src.Len(); first += 3 {
		n := min(3, src.Len()-first)
		if err := src.Rows(all[first*src.Dim():][:n*src.Dim()], first, n); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// A table is the same in memory, on disk, and as the code file it comes from.
func TestSources(t *testing.T) {
	inFolder(t)
	want := expected(t)
	kd(t, "", "convert", "t.kd", "t.npy", "--write-symbols").quiet(t)
	kd(t, "", "convert", "t.kd", "t.safetensors").quiet(t)
	kd(t, "", "convert", "t.kd", "t.txt").quiet(t)
	s := newStreams(t.Context(), strings.NewReader(""), io.Discard, io.Discard)
	const table = 9 * 4 * 4 // bytes
	for _, test := range []struct {
		path     string
		symbols  string
		memory   int64
		inMemory bool
	}{
		{"t.txt", "", 0, true},
		{"t.txt", "", 2 * table, true},
		{"t.npy", "t.npy.symbols.txt", 0, true},
		{"t.npy", "t.npy.symbols.txt", 2 * table, true},
		{"t.npy", "t.npy.symbols.txt", 2*table - 2, false},
		{"t.npy", "", 1, false},
		{"t.safetensors", "", 0, true},
		{"t.safetensors", "t.npy.symbols.txt", 1, false},
		{"t.kd", "", 0, true},
		{"t.kd", "", 1, false},
	} {
		v := vectorsInput{symbols: test.symbols}
		in, err := v.openSource(t.Context(), s, test.path, test.memory)
		if err != nil {
			t.Fatalf("%+v: %v", test, err)
		}
		if _, got := in.Source.(quantize.Matrix); got != test.inMemory {
			t.Errorf("%+v: %d bytes in memory", test, in.held)
		}
		if !slices.Equal(allRows(t, in), want.Data) || in.name != test.path {
			t.Errorf("%+v: other rows", test)
		}
		if named := test.symbols != "" || test.path == "t.txt" || test.path == "t.kd"; named && !slices.Equal(in.symbols, want.Symbols) || !named && in.symbols != nil {
			t.Errorf("%+v: symbols %q", test, in.symbols)
		}
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	}
	codes, err := kdcode.Open("t.kd")
	if err != nil {
		t.Fatal(err)
	}
	defer codes.Close()
	if !slices.Equal(allRows(t, codeSource{codes}), want.Data) {
		t.Error("the code file has other rows")
	}
}

func TestSourceErrors(t *testing.T) {
	inFolder(t)
	kd(t, "", "convert", "t.kd", "t.txt").quiet(t)
	kd(t, "", "convert", "t.kd", "t.npy").quiet(t)
	kd(t, "", "convert", "t.kd", "t.npy.gz").quiet(t)
	writeText(t, "twice.txt", "a\nb\nc\na\nd\ne\nf\ng\nh\n")
	writeText(t, "empty.txt", "")
	s := newStreams(t.Context(), strings.NewReader(""), io.Discard, io.Discard)
	for _, test := range []struct {
		path, symbols string
		memory        int64
		code          int
		want          string
	}{
		{"t.txt", "", 100, exitData, "first make an array of it: kd convert t.txt t.npy"},
		{"t.npy.gz", "", 100, exitData, "first make an array of it"},
		{"t.npy", "twice.txt", 100, exitData, "its symbol is that of an earlier row"},
		{"empty.txt", "", 0, exitData, "empty.txt"},
		{"empty.txt", "", 100, exitData, "empty.txt"},
		{"missing.txt", "", 0, exitFailed, "missing.txt"},
	} {
		v := vectorsInput{symbols: test.symbols}
		_, err := v.openSource(t.Context(), s, test.path, test.memory)
		if err == nil || exitCode(err) != test.code || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v", test, err)
		}
	}
	v := vectorsInput{symbols: "twice.txt"}
	in, err := v.openSource(t.Context(), s, "t.npy", 0)
	if err != nil || in.Len() != 8 || len(in.notes) != 1 || !strings.Contains(in.notes[0], "left 1 row out") {
		t.Errorf("%+v, %v", in, err)
	}
	for _, memory := range []int64{0, 1, 1000} {
		for _, path := range []string{"t.npy", "t.txt"} {
			v := vectorsInput{}
			if path == "t.npy" {
				v.symbols = "twice.txt"
			}
			if _, err := v.openSource(interrupted(t), s, path, memory); exitCode(err) != exitInterrupted {
				t.Errorf("%s, memory %d: %v", path, memory, err)
			}
		}
	}
}
