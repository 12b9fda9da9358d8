package vectors

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// The conformance suite: every kind of file, plain and gzipped, goes through
// the same tests.

type kind struct {
	format Format
	dtype  DType
	gzip   bool
}

func (k kind) String() string {
	s := fmt.Sprintf("%v/%v", k.format, k.dtype)
	if k.gzip {
		s += "/gzip"
	}
	return s
}

func kinds() []kind {
	var all []kind
	for _, gz := range []bool{false, true} {
		all = append(all,
			kind{GloVe, Float32, gz}, kind{Word2VecText, Float32, gz}, kind{Word2VecBinary, Float32, gz},
			kind{Npy, Float32, gz}, kind{Npy, Float16, gz}, kind{Npy, Float64, gz},
			kind{Safetensors, Float32, gz}, kind{Safetensors, Float16, gz}, kind{Safetensors, BFloat16, gz}, kind{Safetensors, Float64, gz})
	}
	return all
}

func forKinds(t *testing.T, test func(t *testing.T, k kind)) {
	for _, k := range kinds() {
		t.Run(k.String(), func(t *testing.T) { test(t, k) })
	}
}

// random returns a table whose numbers the type represents exactly.
func (k kind) random(rows, dim int) *Table {
	rng := rand.New(rand.NewPCG(1, uint64(rows)))
	t := &Table{Dim: dim, Symbols: make([]string, rows), Data: make([]float32, rows*dim)}
	for i := range t.Symbols {
		t.Symbols[i] = fmt.Sprintf("w\xff%dé", i) // not UTF-8
	}
	for i := range t.Data {
		v := float32(rng.NormFloat64())
		b, _ := k.dtype.encode(nil, []float32{v})
		k.dtype.decode(t.Data[i:i+1], b)
	}
	return t
}

// encode writes a table to memory.
func (k kind) encode(tb testing.TB, t *Table) []byte {
	tb.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, "buffer", k.format, t.Dim, WriterOptions{Rows: t.Len(), DType: k.dtype, Gzip: k.gzip})
	if err != nil {
		tb.Fatal(err)
	}
	writeTable(tb, w, t)
	return b.Bytes()
}

