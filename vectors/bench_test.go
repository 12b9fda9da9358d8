package vectors

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// gloveSample is the first 10,000 words of a GloVe table, where it is there.
const gloveSample = "../../shared/data/glove/glove.10k.100d.txt"

func TestGloVeSample(t *testing.T) {
	if _, err := os.Stat(gloveSample); err != nil {
		t.Skip("needs the GloVe sample: ", err)
	}
	table, err := ReadAll(gloveSample, Options{Duplicates: RefuseDuplicates})
	if err != nil {
		t.Fatal(err)
	}
	if table.Len() != 10_000 || table.Dim != 100 || table.Symbols[0] != "the" || table.Data[0] != -0.038194 {
		t.Fatalf("%d × %d, %q", table.Len(), table.Dim, table.Symbols[0])
	}
	k := kind{format: GloVe}
	again, err := decode(k.encode(t, table), Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkTable(t, again, table, true)
}

func BenchmarkReadGloVeSample(b *testing.B) {
	info, err := os.Stat(gloveSample)
	if err != nil {
		b.Skip("needs the GloVe sample: ", err)
	}
	b.SetBytes(info.Size())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadAll(gloveSample, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRead streams a table of 2,000 × 100; MB/s are of the file.
func BenchmarkRead(b *testing.B) {
	for _, k := range kinds() {
		b.Run(k.String(), func(b *testing.B) {
			data := k.encode(b, k.random(2000, 100))
			row := make([]float32, 100)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				r, err := NewReader(bytes.NewReader(data), "data", Options{})
				for err == nil {
					_, err = r.Next(row)
				}
				if err != io.EOF {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkWrite writes a table of 2,000 × 100; MB/s are of the file.
func BenchmarkWrite(b *testing.B) {
	for _, k := range kinds() {
		b.Run(k.String(), func(b *testing.B) {
			table := k.random(2000, 100)
			b.SetBytes(int64(len(k.encode(b, table))))
			for b.Loop() {
				k.encode(b, table)
			}
		})
	}
}

// BenchmarkReadRows reads single rows of 100 numbers at random.
func BenchmarkReadRows(b *testing.B) {
	for _, k := range []kind{{format: Npy}, {format: Safetensors, dtype: BFloat16}} {
		b.Run(k.String(), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "table")
			if err := os.WriteFile(path, k.encode(b, k.random(20_000, 100)), 0o644); err != nil {
				b.Fatal(err)
			}
			r, err := Open(path, Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer r.Close()
			row := make([]float32, 100)
			b.SetBytes(int64(100 * k.dtype.size()))
			b.ReportAllocs()
			for b.Loop() {
				if err := r.ReadRows(row, rand.IntN(20_000)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
