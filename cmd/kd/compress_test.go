package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/ctxtest"
	"github.com/kdcode/kdcode/quantize"
	"github.com/kdcode/kdcode/vectors"
)

// inBlobs changes to an empty folder with in.txt in it, 300 vectors of width 12.
func inBlobs(t *testing.T) *vectors.Table {
	t.Helper()
	t.Chdir(t.TempDir())
	return writeBlobs(t, "in.txt", 300, 12)
}

// compressed runs kd compress --json and returns what it says.
func compressed(t *testing.T, args ...string) compressResult {
	t.Helper()
	r := kd(t, "", append(append([]string{"compress"}, args...), "--json")...)
	r.want(t, exitDone)
	var got compressResult
	r.object(t, &got)
	return got
}

func TestCompress(t *testing.T) {
	table := inBlobs(t)
	r := kd(t, "", "compress", "in.txt", "-o", "out.kd", "-K", "8", "-D", "4")
	r.quiet(t)
	if !strings.HasPrefix(r.stdout, "out.kd: 300 vectors of width 12 in ") || !strings.Contains(r.stdout, "K = 8, D = 4, sum, int8, effort normal, seed 1") {
		t.Errorf("%s", r.stdout)
	}
	kd(t, "", "check", "out.kd").quiet(t)
	if all := files(t); !slices.Equal(all, []string{"in.txt", "out.kd"}) {
		t.Errorf("left behind: %v", all)
	}
	got, err := kdcode.Open("out.kd")
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	// The error is what it says it is.
	var lost, total float64
	v := make([]float32, table.Dim)
	for id := range got.Len() {
		if symbol, err := got.Symbol(id); err != nil || symbol != table.Symbols[id] {
			t.Fatalf("symbol %d is %q, %v", id, symbol, err)
		}
		if err := got.Lookup(v, id); err != nil {
			t.Fatal(err)
		}
		for i, x := range table.Row(id) {
			lost += float64(x-v[i]) * float64(x-v[i])
			total += float64(x) * float64(x)
		}
	}
	m := got.Info().Metadata
	if want := fmt.Sprintf("%.6g", lost/total); m["relative_error"][:5] != want[:5] {
		t.Errorf("relative error %s instead of %s", m["relative_error"], want)
	}
	if lost/total > 0.1 {
		t.Errorf("relative error %g", lost/total)
	}
	for key, want := range map[string]string{"made_by": "kd compress", "source": "in.txt", "method": "kd sum", "effort": "normal", "seed": "1", "kdcode_version": moduleVersion()} {
		if m[key] != want {
			t.Errorf("metadata %s is %q instead of %q", key, m[key], want)
		}
	}
}

func TestCompressJSON(t *testing.T) {
	inBlobs(t)
	r := kd(t, "", "compress", "in.txt", "-o", "out.kd", "-K", "8", "-D", "4", "--effort", "fast", "--seed", "7", "--json")
	r.quiet(t)
	var names map[string]any
	if err := json.Unmarshal([]byte(r.stdout), &names); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"method", "n", "dim", "ways", "code_length", "code_dim", "composition", "relative_error", "mean_cosine",
		"neighbour_overlap_10", "bits", "ratio", "seconds", "digit_evenness", "shared_codes", "notes"} {
		if names[name] == nil {
			t.Errorf("%s is not in %s", name, r.stdout)
		}
	}
	var got compressResult
	r.object(t, &got)
	stat, err := os.Stat("out.kd")
	if err != nil {
		t.Fatal(err)
	}
	want := infoBits{Codes: 300 * 16, Parameters: 8*4*12*8 + 4*32, Full: 300 * 12 * 32, Symbols: got.Bits.Symbols}
	if got.Bits != want || got.Ratio != float64(want.Full)/float64(want.Codes+want.Parameters) {
		t.Errorf("%+v, ratio %g", got.Bits, got.Ratio)
	}
	if got.N != 300 || got.Dim != 12 || got.Ways != 8 || got.CodeLength != 4 || got.CodeDim != 12 || got.Composition != "sum" || got.Effort != "fast" || got.Seed != 7 || got.FileBytes != stat.Size() {
		t.Errorf("%+v", got)
	}
	if e := got.DigitEvenness; !(e.Min > 0 && e.Min <= e.Mean && e.Mean <= 1) || got.DistinctCodes > 300 || got.SharedCodes > 300 {
		t.Errorf("%+v", got)
	}
	if f := got.Fidelity; !(f.RelativeError > 0 && f.RelativeError < 0.1 && f.MeanCosine > 0.9 && f.NeighbourOverlap > 0.2) {
		t.Errorf("%+v", f)
	}
}

