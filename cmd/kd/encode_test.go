package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/quantize"
	"github.com/kdcode/kdcode/vectors"
)

// inEncode changes to a folder with in.txt, table.kd made of its first 200
// vectors, and new.txt: rows 150 to 299, of which the table has the first 50.
func inEncode(t *testing.T) {
	t.Helper()
	table := inBlobs(t)
	part := func(path string, from, to int) {
		writeTable(t, path, &vectors.Table{Dim: table.Dim, Symbols: table.Symbols[from:to], Data: table.Data[from*table.Dim : to*table.Dim]})
	}
	part("old.txt", 0, 200)
	part("new.txt", 150, 300)
	kd(t, "", "compress", "old.txt", "-o", "table.kd", "-K", "8", "-D", "4").quiet(t)
}

func openCodes(t *testing.T, path string) *kdcode.Table {
	t.Helper()
	table, err := kdcode.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { table.Close() })
	return table
}

func TestEncode(t *testing.T) {
	inEncode(t)
	r := kd(t, "", "encode", "table.kd", "new.txt", "-o", "out.kd", "--json")
	r.quiet(t)
	var got encodeResult
	r.object(t, &got)
	if got.N != 300 || got.Encoded != 150 || got.Changed != 50 || got.New != 100 || got.Dim != 12 || got.Source != "new.txt" {
		t.Errorf("%+v", got)
	}
	if got.TableError == nil || got.Worse == nil || *got.Worse != got.RelativeError / *got.TableError || got.Relearn != (*got.Worse >= 1.25) || got.RelativeError > 0.2 {
		t.Errorf("%+v", got)
	}
	kd(t, "", "check", "out.kd").quiet(t)
	old, out := openCodes(t, "table.kd"), openCodes(t, "out.kd")
	for id, symbol := range out.Symbols() {
		if want := fmt.Sprintf("w%d", id); symbol != want {
			t.Fatalf("symbol %d is %s", id, symbol)
		}
		if id < 150 && !slices.Equal(out.Code(nil, id), old.Code(nil, id)) {
			t.Fatalf("%s was not in new.txt, but has another code", symbol)
		}
	}
	if !slices.Equal(out.CodeEmbeddings(), old.CodeEmbeddings()) {
		t.Error("other code embeddings")
	}
	m := out.Info().Metadata
	if m["encoded_from"] != "new.txt" || m["encoded_vectors"] != "150" || m["relative_error"] != old.Info().Metadata["relative_error"] {
		t.Errorf("%v", m)
	}
	text := kd(t, "", "encode", "table.kd", "new.txt", "-o", "out.kd")
	text.quiet(t)
	if !strings.HasPrefix(text.stdout, "out.kd: 300 vectors of width 12, ") || !strings.Contains(text.stdout, "50 changed, 100 new") {
		t.Errorf("%s", text.stdout)
	}
}

// Vectors that the table was made of get codes that fit as well as the old.
func TestEncodeAgain(t *testing.T) {
	inEncode(t)
	var got encodeResult
	kd(t, "", "encode", "table.kd", "old.txt", "-o", "table.kd", "--json").object(t, &got)
	if got.Changed != 200 || got.New != 0 || *got.Worse > 1.05 || got.Relearn {
		t.Errorf("%+v", got)
	}
	kd(t, "", "check", "table.kd").quiet(t)
}

func TestEncodeOnlyNew(t *testing.T) {
	inEncode(t)
	var got encodeResult
	kd(t, "", "encode", "table.kd", "new.txt", "-o", "out.kd", "--only-new", "--json").object(t, &got)
	if got.N != 150 || got.New != 150 || got.Changed != 0 {
		t.Errorf("%+v", got)
	}
	out := openCodes(t, "out.kd")
	if symbol, err := out.Symbol(0); err != nil || symbol != "w150" || out.Len() != 150 {
		t.Errorf("%q, %v", symbol, err)
	}
	kd(t, "", "check", "out.kd").quiet(t)
}

