package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/vectors"
)

// expected returns the vectors of t.kd.
func expected(t *testing.T) *vectors.Table {
	t.Helper()
	table, err := kdcode.Open("t.kd")
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	v := &vectors.Table{Dim: table.Dim(), Data: make([]float32, table.Len()*table.Dim())}
	for id, symbol := range table.Symbols() {
		v.Symbols = append(v.Symbols, symbol)
		if err := table.Lookup(v.Data[id*v.Dim:][:v.Dim], id); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

// A code file becomes any format, and that any other, and stays the same.
func TestConvertFormats(t *testing.T) {
	inFolder(t)
	want := expected(t)
	want.Symbols[7] = "new_york" // not every format has words with spaces
	m := model()
	m.Symbols[7] = "new_york"
	write(t, "t.kd", m)
	names := []string{"a.txt", "a.vec", "a.bin", "a.npy", "a.safetensors", "a.txt.gz", "a.vec.gz", "a.bin.gz", "a.npy.gz", "a.safetensors.gz"}
	for _, name := range names {
		args := []string{"convert", "t.kd", name}
		if strings.Contains(name, "npy") || strings.Contains(name, "safetensors") {
			args = append(args, "--write-symbols")
		}
		kd(t, "", args...).quiet(t)
	}
	for _, from := range names {
		for i, to := range names {
			to = fmt.Sprintf("b%d%s", i, strings.TrimPrefix(to, "a"))
			args := []string{"convert", from, to}
			if strings.Contains(from, "npy") || strings.Contains(from, "safetensors") {
				args = append(args, "--symbols", from+".symbols.txt")
			}
			bare := strings.Contains(to, "npy") || strings.Contains(to, "safetensors")
			if bare {
				args = append(args, "--write-symbols")
			}
			kd(t, "", args...).quiet(t)
			opts := vectors.Options{}
			if bare {
				opts.Symbols = to + ".symbols.txt"
			}
			got, err := vectors.ReadAll(to, opts)
			if err != nil {
				t.Fatalf("%s to %s: %v", from, to, err)
			}
			if got.Dim != want.Dim || !slices.Equal(got.Data, want.Data) || !slices.Equal(got.Symbols, want.Symbols) {
				t.Errorf("%s to %s: %v %v", from, to, got.Symbols, got.Data)
			}
		}
	}
}

func TestConvertText(t *testing.T) {
	inFolder(t)
	r := kd(t, "", "convert", "t.kd", "out.npy")
	r.quiet(t)
	golden(t, "convert", r.stdout)
	if _, err := os.Stat("out.npy.symbols.txt"); !errors.Is(err, os.ErrNotExist) {
		t.Error("symbols were written without --write-symbols")
	}
	r = kd(t, "", "convert", "t.kd", "out.npy", "--write-symbols")
	r.quiet(t)
	golden(t, "convert-symbols", r.stdout)

	writeText(t, "twice.txt", "a 1 2\nb 3 4\na 5 6\n")
	r = kd(t, "", "convert", "twice.txt", "once.vec")
	r.quiet(t)
	golden(t, "convert-duplicates", r.stdout)
	// The count is not known before the end: its place is filled up with spaces.
	if got, want := strings.TrimLeft(readText(t, "once.vec"), " "), "2 2\na 1 2\nb 3 4\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestConvertJSON(t *testing.T) {
	inFolder(t)
	var got convertResult
	r := kd(t, "", "convert", "t.kd", "out.npy", "--write-symbols", "--dtype", "float16", "--json")
	r.quiet(t)
	r.object(t, &got)
	stat, err := os.Stat("out.npy")
	if err != nil {
		t.Fatal(err)
	}
	want := convertResult{In: "t.kd", Out: "out.npy", From: "kd", To: "npy", N: 9, Dim: 4, Bytes: stat.Size(), DType: "float16", SymbolsFile: "out.npy.symbols.txt"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestConvertStreams(t *testing.T) {
	inFolder(t)
	r := kd(t, "", "convert", "t.kd", "-", "--to", "glove")
	r.quiet(t)
	if r.stdout != kd(t, "", "lookup", "t.kd", "--id", "0", "1", "2", "3", "4", "5", "6", "7", "8").stdout {
		t.Errorf("%q", r.stdout)
	}
	r = kd(t, "a 1 2\nb 3 4\n", "convert", "-", "-", "--to", "glove")
	r.quiet(t)
	if r.stdout != "a 1 2\nb 3 4\n" {
		t.Errorf("%q", r.stdout)
	}
	writeText(t, "in.txt", "a 1 2\nb 3 4\n")
	r = kd(t, "", "convert", "in.txt", "-", "--to", "fasttext")
	r.quiet(t)
	if r.stdout != "2 2\na 1 2\nb 3 4\n" {
		t.Errorf("%q", r.stdout)
	}
}

func TestConvertCodeFile(t *testing.T) {
	inFolder(t)
	want := expected(t)
	for _, dtype := range names(codefile.DTypes) {
		kd(t, "", "convert", "t.kd", "out.kd", "--dtype", dtype).quiet(t)
		kd(t, "", "check", "out.kd").quiet(t)
		got, err := kdcode.Open("out.kd")
		if err != nil {
			t.Fatal(err)
		}
		if info := got.Info(); string(info.DType) != dtype || !info.HasSymbols || info.Metadata["made_by"] != "a test" || len(info.Tensors) != 1 {
			t.Errorf("%s: %+v", dtype, info)
		}
		v := make([]float32, got.Dim())
		for id := range got.Len() {
			if err := got.Lookup(v, id); err != nil {
				t.Fatal(err)
			}
			for i, x := range v {
				if d := math.Abs(float64(x - want.Row(id)[i])); d > 0.05 {
					t.Errorf("%s: vector %d, number %d: %g instead of %g", dtype, id, i, x, want.Row(id)[i])
				}
			}
		}
		got.Close()
	}
	kd(t, "", "convert", "t.kd", "bare.kd", "--no-symbols").quiet(t)
	kd(t, "", "lookup", "bare.kd", "cat").want(t, exitData, "no symbols")
	kd(t, "", "convert", "bare.kd", "out.txt").want(t, exitData, "bare.kd: the table has no symbols, which glove needs")
	kd(t, "", "convert", "bare.kd", "out.npy", "--write-symbols").want(t, exitData, "no symbols to write")
	kd(t, "", "convert", "bare.kd", "out.npy").quiet(t)

	// In place, under a name that does not tell.
	kd(t, "", "convert", "out.kd", "out.kd", "--dtype", "float32").quiet(t)
	kd(t, "", "convert", "out.kd", "codes", "--to", "kd").quiet(t)
	kd(t, "", "check", "out.kd", "codes").quiet(t)
}

func TestConvertFold(t *testing.T) {
	inFolder(t)
	write(t, "affine.kd", affineModel())
	var info codesInfo
	kd(t, "", "info", "affine.kd", "--json").object(t, &info)
	if info.Composition != codefile.Affine {
		t.Fatalf("the writer has folded the test's table: %+v", info)
	}
	kd(t, "", "convert", "affine.kd", "sum.kd", "--fold").quiet(t)
	kd(t, "", "info", "sum.kd", "--json").object(t, &info)
	if info.Composition != codefile.Sum {
		t.Errorf("%+v", info)
	}
	kd(t, "", "convert", "t.kd", "out.kd", "--fold").want(t, exitUsage, "only affine can be folded")
}

func TestConvertUsage(t *testing.T) {
	inFolder(t)
	writeText(t, "in.txt", "a 1 2\nb 3 4\n")
	kd(t, "", "convert", "in.txt", "in.npy").want(t, exitDone)
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"in.txt out.kd", exitUsage, "use kd compress in.txt -o out.kd"},
		{"in.txt out --to kd", exitUsage, "use kd compress"},
		{"in.txt out.xyz", exitUsage, "add --to"},
		{"in.txt out.txt --to xyz", exitUsage, "--to xyz: no such format; use one of kd, glove"},
		{"t.kd out.txt --symbols s.txt", exitUsage, "t.kd is a code file"},
		{"t.kd out.txt --fold", exitUsage, "for code files"},
		{"t.kd out.txt --write-symbols", exitUsage, "without symbols of their own"},
		{"t.kd out.txt --dtype int8", exitUsage, "--dtype"},
		{"t.kd out.kd --dtype float64", exitUsage, "float32, float16, int8"},
		{"t.kd - --to kd", exitUsage, "name a file"},
		{"t.kd - --to glove --json", exitUsage, "name a file"},
		{"in.txt out.npy --dim -1", exitUsage, "--dim -1"},
		{"missing.txt out.npy", exitFailed, "missing.txt: no such file"},
		{"in.npy out.txt", exitData, "name a file of them with --symbols"},
		{"in.npy out.txt --symbols in.txt.missing", exitFailed, "in.txt.missing: no such file"},
		{"in.txt missing/out.npy", exitFailed, "missing"},
	} {
		t.Run(test.args, func(t *testing.T) {
			kd(t, "", append([]string{"convert"}, strings.Fields(test.args)...)...).want(t, test.code, test.want)
		})
	}
	if all := files(t); len(all) != 3 {
		t.Errorf("left behind: %v", all)
	}
}

// What is damaged must not get new checksums.
func TestConvertDamaged(t *testing.T) {
	inFolder(t)
	damaged := []byte(readText(t, "t.kd"))
	damaged[len(damaged)-1] ^= 1
	writeText(t, "damaged.kd", string(damaged))
	for _, out := range []string{"out.kd", "out.txt"} {
		kd(t, "", "convert", "damaged.kd", out).want(t, exitData, "damaged.kd: damaged code file")
	}
	writeText(t, "bad.txt", "a 1 2\nb 3 4\nc x y\n")
	kd(t, "", "convert", "bad.txt", "out.npy").want(t, exitData, "bad.txt:3:")
	if all := files(t); len(all) != 3 {
		t.Errorf("left behind: %v", all)
	}
}

// endless delivers lines without end, and cancels on the way.
type endless struct {
	cancel context.CancelFunc
	reads  int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.reads++; e.reads == 10 {
		e.cancel()
	}
	line := fmt.Sprintf("word%d 1 2 3\n", e.reads)
	return copy(p, line), nil
}

func TestConvertInterrupted(t *testing.T) {
	inFolder(t)
	writeText(t, "out.npy", "the old one")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var stderr bytes.Buffer
	code := run(ctx, []string{"convert", "-", "out.npy"}, &endless{cancel: cancel}, io.Discard, &stderr)
	if code != exitInterrupted || stderr.String() != "kd: interrupted\n" {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
	if got := readText(t, "out.npy"); got != "the old one" {
		t.Errorf("the old file is now %q", got)
	}
	if all := files(t); len(all) != 2 {
		t.Errorf("left behind: %v", all)
	}
}