func writeTable(tb testing.TB, w *Writer, t *Table) {
	tb.Helper()
	for i, s := range t.Symbols {
		if err := w.Write(s, t.Row(i)); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Commit(); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
}

// onlyReader hides what else a reader can do.
type onlyReader struct{ io.Reader }

func decode(data []byte, opts Options) (*Table, error) {
	r, err := NewReader(onlyReader{bytes.NewReader(data)}, "data", opts)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.ReadAll()
}

func checkTable(tb testing.TB, got, want *Table, symbols bool) {
	tb.Helper()
	if got.Dim != want.Dim || got.Len() != want.Len() {
		tb.Fatalf("a table of %d × %d, want %d × %d", got.Len(), got.Dim, want.Len(), want.Dim)
	}
	if symbols && !slices.Equal(got.Symbols, want.Symbols) {
		tb.Fatalf("symbols %q, want %q", got.Symbols, want.Symbols)
	}
	if !symbols && got.Symbols != nil {
		tb.Fatalf("symbols %q, want none", got.Symbols)
	}
	for i := range got.Data {
		if math.Float32bits(got.Data[i]) != math.Float32bits(want.Data[i]) {
			tb.Fatalf("row %d, column %d: %g, want %g", i/got.Dim, i%got.Dim, got.Data[i], want.Data[i])
		}
	}
}

func TestRoundTrip(t *testing.T) {
	forKinds(t, func(t *testing.T, k kind) {
		for _, shape := range [][2]int{{1, 1}, {1, 7}, {100, 1}, {37, 30}, {3, 20000}} {
			want := k.random(shape[0], shape[1])
			path := filepath.Join(t.TempDir(), "table") // the name says nothing
			for _, rows := range []int{want.Len(), -1} {
				w, err := Create(path, k.format, want.Dim, WriterOptions{Rows: rows, DType: k.dtype, Gzip: k.gzip})
				if rows < 0 && k.gzip && k.format != GloVe {
					if !errors.Is(err, ErrUnwritable) {
						t.Fatalf("gzip of an unknown number of rows: %v", err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				writeTable(t, w, want)
				r, err := Open(path, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if r.Format() != k.format || r.Dim() != want.Dim || r.HasSymbols() != k.format.HasSymbols() {
					t.Fatalf("read as %v of %d dimensions", r.Format(), r.Dim())
				}
				if n := r.Len(); n != want.Len() && (k.format != GloVe || n != -1) {
					t.Fatalf("Len is %d, want %d", n, want.Len())
				}
				got, err := r.ReadAll()
				if err != nil {
					t.Fatal(err)
				}
				checkTable(t, got, want, k.format.HasSymbols())
				if _, err := r.Next(make([]float32, r.Dim())); err != io.EOF {
					t.Fatalf("Next after the end: %v", err)
				}
				if err := r.Close(); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

func TestStream(t *testing.T) {
	forKinds(t, func(t *testing.T, k kind) {
		want := k.random(20, 13)
		data := k.encode(t, want)
		for name, in := range map[string]io.Reader{
			"one byte":       iotest.OneByteReader(bytes.NewReader(data)),
			"half":           iotest.HalfReader(bytes.NewReader(data)),
			"data with EOF":  iotest.DataErrReader(bytes.NewReader(data)),
			"nothing but it": onlyReader{bytes.NewReader(data)},
		} {
			r, err := NewReader(in, name, Options{})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, err := r.ReadAll()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			checkTable(t, got, want, k.format.HasSymbols())
			if err := r.ReadRows(make([]float32, 13), 0); !errors.Is(err, ErrRandomAccess) {
				t.Fatalf("%s: ReadRows: %v", name, err)
			}
		}
	})
}

// A file cut off anywhere is an error. Only in text can the cut lie where
// nobody sees it: GloVe at a line end, and either text in the last number.
func TestTruncated(t *testing.T) {
	forKinds(t, func(t *testing.T, k kind) {
		want := k.random(4, 3)
		data := k.encode(t, want)
		path := filepath.Join(t.TempDir(), "table")
		for n := range data {
			got, err := decode(data[:n], Options{})
			if werr := os.WriteFile(path, data[:n], 0o644); werr != nil {
				t.Fatal(werr)
			}
			_, ferr := ReadAll(path, Options{})
			if (err == nil) != (ferr == nil) {
				t.Fatalf("%d of %d bytes: from a stream: %v, from a file: %v", n, len(data), err, ferr)
			}
			if err != nil {
				if !errors.Is(err, ErrFormat) || !errors.Is(ferr, ErrFormat) || !strings.HasPrefix(err.Error(), "data:") {
					t.Fatalf("%d of %d bytes: %v; %v", n, len(data), err, ferr)
				}
				continue
			}
			if k.format == Word2VecText && !k.gzip && got.Len() == want.Len() {
				continue
			}
			if k.format == Word2VecBinary && !k.gzip && n == len(data)-1 { // the last newline
				checkTable(t, got, want, true)
				continue
			}
			if k.format != GloVe || k.gzip || got.Len() > want.Len() {
				t.Fatalf("%d of %d bytes make a table", n, len(data))
			}
		}
	})
}

// Bytes after the end are an error, too, or rows of their own.
func TestTrailing(t *testing.T) {
	forKinds(t, func(t *testing.T, k kind) {
		data := append(k.encode(t, k.random(4, 3)), "x 1"...)
		if _, err := decode(data, Options{}); !errors.Is(err, ErrFormat) {
			t.Fatalf("error %v", err)
		}
		path := filepath.Join(t.TempDir(), "table")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadAll(path, Options{}); !errors.Is(err, ErrFormat) {
			t.Fatalf("error %v", err)
		}
	})
}

// A failure of the medium is not taken for bad data.
func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	forKinds(t, func(t *testing.T, k kind) {
		data := k.encode(t, k.random(40, 30))
		for _, n := range []int{0, 1, 5, 11, len(data) / 2, len(data) - 1} {
			r, err := NewReader(io.MultiReader(bytes.NewReader(data[:n]), iotest.ErrReader(broken)), "data", Options{})
			if err == nil {
				_, err = r.ReadAll()
			}
			if !errors.Is(err, broken) || errors.Is(err, ErrFormat) {
				t.Fatalf("after %d bytes: %v", n, err)
			}
		}
	})
}

func TestReadRows(t *testing.T) {
	forKinds(t, func(t *testing.T, k kind) {
		want := k.random(500, 61)
		path := filepath.Join(t.TempDir(), "table")
		if err := os.WriteFile(path, k.encode(t, want), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if r.RandomAccess() != (!k.format.HasSymbols() && !k.gzip) {
			t.Fatalf("RandomAccess is %v", r.RandomAccess())
		}
		if !r.RandomAccess() {
			if err := r.ReadRows(make([]float32, 61), 0); !errors.Is(err, ErrRandomAccess) {
				t.Fatal(err)
			}
			return
		}
		done := make(chan error)
		for worker := range 4 {
			go func() {
				rng := rand.New(rand.NewPCG(2, uint64(worker)))
				for range 50 {
					n := rng.IntN(400)
					first := rng.IntN(500 - n + 1)
					dst := make([]float32, n*61)
					if err := r.ReadRows(dst, first); err != nil {
						done <- err
						return
					}
					if !slices.Equal(dst, want.Data[first*61:(first+n)*61]) {
						done <- fmt.Errorf("rows %d to %d differ", first, first+n)
						return
					}
				}
				done <- nil
			}()
		}
		got, err := r.ReadAll() // meanwhile
		if err != nil {
			t.Fatal(err)
		}
		checkTable(t, got, want, false)
		for range 4 {
			if err := <-done; err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestDuplicates(t *testing.T) {
	forKinds(t, func(t *testing.T, k kind) {
		if !k.format.HasSymbols() {
			return // symbols_test.go
		}
		table := &Table{Dim: 1, Symbols: []string{"a", "b", "a", "c", "b"}, Data: []float32{1, 2, 3, 4, 5}}
		data := k.encode(t, table)
		r, err := NewReader(bytes.NewReader(data), "data", Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		checkTable(t, got, &Table{Dim: 1, Symbols: []string{"a", "b", "c"}, Data: []float32{1, 2, 4}}, true)
		s := r.Skipped().Duplicates
		first := map[Format]string{GloVe: "data:3", Word2VecText: "data:4", Word2VecBinary: "data: offset 18"}[k.format]
		if s.Count != 2 || s.First != first {
			t.Fatalf("skipped %+v, want 2 from %s", s, first)
		}
		if got, err = decode(data, Options{Duplicates: KeepAll}); err != nil {
			t.Fatal(err)
		}
		checkTable(t, got, table, true)
		if _, err := decode(data, Options{Duplicates: RefuseDuplicates}); !errors.Is(err, ErrFormat) || !strings.HasPrefix(err.Error(), first+`: "a"`) {
			t.Fatal(err)
		}
	})
}

func TestOptionDim(t *testing.T) {
	forKinds(t, func(t *testing.T, k kind) {
		data := k.encode(t, k.random(4, 3))
		if _, err := decode(data, Options{Dim: 3}); err != nil {
			t.Fatal(err)
		}
		if _, err := decode(data, Options{Dim: 4}); !errors.Is(err, ErrFormat) {
			t.Fatal(err)
		}
	})
}

func TestAllocationsPerRow(t *testing.T) {
	forKinds(t, func(t *testing.T, k kind) {
		if k.gzip {
			return // the decompressor allocates tables of its own
		}
		r, err := NewReader(bytes.NewReader(k.encode(t, k.random(500, 20))), "data", Options{Duplicates: KeepAll})
		if err != nil {
			t.Fatal(err)
		}
		row := make([]float32, 20)
		most := 0.0
		if k.format.HasSymbols() {
			most = 1
		}
		if n := testing.AllocsPerRun(300, func() {
			if _, err := r.Next(row); err != nil {
				t.Fatal(err)
			}
		}); n > most {
			t.Fatalf("%g allocations a row, want %g", n, most)
		}
	})
}

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