// Vectors unlike those of the table need other code embeddings.
func TestEncodeRelearn(t *testing.T) {
	inEncode(t)
	table, err := vectors.ReadAll("new.txt", vectors.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range table.Data {
		table.Data[i] = float32(7*i%11) - 5
	}
	writeTable(t, "new.txt", table)
	r := kd(t, "", "encode", "table.kd", "new.txt", "-o", "out.kd")
	r.quiet(t)
	if !strings.Contains(r.stdout, "relearning is due") {
		t.Errorf("%s", r.stdout)
	}
}

func TestEncodeCompositions(t *testing.T) {
	inEncode(t)
	for _, args := range []string{"--compose affine --code-dim 4", "--compose concat", "--dtype float32"} {
		kd(t, "", append(strings.Fields(args), "compress", "old.txt", "-o", "table.kd", "-K", "8", "-D", "4")...).quiet(t)
		var got encodeResult
		kd(t, "", "encode", "table.kd", "new.txt", "-o", "out.kd", "--json").object(t, &got)
		if got.N != 300 || *got.Worse > 2 {
			t.Errorf("%s: %+v", args, got)
		}
	}
}

// Without symbols, all new vectors follow.
func TestEncodeWithoutSymbols(t *testing.T) {
	inEncode(t)
	kd(t, "", "convert", "old.txt", "old.npy").quiet(t)
	kd(t, "", "convert", "new.txt", "new.npy", "--write-symbols").quiet(t)
	kd(t, "", "compress", "old.npy", "-o", "ids.kd", "-K", "8", "-D", "4").quiet(t)
	var got encodeResult
	kd(t, "", "encode", "ids.kd", "new.npy", "-o", "out.kd", "--json").object(t, &got)
	if got.N != 350 || got.New != 150 {
		t.Errorf("%+v", got)
	}
	kd(t, "", "encode", "table.kd", "new.npy", "-o", "out.kd").want(t, exitData, "new.npy: the vectors have no symbols", "--symbols")
	kd(t, "", "encode", "ids.kd", "new.txt", "-o", "out.kd").want(t, exitData, "new.txt: the vectors have symbols, but those of ids.kd have none")
	kd(t, "", "encode", "ids.kd", "new.txt", "-o", "out.kd", "--only-new").quiet(t)
	kd(t, "", "encode", "table.kd", "new.npy", "-o", "out.kd", "--symbols", "new.npy.symbols.txt").quiet(t)
}

func TestEncodeErrors(t *testing.T) {
	inEncode(t)
	writeText(t, "narrow.txt", "a 1 2\nb 3 4\n")
	writeText(t, "nan.txt", "a 1 2 3 4 5 6 7 8 9 10 11 12\nb 1 2 3 4 nan 6 7 8 9 10 11 12\n")
	writeText(t, "one.txt", "b 1 2 3 4 nan 6 7 8 9 10 11 12\n")
	writeText(t, "empty.txt", "")
	m := model()
	m.Composition = codefile.Recur
	m.LSTM = &codefile.LSTM{Hidden: 4, Recurrent: make([]float32, 64), Bias: make([]float32, 16)}
	write(t, "lstm.kd", m)
	before := files(t)
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"table.kd new.txt", exitUsage, "-o OUT is missing"},
		{"table.kd new.txt -o -", exitUsage, "name a file"},
		{"table.kd -o out.kd", exitUsage, "NEW is missing"},
		{"table.kd new.txt -o new.txt", exitUsage, "would replace the input"},
		{"table.kd narrow.txt -o out.kd", exitData, "narrow.txt: vectors of width 2, but those of table.kd have 12"},
		{"table.kd nan.txt -o out.kd", exitData, `row 2 ("b") has the value NaN in column 5`},
		{"table.kd one.txt -o out.kd", exitData, `row 1 ("b") has the value NaN in column 5`},
		{"table.kd empty.txt -o out.kd", exitData, "empty.txt"},
		{"table.kd missing.txt -o out.kd", exitFailed, "missing.txt"},
		{"missing.kd new.txt -o out.kd", exitFailed, "missing.kd"},
		{"new.txt new.txt -o out.kd", exitData, "new.txt: a table of ordinary vectors"},
		{"table.kd table.kd -o out.kd", exitData, "table.kd: a code file"},
		{"lstm.kd narrow.txt -o out.kd", exitData, "lstm"},
		{"table.kd new.txt -o out.kd --effort lazy", exitUsage, "fast, normal, best"},
	} {
		t.Run(test.args, func(t *testing.T) {
			kd(t, "", append([]string{"encode"}, strings.Fields(test.args)...)...).want(t, test.code, test.want)
		})
	}
	if !slices.Equal(files(t), before) {
		t.Errorf("left behind: %v", files(t))
	}
}

func TestEncodeReport(t *testing.T) {
	r := encodeResult{
		File: "out.kd", FileBytes: 750_000, Table: "items.kd", Source: "today.npy", N: 10_120, Dim: 100, Encoded: 140, Changed: 20, New: 120,
		Fidelity: quantize.Fidelity{RelativeError: 0.08, MeanCosine: 0.95}, Seconds: 0.31,
	}
	var b bytes.Buffer
	for _, metadata := range []map[string]string{{}, {keyRelativeError: "0"}, {keyRelativeError: "0.0711"}, {keyRelativeError: "0.05"}} {
		r.TableError, r.Worse, r.Relearn = nil, nil, false
		r.compareWith(metadata)
		r.print(&b)
		b.WriteByte('\n')
	}
	golden(t, "encode", b.String())
}
