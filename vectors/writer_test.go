package vectors

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Without Commit nothing of a file remains, and an old one stays.
func TestWriterAbandoned(t *testing.T) {
	forKinds(t, func(t *testing.T, k kind) {
		dir := t.TempDir()
		path := filepath.Join(dir, "table")
		for _, old := range []string{"", "old"} {
			if old != "" {
				if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			w, err := Create(path, k.format, 2, WriterOptions{Rows: 2, DType: k.dtype, Gzip: k.gzip})
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Write("a", []float32{1, 2}); err != nil {
				t.Fatal(err)
			}
			if err := w.Commit(); !errors.Is(err, ErrUnwritable) { // a row too few
				t.Fatalf("Commit: %v", err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if got, _ := os.ReadFile(path); string(got) != old {
				t.Errorf("the file holds %q, want %q", got, old)
			}
		}
		if entries, _ := os.ReadDir(dir); len(entries) != 1 {
			t.Errorf("left behind: %v", entries)
		}
	})
}

func TestWriterTooManyRows(t *testing.T) {
	forKinds(t, func(t *testing.T, k kind) {
		w, err := NewWriter(new(bytes.Buffer), "out", k.format, 1, WriterOptions{Rows: 1, DType: k.dtype, Gzip: k.gzip})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write("a", []float32{1}); err != nil {
			t.Fatal(err)
		}
		if err := w.Write("b", []float32{1}); !errors.Is(err, ErrUnwritable) {
			t.Fatal(err)
		}
		if err := w.Commit(); err == nil {
			t.Fatal("committed after an error")
		}
	})
}

func TestUnwritableSymbols(t *testing.T) {
	for _, test := range []struct {
		symbol  string
		refused []Format
		want    string
	}{
		{"", []Format{GloVe, Word2VecText, Word2VecBinary}, "a row without a symbol"},
		{"a\nb", []Format{GloVe, Word2VecText, Word2VecBinary}, "line end in a symbol"},
		{"a b", []Format{Word2VecText, Word2VecBinary}, "write GloVe text"},
		{"a\tb", []Format{Word2VecText}, "write GloVe text"},
		{" a", []Format{GloVe, Word2VecText, Word2VecBinary}, "write "},
		{"top 10", []Format{GloVe, Word2VecText, Word2VecBinary}, "write "},
		{"a 0.5 b", []Format{GloVe, Word2VecText, Word2VecBinary}, "write "},
		{"\xef\xbb\xbfa", []Format{GloVe, Word2VecText}, "write word2vec binary"},
		{strings.Repeat("x", window), []Format{Word2VecBinary}, "64 KB"},
		{"\xfe\xff\x1a", []Format{GloVe}, "by its first symbol"},
		{"\x93NUMPY", []Format{GloVe}, "by its first symbol"},
		{"\x1f\x8b", []Format{GloVe}, "by its first symbol"},
		{`{"a":`, []Format{GloVe}, "by its first symbol"},
		{"5", nil, ""},
		{"\r", nil, ""},
	} {
		for _, f := range Formats() {
			var b bytes.Buffer
			w, err := NewWriter(&b, "out", f, 1, WriterOptions{Rows: 1})
			if err != nil {
				t.Fatal(err)
			}
			err = w.Write(test.symbol, []float32{3})
			refused := false
			for _, r := range test.refused {
				refused = refused || r == f
			}
			if !refused {
				if err != nil {
					t.Errorf("%v, %q: %v", f, clip(test.symbol), err)
					continue
				}
				if err := w.Commit(); err != nil {
					t.Fatal(err)
				}
				got, err := decode(b.Bytes(), Options{})
				if err != nil || got.Data[0] != 3 || f.HasSymbols() && got.Symbols[0] != test.symbol {
					t.Errorf("%v, %q read back as %+v, %v", f, clip(test.symbol), got, err)
				}
				continue
			}
			if !errors.Is(err, ErrUnwritable) || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "out: row 0") {
				t.Errorf("%v, %q: error %v, want …%s…", f, clip(test.symbol), err, test.want)
			}
		}
	}
}

func TestUnwritableNumbers(t *testing.T) {
	for _, test := range []struct {
		dtype DType
		v     float32
	}{{Float16, 65520}, {Float16, -1e30}, {BFloat16, math.MaxFloat32}} {
		w, err := NewWriter(new(bytes.Buffer), "out", Safetensors, 2, WriterOptions{Rows: 1, DType: test.dtype})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write("", []float32{0, test.v}); !errors.Is(err, ErrUnwritable) || !strings.Contains(err.Error(), "column 1") {
			t.Errorf("%v, %g: %v", test.dtype, test.v, err)
		}
	}
}

// Infinities and NaN survive every format: refusing them is the learner's.
func TestSpecialNumbers(t *testing.T) {
	forKinds(t, func(t *testing.T, k kind) {
		inf := float32(math.Inf(1))
		want := &Table{Dim: 4, Symbols: []string{"a"}, Data: []float32{inf, -inf, float32(math.Copysign(0, -1)), float32(math.NaN())}}
		got, err := decode(k.encode(t, want), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if v := got.Data[3]; v == v {
			t.Errorf("NaN became %g", v)
		}
		got.Data[3], want.Data[3] = 0, 0
		checkTable(t, got, want, k.format.HasSymbols())
	})
}

func TestBadWriters(t *testing.T) {
	for _, test := range []struct {
		format Format
		dim    int
		opts   WriterOptions
	}{
		{Npy, 0, WriterOptions{Rows: 1}},
		{Npy, MaxDim + 1, WriterOptions{Rows: 1}},
		{Npy, 1, WriterOptions{}},
		{Npy, 1, WriterOptions{Rows: 1, DType: BFloat16}},
		{GloVe, 1, WriterOptions{Rows: 1, DType: Float16}},
		{Word2VecBinary, 1, WriterOptions{Rows: 1, DType: Float64}},
		{Format(99), 1, WriterOptions{Rows: 1}},
		{Safetensors, 1, WriterOptions{Rows: 1, DType: DType(9)}},
		{Npy, 1, WriterOptions{Rows: 1, DType: DType(9)}},
	} {
		if _, err := NewWriter(new(bytes.Buffer), "out", test.format, test.dim, test.opts); !errors.Is(err, ErrUnwritable) {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

func TestTensorName(t *testing.T) {
	var b bytes.Buffer
	w, err := NewWriter(&b, "out", Safetensors, 1, WriterOptions{Rows: 1, Tensor: "wte.weight"})
	if err != nil {
		t.Fatal(err)
	}
	writeTable(t, w, &Table{Dim: 1, Symbols: []string{""}, Data: []float32{1}})
	if _, err := decode(b.Bytes(), Options{Tensor: "wte.weight"}); err != nil {
		t.Error(err)
	}
}

func TestFormatNames(t *testing.T) {
	for _, f := range Formats() {
		if got, err := ParseFormat(f.String()); err != nil || got != f {
			t.Errorf("%v: %v, %v", f, got, err)
		}
	}
	if f, err := ParseFormat("fasttext"); err != nil || f != Word2VecText {
		t.Error(f, err)
	}
	if _, err := ParseFormat("csv"); err == nil {
		t.Error("csv is no format")
	}
	for d := Float32; d <= Float64; d++ {
		if got, err := ParseDType(d.String()); err != nil || got != d {
			t.Errorf("%v: %v, %v", d, got, err)
		}
	}
	for path, want := range map[string]struct {
		f      Format
		gz, ok bool
	}{
		"a.txt": {GloVe, false, true}, "a/b.vec.gz": {Word2VecText, true, true}, "x.BIN": {Word2VecBinary, false, true},
		"x.npy": {Npy, false, true}, "m.safetensors": {Safetensors, false, true}, "x.gz": {0, true, false}, "x": {0, false, false},
	} {
		if f, gz, ok := FormatOf(path); f != want.f || gz != want.gz || ok != want.ok {
			t.Errorf("%s: %v, %v, %v", path, f, gz, ok)
		}
	}
}

func TestBFloat16Rounding(t *testing.T) {
	for in, want := range map[uint32]uint16{
		0x3f800000: 0x3f80, 0x3f808000: 0x3f80, 0x3f818000: 0x3f82, 0x3f808001: 0x3f81, 0x3f807fff: 0x3f80,
		0x7f800000: 0x7f80, 0xff800000: 0xff80, 0x7f7fffff: 0x7f80, 0x80000000: 0x8000,
	} {
		if got := bfloat16(math.Float32frombits(in)); got != want {
			t.Errorf("%#x: %#x, want %#x", in, got, want)
		}
	}
}

func TestWriterEnded(t *testing.T) {
	for _, commit := range []bool{true, false} {
		w, err := Create(filepath.Join(t.TempDir(), "table"), Npy, 1, WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write("", []float32{1}); err != nil {
			t.Fatal(err)
		}
		if commit {
			err = w.Commit()
		} else {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		if w.Write("", []float32{1}) == nil || w.Commit() == nil {
			t.Error("written after the end")
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}