// The same seed gives the same bytes, whatever the table is read from.
func TestCompressSameBytes(t *testing.T) {
	table := inBlobs(t)
	writeTable(t, "in.npy", table)
	if err := vectors.WriteSymbols("symbols.txt", table.Symbols); err != nil {
		t.Fatal(err)
	}
	shape := []string{"-K", "8", "-D", "4", "--threads", "2"}
	make := func(out string, args ...string) string {
		t.Helper()
		args = append(append([]string{"compress", "-o", out}, args...), shape...)
		kd(t, "", args...).quiet(t)
		return readText(t, out)
	}
	first := make("a.kd", "in.txt")
	if make("b.kd", "in.txt") != first {
		t.Error("two runs differ")
	}
	if make("c.kd", "in.txt", "--seed", "2") == first {
		t.Error("two seeds make the same file")
	}
	inMemory := make("d.kd", "in.npy", "--symbols", "symbols.txt")
	if make("e.kd", "in.npy", "--symbols", "symbols.txt", "--memory", "1GB") != inMemory {
		t.Error("with and without a limit on memory the files differ")
	}
	streamed(t, "f.kd", "in.npy", "symbols.txt")
	if readText(t, "f.kd") != inMemory {
		t.Error("read into memory and left on disk differ")
	}
	kd(t, "", "compress", "in.npy", "-o", "f.kd", "--memory", "20k").want(t, exitData, "in.npy: ", "memory")
	kd(t, "", "compress", "in.txt", "-o", "f.kd", "--memory", "20k").want(t, exitData, "in.txt: ", "kd convert in.txt t.npy")
	kd(t, readText(t, "in.txt"), "compress", "-", "-o", "g.kd", "-K", "8", "-D", "4").quiet(t)
}

