package vectors

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// maxAllocated is what reading a file of less than 1 MB may allocate in all.
const maxAllocated = 64 << 20

// bounded runs f and fails the test if it allocates too much.
func bounded(t *testing.T, f func()) {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	before := sample[0].Value.Uint64()
	f()
	metrics.Read(sample)
	if n := sample[0].Value.Uint64() - before; n > maxAllocated {
		t.Fatalf("%d MB allocated", n>>20)
	}
}

// readHostile reads data, which may be anything: it must be a table or an
// error of the documented kinds. What it reads can be written and read again.
func readHostile(t *testing.T, data []byte, opts Options) {
	if len(data) >= 1<<20 {
		return
	}
	bounded(t, func() {
		opts.Duplicates = KeepAll
		r, err := NewReader(bytes.NewReader(data), "data", opts)
		var table *Table
		if err == nil {
			table, err = r.ReadAll()
		}
		if err != nil {
			if !errors.Is(err, ErrFormat) && !errors.Is(err, ErrTensor) {
				t.Fatalf("error of no kind: %v", err)
			}
			return
		}
		if len(table.Data) > len(data) || table.Dim != r.Dim() || r.Len() >= 0 && r.Len() != table.Len() {
			t.Fatalf("a table of %d × %d, the file says %d × %d", table.Len(), table.Dim, r.Len(), r.Dim())
		}
		if len(data) < 1<<12 {
			rewrite(t, table, r.Format())
		}
	})
}

// rewrite writes a table and reads it back.
func rewrite(t *testing.T, table *Table, format Format) {
	if table.Len() == 0 {
		return
	}
	var b bytes.Buffer
	w, err := NewWriter(&b, "out", format, table.Dim, WriterOptions{Rows: table.Len()})
	if err != nil {
		t.Fatal(err)
	}
	for i := range table.Len() {
		symbol := ""
		if table.Symbols != nil {
			symbol = table.Symbols[i]
		}
		if err := w.Write(symbol, table.Row(i)); errors.Is(err, ErrUnwritable) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	if format == Word2VecBinary && sniffText(b.Bytes()) == Word2VecText {
		return // a first vector whose bytes are digits
	}
	again, err := decode(b.Bytes(), Options{Duplicates: KeepAll})
	if err != nil {
		t.Fatalf("%v: %q", err, b.Bytes())
	}
	if !slices.Equal(again.Symbols, table.Symbols) || again.Dim != table.Dim || !slices.EqualFunc(again.Data, table.Data, same) {
		t.Fatalf("%q reads back as %q", b.Bytes(), again.Symbols)
	}
}

func same(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{
		"a 1 2\nb 3 4\n", "2 2\na 1 2\nb 3 4\n", "2\na 1 2\n", "\xef\xbb\xbf2 2\r\na 1 2 \r\n\r\nb\t3\t4", ". . . 1 2\ntop 10 3 4\nx 5 6\n",
		"a nan -inf\n", "a 1e39\n", "999999999999 1048576\na 1\n", " 1 2\n", "7 1 2\n8 1\n", "{ 1\n", "a -0.038194 1.5e-7\n\n\n", "0 5\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { readHostile(t, data, Options{}) })
}

func FuzzWord2VecBinary(f *testing.F) {
	k := kind{format: Word2VecBinary}
	f.Add([]byte("2 2\n"), []byte("a \x00\x00\x80?\x00\x00\x00@b \x00\x00\x80?\x00\x00\x00@"))
	f.Add([]byte("\xef\xbb\xbf 1 1 \r\n"), []byte("\n\nword \x00\x00\x80?\n"))
	f.Add([]byte("999999999 1048576\n"), []byte("a \x00\x00\x00\x00"))
	f.Add([]byte(nil), k.encode(f, k.random(3, 2)))
	f.Fuzz(func(t *testing.T, head, body []byte) { readHostile(t, slices.Concat(head, body), Options{}) })
}

func FuzzNpy(f *testing.F) {
	for i, seed := range []string{
		"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", "{'descr': '>f8', 'fortran_order': False, 'shape': (1, 3), }",
		`{"shape": (4L, 3L), "descr": "<f2", "fortran_order": False}`, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }",
		"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 3), }", "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 3), }",
		"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1048576), }", "{'descr': '<f4', 'fortran_order': False, 'shape': (", "{}",
	} {
		f.Add(byte(i%4), seed, make([]byte, 24))
	}
	f.Fuzz(func(t *testing.T, version byte, header string, data []byte) {
		if len(header) < 1<<16 {
			readHostile(t, npyFile(version, header, data), Options{})
		}
	})
}

func FuzzSafetensors(f *testing.F) {
	for _, seed := range []string{
		twoTables, `{"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}`, `{"a":{"dtype":"BF16","shape":[4,3],"data_offsets":[0,24]},"__metadata__":{"x":"y"}}`,
		`{"a":{"dtype":"F64","shape":[1,3],"data_offsets":[0,24]}}  `, `{"a":{"dtype":"F32","shape":[0,3],"data_offsets":[0,0]}}`,
		`{"a":{"dtype":"F32","shape":[1099511627776,1048576],"data_offsets":[0,4611686018427387904]}}`, `{}`, `{"a":{}}`,
	} {
		f.Add(seed, make([]byte, 24), "a")
		f.Add(seed, make([]byte, 48), "")
	}
	f.Fuzz(func(t *testing.T, header string, data []byte, tensor string) {
		readHostile(t, safetensorsFile(header, data), Options{Tensor: tensor})
	})
}

func FuzzShards(f *testing.F) {
	dir := f.TempDir()
	for _, name := range []string{"shard-1.safetensors", "shard-2.safetensors"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			f.Fatal(err)
		}
	}
	for _, seed := range []string{
		`{"metadata":{"total_size":80},"weight_map":{"bias":"shard-1.safetensors","emb":"shard-2.safetensors"}}`,
		`{"weight_map":{"emb":"../x"}}`, `{"weight_map":{"emb":"shard-1.safetensors"}}`, `{"weight_map":{"emb":""}}`, `{"weight_map":{"emb":"."}}`, `{"weight_map":null}`,
	} {
		f.Add([]byte(seed), "")
		f.Add([]byte(seed), "emb")
	}
	f.Fuzz(func(t *testing.T, data []byte, tensor string) {
		bounded(t, func() {
			in, err := newInput(bytes.NewReader(data), filepath.Join(dir, "index.json"))
			if err != nil {
				return
			}
			in.c = io.NopCloser(nil)
			m, err := newShardDecoder(in, tensor)
			if err != nil {
				return
			}
			defer m.in.Close()
			if m.dim != 4 || m.rows != 3 {
				t.Fatalf("a table of %d × %d", m.rows, m.dim)
			}
		})
	})
}

