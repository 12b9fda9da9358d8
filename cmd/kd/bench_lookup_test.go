package main

import (
	"math"
	"strings"
	"testing"

	"github.com/kdcode/kdcode/codefile"
)

func TestBenchLookupMadeUp(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, kind := range names(codefile.Compositions) {
		for _, dtype := range names(codefile.DTypes) {
			if (kind == "sum") == (dtype == "float32") && kind != "sum" {
				continue // the rest is enough
			}
			r := kd(t, "", "bench", "lookup", "-N", "500", "-K", "20", "-D", "8", "--dim", "24", "--seconds", "0.001", "--compose", kind, "--dtype", dtype, "--json")
			r.quiet(t)
			var got benchLookupResult
			r.object(t, &got)
			if got.N != 500 || got.Ways != 20 || got.CodeLength != 8 || got.Dim != 24 || got.Composition != kind || got.DType != dtype {
				t.Errorf("%+v", got)
			}
			for name, v := range map[string]float64{
				"lookup_ns": got.LookupNS, "batch_ns": got.BatchNS, "id_ns": got.IDNS, "open_ms": got.OpenMS,
				"heap_bytes": float64(got.HeapBytes), "gb_per_s": got.GBPerS, "threads_speedup": got.Speedup,
			} {
				if v <= 0 || math.IsInf(v, 0) {
					t.Errorf("%s, %s: %s is %g", kind, dtype, name, v)
				}
			}
			if got.SymbolBytes != 500*int64(len("w000123")) || got.SymbolOverhead < 0 || got.SymbolOverhead > 8 {
				t.Errorf("%d bytes of symbols, %g more each", got.SymbolBytes, got.SymbolOverhead)
			}
		}
	}
}

func TestBenchLookupFile(t *testing.T) {
	inFolder(t)
	r := kd(t, "", "bench", "lookup", "t.kd", "--seconds", "0.001", "--threads", "3")
	r.quiet(t)
	for _, want := range []string{"t.kd: N = 9, K = 4, D = 3, d = 4, sum, float32", "\nLookup ", "\nLookupBatch ", "\n3 goroutines ", "\nID ", "\nOpen ", "\nheap after Open "} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("%q does not say %q", r.stdout, want)
		}
	}
	m := model()
	m.Symbols = nil
	write(t, "ids.kd", m)
	var got benchLookupResult
	r = kd(t, "", "bench", "lookup", "ids.kd", "--seconds", "0.001", "--json")
	r.quiet(t)
	if r.object(t, &got); got.IDNS != 0 || got.SymbolOverhead != 0 {
		t.Errorf("%+v", got)
	}
}

func TestMedian(t *testing.T) {
	if got := median([]float64{3, 1, 2}); got != 2 {
		t.Error(got)
	}
}