// streamed compresses a table that is left on disk, as if it were too large for
// memory.
func streamed(t *testing.T, out, path, symbols string) {
	t.Helper()
	s := newStreams(t.Context(), strings.NewReader(""), io.Discard, io.Discard)
	o := compressOptions{
		in: path, out: out, input: vectorsInput{symbols: symbols}, k: 8, d: 4, compose: string(codefile.Sum), dtype: string(defaultDType),
		learning: learningOptions{effort: "normal", seed: 1, threads: 2},
	}
	in, err := o.input.openSource(t.Context(), s, path, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if in.held > 0 {
		t.Fatal("the table is in memory")
	}
	c := compressor{s: s, o: o, in: in}
	if err := c.prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := c.run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestCompressChoices(t *testing.T) {
	inBlobs(t)
	writeText(t, "w.txt", strings.Repeat("1\n2\n3\n", 100))
	writeText(t, "byword.txt", "w0 5\nw1 3\n")
	for _, args := range []string{
		"--compose affine --code-dim 4", "--compose affine", "--compose concat", "--dtype float16", "--dtype float32",
		"--weights rank", "--weights w.txt", "--effort fast", "--effort best", "--threads 1",
	} {
		t.Run(args, func(t *testing.T) {
			os.Remove("out.kd")
			got := compressed(t, append(strings.Fields(args), "in.txt", "-o", "out.kd", "-K", "8", "-D", "4")...)
			if !(got.RelativeError > 0 && got.RelativeError < 0.2) || len(got.Notes) > 0 {
				t.Errorf("%+v", got)
			}
			kd(t, "", "check", "out.kd").quiet(t)
			for _, choice := range []string{"concat", "float16", "float32", "best", "fast"} {
				if strings.Contains(args, choice) && got.Composition != choice && got.DType != choice && got.Effort != choice {
					t.Errorf("%+v", got)
				}
			}
			if strings.Contains(args, "--code-dim") && (got.Composition != "affine" || got.CodeDim != 4) {
				t.Errorf("%+v", got)
			}
		})
	}
	r := kd(t, "", "compress", "in.txt", "-o", "out.kd", "-K", "8", "-D", "4", "--weights", "byword.txt")
	r.want(t, exitDone)
	if want := "kd: in.txt: 298 of 300 symbols without a weight in byword.txt get the smallest that is there\n"; r.stderr != want {
		t.Errorf("%q", r.stderr)
	}
	var info codesInfo
	kd(t, "", "info", "out.kd", "--json").object(t, &info)
	if info.Metadata["weights"] != "byword.txt" {
		t.Errorf("%v", info.Metadata)
	}
}

// Weights make the rows that have them better.
func TestCompressWeights(t *testing.T) {
	table := inBlobs(t)
	first := func(args ...string) float64 {
		compressed(t, append(args, "in.txt", "-o", "out.kd", "-K", "4", "-D", "2")...)
		got, err := kdcode.Open("out.kd")
		if err != nil {
			t.Fatal(err)
		}
		defer got.Close()
		lost := 0.0
		v := make([]float32, table.Dim)
		for id := range 10 {
			if err := got.Lookup(v, id); err != nil {
				t.Fatal(err)
			}
			for i, x := range table.Row(id) {
				lost += float64(x-v[i]) * float64(x-v[i])
			}
		}
		return lost
	}
	writeText(t, "w.txt", strings.Repeat("1000\n", 10)+strings.Repeat("1\n", 290))
	if plain, weighted := first(), first("--weights", "w.txt"); weighted > 0.8*plain {
		t.Errorf("%g without weights, %g with", plain, weighted)
	}
}

func TestCompressAsked(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, shape := range []struct{ n, dim int }{{300, 12}, {600, 24}, {1000, 5}} {
		writeBlobs(t, "in.txt", shape.n, shape.dim)
		size := 4*shape.n*shape.dim/2 + 30*shape.n // half the table, and the symbols
		got := compressed(t, "in.txt", "-o", "out.kd", "--effort", "fast", "--target-size", fmt.Sprint(size))
		if got.FileBytes > int64(size) {
			t.Errorf("%v: %d bytes instead of %d", shape, got.FileBytes, size)
		}
		const most = 0.1
		got = compressed(t, "in.txt", "-o", "out.kd", "--effort", "fast", "--max-error", fmt.Sprint(most))
		if got.RelativeError > most || got.RelativeError < most/4 {
			t.Errorf("%v: error %g instead of %g", shape, got.RelativeError, most)
		}
	}
	os.Remove("out.kd")
	kd(t, "", "compress", "in.txt", "-o", "out.kd", "--target-size", "500").want(t, exitFailed, "in.txt: target cannot be reached: ")
	if all := files(t); !slices.Equal(all, []string{"in.txt"}) {
		t.Errorf("left behind: %v", all)
	}
}

func TestCompressBadInput(t *testing.T) {
	t.Chdir(t.TempDir())
	line := "1 2 3\n"
	writeText(t, "nan.txt", "a 1 2 3\nb 1 nan 3\nc 1 2 3\n")
	writeText(t, "inf.txt", "a 1 2 3\nb 1 2 3\nc 1 2 -inf\n")
	writeText(t, "empty.txt", "")
	writeText(t, "few.txt", "a "+line+"b 3 2 1\nc 5 1 2\n")
	writeText(t, "text.txt", "this is no table\n")
	write(t, "t.kd", model())
	whole := readText(t, "t.kd")
	writeText(t, "damaged.kd", whole[:len(whole)-3]+"xyz")
	writeText(t, "short.kd", whole[:len(whole)-3])
	writeText(t, "packed.kd", gzipped(t, whole))
	writeText(t, "named.kd", readText(t, "few.txt"))
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"nan.txt -o out.kd -K 2 -D 2", exitData, `nan.txt: table cannot be compressed: row 2 ("b") has the value NaN in column 2`},
		{"nan.txt -o out.kd --max-error 0.1", exitData, `row 2 ("b")`},
		{"inf.txt -o out.kd -K 2 -D 2", exitData, `row 3 ("c") has the value -Inf in column 3`},
		{"empty.txt -o out.kd", exitData, "empty.txt: "},
		{"few.txt -o out.kd", exitData, "few.txt: table cannot be compressed: 3 vectors are fewer than K = 32"},
		{"few.txt -o out.kd -K 2 --compose concat -D 2", exitData, "take a D that divides 3"},
		{"few.txt -o out.kd -K 2 --compose affine --code-dim 3", exitData, "narrower"},
		{"text.txt -o out.kd", exitData, "text.txt"},
		{"missing.txt -o out.kd", exitFailed, "missing.txt: no such file"},
		{"t.kd -o out.kd", exitData, "t.kd: table cannot be compressed: 9 vectors are fewer than K = 32"},
		{"t.kd -o out.kd --dim 4", exitUsage, "t.kd is a code file"},
		{"- -o out.kd", exitData, "stdin"},
		{"damaged.kd -o out.kd -K 2", exitData, "damaged.kd: "},
		{"short.kd -o out.kd -K 2", exitData, "short.kd: "},
		{"packed.kd -o out.kd", exitData, "packed.kd: a gzipped code file"},
		{"named.kd -o out.kd", exitData, "named.kd: table cannot be compressed: 3 vectors are fewer than K = 32"},
		{"few.txt -o missing/out.kd -K 2", exitFailed, "missing"},
		{"few.txt -o few.txt -K 2", exitUsage, "few.txt would replace the input"},
		{"few.txt -o out.kd -K 2 --weights missing.txt", exitFailed, "missing.txt: no such file"},
		{"few.txt -o out.kd -K 2 --weights text.txt", exitData, "text.txt:1: "},
		{"few.txt -o out.kd -K 2 --dim 7", exitData, "few.txt"},
	} {
		t.Run(test.args, func(t *testing.T) {
			kd(t, "", append([]string{"compress"}, strings.Fields(test.args)...)...).want(t, test.code, test.want)
		})
	}
	if all := files(t); len(all) != 10 {
		t.Errorf("left behind: %v", all)
	}
}

