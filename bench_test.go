package kdcode_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/tabletest"
)

var benchShapes = []tabletest.Shape{
	{N: 341_479, K: 32, D: 32, Dim: 100, CodeDim: 100, Composition: codefile.Sum},
	{N: 341_479, K: 32, D: 32, Dim: 300, CodeDim: 300, Composition: codefile.Sum},
	{N: 341_479, K: 256, D: 20, Dim: 100, CodeDim: 5, Composition: codefile.Concat},
	{N: 10_000, K: 32, D: 32, Dim: 650, CodeDim: 300, Composition: codefile.Affine},
	{N: 10_000, K: 32, D: 32, Dim: 200, CodeDim: 64, Hidden: 64, Composition: codefile.Recur},
	{N: 10_000, K: 32, D: 32, Dim: 200, CodeDim: 300, Hidden: 200, Composition: codefile.Recur, Input: true, State: true},
}

// benchTable writes a table and opens it.
func benchTable(b *testing.B, s tabletest.Shape) *kdcode.Table {
	b.Helper()
	s.NoSymbols = s.N < 1_000_000
	return open(b, tabletest.Model(s, 1))
}

func randomIDs(n, count int) []int {
	r := rand.New(rand.NewPCG(1, 2))
	ids := make([]int, count)
	for i := range ids {
		ids[i] = r.IntN(n)
	}
	return ids
}

func BenchmarkLookup(b *testing.B) {
	for _, s := range benchShapes {
		b.Run(fmt.Sprintf("%s/d=%d,%d", s.Composition, s.CodeDim, s.Dim), func(b *testing.B) {
			t := benchTable(b, s)
			ids, v := randomIDs(t.Len(), 1<<16), make([]float32, t.Dim())
			b.SetBytes(int64(4 * t.Dim()))
			i := 0
			for b.Loop() {
				if err := t.Lookup(v, ids[i&(1<<16-1)]); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}

func BenchmarkLookupBatch(b *testing.B) {
	for _, s := range benchShapes {
		b.Run(fmt.Sprintf("%s/d=%d,%d", s.Composition, s.CodeDim, s.Dim), func(b *testing.B) {
			t := benchTable(b, s)
			const batch = 256
			ids, v := randomIDs(t.Len(), 1<<16), make([]float32, batch*t.Dim())
			b.SetBytes(int64(4 * batch * t.Dim()))
			i := 0
			for b.Loop() {
				if err := t.LookupBatch(v, ids[i&(1<<16-1):][:batch]); err != nil {
					b.Fatal(err)
				}
				i += batch
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/batch, "ns/vector")
		})
	}
}

// BenchmarkLookupGoroutines shows how lookups scale: ns/op should halve.
func BenchmarkLookupGoroutines(b *testing.B) {
	for g := 1; g <= runtime.GOMAXPROCS(0); g *= 2 {
		b.Run(fmt.Sprint(g), func(b *testing.B) {
			t := benchTable(b, benchShapes[0])
			ids := randomIDs(t.Len(), 1<<16)
			b.ResetTimer()
			var wg sync.WaitGroup
			for w := range g {
				wg.Go(func() {
					v := make([]float32, t.Dim())
					for i := w; i < b.N; i += g {
						if err := t.Lookup(v, ids[i&(1<<16-1)]); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
		})
	}
}

func BenchmarkID(b *testing.B) {
	t := benchTable(b, tabletest.Shape{N: 1_000_000, K: 2, D: 8, Dim: 1, CodeDim: 1, Composition: codefile.Sum})
	symbols := make([]string, 1<<16)
	for i, id := range randomIDs(t.Len(), len(symbols)) {
		symbols[i] = tabletest.Symbol(id)
	}
	i := 0
	for b.Loop() {
		if _, ok := t.ID(symbols[i&(1<<16-1)]); !ok {
			b.Fatal(symbols[i&(1<<16-1)])
		}
		i++
	}
}

func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "t.kd")
	s := tabletest.Shape{N: 1_000_000, K: 32, D: 32, Dim: 100, CodeDim: 100, Composition: codefile.Sum}
	if err := codefile.WriteFile(path, tabletest.Model(s, 1)); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		t, err := kdcode.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		t.Close()
	}
}