func FuzzSymbols(f *testing.F) {
	for _, seed := range []string{"a\nb\nc\n", "a\r\nb\r\n\r\n", "\xef\xbb\xbfa\n\nb", "", "\n"} {
		f.Add([]byte(seed), 3)
	}
	f.Fuzz(func(t *testing.T, data []byte, rows int) {
		bounded(t, func() {
			in, err := newInput(bytes.NewReader(data), "data")
			if err != nil {
				return
			}
			list, err := readSymbols(in, rows)
			if err != nil {
				if !errors.Is(err, ErrFormat) {
					t.Fatal(err)
				}
				return
			}
			if len(list) != rows || slices.Contains(list, "") || slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, "\n") }) {
				t.Fatalf("%q", list)
			}
		})
	})
}

func FuzzTokenizer(f *testing.F) {
	for _, seed := range []string{
		`{"model":{"vocab":{"x":1,"y":0}},"added_tokens":[{"id":2,"content":"<pad>"}]}`, `{"model":{"vocab":[["x",0],["y",-1.5]]},"added_tokens":[{"id":0,"content":"z"}]}`,
		`{"model":{"vocab":{"<unused-1>":0,"<unused-1>>":2}}}`, `{"model":{"vocab":{"x":2000000000}}}`, `{"model":{"vocab":null}}`, `{"model":{"vocab":[[1]]}}`, `{"model":{"vocab":{"x":-1}}}`,
	} {
		f.Add([]byte(seed), 5)
	}
	f.Fuzz(func(t *testing.T, data []byte, rows int) {
		if len(data) >= 1<<20 {
			return
		}
		bounded(t, func() {
			in, err := newInput(bytes.NewReader(data), "data")
			if err != nil {
				return
			}
			tokens, err := readTokenizer(in, rows)
			if err != nil {
				if !errors.Is(err, ErrFormat) {
					t.Fatal(err)
				}
				return
			}
			seen := make(map[string]bool)
			for i := range min(rows, 100) {
				s := tokens.symbol(i)
				if s == "" || seen[s] {
					t.Fatalf("row %d is called %q", i, s)
				}
				seen[s] = true
			}
		})
	})
}

// FuzzGzip reads damaged gzip streams. What they hold is bounded by what they
// decompress to, so only some rows are read.
func FuzzGzip(f *testing.F) {
	for _, k := range kinds() {
		if k.gzip {
			f.Add(k.encode(f, k.random(3, 2)))
		}
	}
	var empty bytes.Buffer
	gzip.NewWriter(&empty).Close()
	f.Add(empty.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := NewReader(bytes.NewReader(data), "data", Options{})
		if err != nil {
			if !errors.Is(err, ErrFormat) && !errors.Is(err, ErrTensor) {
				t.Fatal(err)
			}
			return
		}
		row := make([]float32, r.Dim())
		for range 1000 {
			if _, err = r.Next(row); err != nil {
				break
			}
		}
		if err != nil && err != io.EOF && !errors.Is(err, ErrFormat) {
			t.Fatal(err)
		}
	})
}

func FuzzScanFloat(f *testing.F) {
	for _, seed := range []string{"0", "-0.038194", "1e-45", "3.4028236e38", "1.000000059604644775390625", "nan", "-inf", "0x1p-2", "1_0", "1e", ".", "9007199254740993"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ContainsAny(s, " \t") {
			return
		}
		v, n := scanFloat([]byte(s))
		want, err := strconv.ParseFloat(s, 32)
		switch {
		case !isNumber([]byte(s)):
			if n != 0 {
				t.Fatalf("%q is %g", s, v)
			}
		case strings.EqualFold(strings.TrimLeft(s, "+-"), "nan"):
			if n != len(s) || v == v {
				t.Fatalf("%q is %g", s, v)
			}
		case err != nil && n != 0, err == nil && (n != len(s) || math.Float32bits(v) != math.Float32bits(float32(want))):
			t.Fatalf("%q is %g of %d bytes, strconv says %g, %v", s, v, n, want, err)
		}
	})
}

// Every seed is read; so is each golden file with every byte damaged in turn.
func TestDamagedGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden.*")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden files: ", err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".json") || strings.HasSuffix(file, ".py") {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			for i := range data {
				for _, c := range []byte{0, ' ', '\n', '9', '}', 0x7f, 0xff, data[i] ^ 1, data[i] ^ 0x80} {
					damaged := bytes.Clone(data)
					damaged[i] = c
					func() {
						defer func() {
							if p := recover(); p != nil {
								panic(fmt.Sprintf("byte %d as %#x: %v", i, c, p))
							}
						}()
						bounded(t, func() { _, _ = decode(damaged, Options{}) })
					}()
				}
			}
		})
	}
}