func TestCompressNotes(t *testing.T) {
	table := inBlobs(t)
	clear(table.Row(3))
	copy(table.Row(5), slices.Repeat([]float32{2}, 12))
	table.Symbols[7] = "w0"
	writeTable(t, "in.txt", table)
	r := kd(t, "", "compress", "in.txt", "-o", "out.kd", "-K", "3", "-D", "2", "--json")
	r.want(t, exitDone)
	var got compressResult
	r.object(t, &got)
	if got.N != 299 || got.SharedCodes < 290 {
		t.Errorf("%+v", got)
	}
	for i, want := range []string{"left 1 row out", `row 4 ("w3")`, `row 6 ("w5")`, "K = 3 and D = 2 give 9 codes"} {
		if !strings.Contains(r.stderr, want) || !strings.Contains(got.Notes[i], want) {
			t.Errorf("%q, %q lack %q", r.stderr, got.Notes, want)
		}
	}
	if lines := strings.Count(r.stderr, "kd: in.txt: "); lines != 4 {
		t.Errorf("%d notes: %q", lines, r.stderr)
	}
}

// Wherever Ctrl-C comes, there is no OUT, and --resume goes on to the same
// bytes as without it.
func TestCompressInterrupted(t *testing.T) {
	inBlobs(t)
	args := []string{"compress", "in.txt", "-K", "8", "-D", "4", "--threads", "2", "-o"}
	kd(t, "", append(args, "whole.kd")...).quiet(t)
	resumed := 0
	for n := 1; ; n += 1 + n/4 {
		var stdout, stderr bytes.Buffer
		code := run(ctxtest.Countdown(t, n), append(args, "out.kd"), strings.NewReader(""), &stdout, &stderr)
		if code == exitDone {
			break
		}
		if code != exitInterrupted || stdout.Len() > 0 {
			t.Fatalf("exit code %d, stdout %q, stderr %q", code, stdout.String(), stderr.String())
		}
		all := files(t)
		if slices.Contains(all, "out.kd") {
			t.Fatalf("there is an output: %v", all)
		}
		if !slices.Contains(all, ".out.kd.checkpoint") {
			if stderr.String() != "kd: interrupted\n" || len(all) != 2 {
				t.Fatalf("stderr %q, files %v", stderr.String(), all)
			}
			continue
		}
		if want := "kd: interrupted; what was learned is kept: go on with the same command and --resume\n"; stderr.String() != want {
			t.Errorf("stderr %q", stderr.String())
		}
		kd(t, "", append(args, "out.kd", "--resume")...).quiet(t)
		if readText(t, "out.kd") != readText(t, "whole.kd") {
			t.Errorf("after %d steps and --resume the file is another", n)
		}
		resumed++
		if all := files(t); len(all) != 3 {
			t.Errorf("left behind: %v", all)
		}
		if err := os.Remove("out.kd"); err != nil {
			t.Fatal(err)
		}
	}
	if resumed == 0 {
		t.Error("no run left a checkpoint")
	}
}

