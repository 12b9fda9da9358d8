package engine

import (
	"runtime"
	"testing"
	"weak"

	"github.com/gomlx/compute"
)

// TestMemoryGivenBack holds that an executable keeps nothing of its inputs and
// outputs: neither of a loop with a chain, nor of a product or the Go backend.
func TestMemoryGivenBack(t *testing.T) {
	const n = 1 << 8
	b := newBackend(t)
	e := compileWith(t, b, func(f compute.Function) []value {
		x, y := must(f.Parameter("x", floats(n, n), nil)), must(f.Parameter("y", floats(n, n), nil))
		return []value{must(f.Mul(must(f.Add(x, y)), y)), matMul(f, x, y), must(f.Reverse(x, 0))}
	})
	var kept []weak.Pointer[float32]
	run := func() {
		buffers := []compute.Buffer{buffer(t, b, random(n*n, 1), n, n), buffer(t, b, random(n*n, 2), n, n)}
		buffers = append(buffers, must(e.Execute(buffers, nil, 0))...)
		for _, x := range buffers {
			kept = append(kept, weak.Make(&must(x.Data()).([]float32)[0]))
		}
	}
	run()
	runtime.GC()
	runtime.GC() // the Go backend's pools are emptied by the second
	for i, p := range kept {
		if p.Value() != nil {
			t.Errorf("buffer %d is still in memory", i)
		}
	}
	runtime.KeepAlive(e)
}

// TestSpare holds that buffers which the Go backend makes anew in every step do
// not pile up.
func TestSpare(t *testing.T) {
	b := newBackend(t)
	e := compileWith(t, b, func(f compute.Function) []value {
		x := must(f.Parameter("x", floats(1000), nil))
		return []value{must(f.Reverse(x, 0)), must(f.Neg(x))}
	})
	x := buffer(t, b, random(1000, 1), 1000)
	for range 100 {
		for _, out := range must(e.Execute([]compute.Buffer{x}, nil, 0)) {
			if err := out.Finalize(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if b.spare.total > 2*4000 {
		t.Errorf("%d bytes are kept", b.spare.total)
	}
}