// Nothing to go on from is no error: a script may always pass --resume.
func TestCompressResumesNothing(t *testing.T) {
	inBlobs(t)
	kd(t, "", strings.Fields("compress in.txt -o out.kd -K 8 -D 4 --resume")...).want(t, exitDone, "kd: .out.kd.checkpoint: there is no checkpoint to go on from: begins anew\n")
	kd(t, "", strings.Fields("compress in.txt -o other.kd -K 8 -D 4")...).quiet(t)
	if readText(t, "out.kd") != readText(t, "other.kd") {
		t.Error("other bytes")
	}
}

func TestCompressBeginsAnew(t *testing.T) {
	inBlobs(t)
	writeText(t, ".out.kd.checkpoint", "not a checkpoint at all")
	args := []string{"compress", "in.txt", "-o", "out.kd", "-K", "8", "-D", "4"}
	if r := kd(t, "", append(args, "--resume")...); r.code == exitDone {
		t.Errorf("went on from nothing: %+v", r)
	}
	r := kd(t, "", args...)
	r.want(t, exitDone)
	if !strings.Contains(r.stderr, "begins anew") {
		t.Errorf("%q", r.stderr)
	}
	if all := files(t); len(all) != 2 {
		t.Errorf("left behind: %v", all)
	}
}

func TestCompressCompare(t *testing.T) {
	inBlobs(t)
	got := compressed(t, "in.txt", "-o", "out.kd", "-K", "8", "-D", "4", "--effort", "fast", "--compare", "--plot", "chart.png")
	if len(got.Compare) < 5 || got.Compare[0].Method != "kd sum" || got.Compare[0].Fidelity != got.Fidelity || got.Compare[0].Bits != got.Bits.Codes+got.Bits.Parameters {
		t.Errorf("%+v", got.Compare)
	}
	for _, c := range got.Compare {
		if c.Method == "" || c.Bits <= 0 || c.Ratio != float64(got.Bits.Full)/float64(c.Bits) || !(c.RelativeError >= 0) {
			t.Errorf("%+v", c)
		}
	}
	if text := readText(t, "chart.png"); !strings.HasPrefix(text, "\x89PNG") {
		t.Errorf("no picture: %q", text[:min(20, len(text))])
	}
	r := kd(t, "", "compress", "in.txt", "-o", "out.kd", "-K", "8", "-D", "4", "--effort", "fast", "--compare")
	r.quiet(t)
	if !strings.Contains(r.stdout, "\nmethod ") || !strings.Contains(r.stdout, "\nkd sum ") {
		t.Errorf("%s", r.stdout)
	}
	if all := files(t); !slices.Equal(all, []string{"chart.png", "in.txt", "out.kd"}) {
		t.Errorf("left behind: %v", all)
	}
}

func TestCompressReport(t *testing.T) {
	r := compressResult{
		File: "glove.kd", FileBytes: 750_123, Source: "glove.txt", Method: "kd sum", N: 10_000, Dim: 100, Ways: 32, CodeLength: 32, CodeDim: 100,
		Composition: string(codefile.Sum), DType: string(codefile.Float32), Effort: "normal", Seed: 1,
		Fidelity: quantize.Fidelity{RelativeError: 0.0671, MeanCosine: 0.9653, NeighbourOverlap: 0.7812},
		Bits:     infoBits{1_600_000, 3_276_800, 1_112_424, 32_000_000}, Ratio: 6.5617,
		DigitEvenness: digitEvenness{0.953, 0.98}, SharedCodes: 12, DistinctCodes: 9_994, Seconds: 4.21, TotalSeconds: 5.6,
	}
	var b bytes.Buffer
	r.print(&b)
	golden(t, "compress", b.String())
	b.Reset()
	r.Compare = []rateAndError{
		r.ours(),
		{"product", 4_000_000, 8, quantize.Fidelity{RelativeError: 0.114, MeanCosine: 0.9, NeighbourOverlap: 0.7}, 3.6},
		{"scalar 8 bits", 8_006_400, 3.9968, quantize.Fidelity{RelativeError: 0.00008, MeanCosine: 0.99999, NeighbourOverlap: 0.99}, 0.02},
	}
	r.print(&b)
	golden(t, "compress-compare", b.String())
}

func TestCompressPlot(t *testing.T) {
	t.Chdir(t.TempDir())
	measured := []rateAndError{
		{"kd sum", 100, 1, quantize.Fidelity{RelativeError: 0.1}, 0},
		{"scalar 8 bits", 800, 1, quantize.Fidelity{RelativeError: 0.001}, 0},
		{"kd sum", 50, 1, quantize.Fidelity{RelativeError: 0.2}, 0},
		{"scalar 4 bits", 400, 1, quantize.Fidelity{RelativeError: 0.01}, 0},
		{"scalar 8 bits", 800, 1, quantize.Fidelity{RelativeError: 0.001}, 0},
		{"perfect", 900, 1, quantize.Fidelity{}, 0},
	}
	lines := curves(measured, 10)
	var names []string
	for _, c := range lines {
		names = append(names, fmt.Sprintf("%s %d", c.method, len(c.points)))
		for i, at := range c.points {
			if !(at.Y > 0) || math.IsInf(at.X, 0) || i > 0 && at.X <= c.points[i-1].X {
				t.Errorf("%s: %v", c.method, c.points)
			}
		}
	}
	if !slices.Equal(names, []string{"kd sum 2", "scalar 2", "perfect 1"}) {
		t.Errorf("%q", names)
	}
	for name, begin := range map[string]string{"a.png": "\x89PNG", "a.svg": "<?xml"} {
		if err := drawComparison(name, "in.txt", 10, 4, measured); err != nil {
			t.Fatal(err)
		}
		if text := readText(t, name); !strings.HasPrefix(text, begin) || strings.HasSuffix(name, "svg") && !strings.Contains(text, "kd sum") {
			t.Errorf("%s: %q", name, text[:min(50, len(text))])
		}
		// One point alone must do too.
		if err := drawComparison(name, "in.txt", 10, 4, measured[:1]); err != nil {
			t.Error(err)
		}
	}
}

// A run that chose K and D itself goes on with the same choice.
func TestCompressAskedInterrupted(t *testing.T) {
	inBlobs(t)
	args := []string{"compress", "in.txt", "--target-size", "9kB", "--threads", "2", "-o"}
	kd(t, "", append(args, "whole.kd")...).quiet(t)
	// The last rounds are learned long after the trials that choose.
	low, high := 1, 2
	interrupt := func(n int) int {
		os.Remove("out.kd")
		return run(ctxtest.Countdown(t, n), append(args, "out.kd"), strings.NewReader(""), io.Discard, io.Discard)
	}
	for interrupt(high) != exitDone {
		low, high = high, 2*high
	}
	for {
		if low >= high-1 {
			t.Fatal("no run left a checkpoint")
		}
		n := (low + high) / 2
		if interrupt(n) == exitDone {
			high = n
			continue
		}
		low = n
		if slices.Contains(files(t), ".out.kd.checkpoint") {
			break
		}
	}
	kd(t, "", append(args, "out.kd", "--resume")...).quiet(t)
	if readText(t, "out.kd") != readText(t, "whole.kd") {
		t.Error("after --resume the file is another")
	}
}
