package engine

import (
	"testing"

	"github.com/gomlx/compute"
)

// BenchmarkStep is a step of the perceptron: the engine's own overhead counts.
func BenchmarkStep(b *testing.B) {
	backend := newBackend(b)
	e := compileWith(b, backend, perceptron)
	x, y := buffer(b, backend, random(64*48, 1), 64, 48), buffer(b, backend, make([]int32, 64), 64, 1)
	w1, w2 := buffer(b, backend, random(48*96, 2), 48, 96), buffer(b, backend, random(96*300, 3), 96, 300)
	b.ReportAllocs()
	for b.Loop() {
		out := must(e.Execute([]compute.Buffer{x, y, w1, w2}, []bool{false, false, true, true}, 0))
		w1, w2 = out[0], out[1]
		if err := out[2].Finalize(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLoop is element-wise operations on 5 million floats: four are to
// take little longer than one.
func BenchmarkLoop(b *testing.B) {
	const n = 5_000_000
	chain := func(operations ...func(compute.Function, value) (value, error)) func(f compute.Function) []value {
		return func(f compute.Function) []value {
			v := must(f.Parameter("x", floats(n), nil))
			for _, op := range operations {
				v = must(op(f, v))
			}
			return []value{v}
		}
	}
	square := func(f compute.Function, v value) (value, error) { return f.Mul(v, v) }
	for _, c := range []struct {
		name  string
		build func(f compute.Function) []value
	}{
		{"neg", chain(compute.Function.Neg)},
		{"four", chain(compute.Function.Neg, square, compute.Function.Abs, compute.Function.Neg)},
		{"tanh", chain(compute.Function.Tanh)},
		{"logistic", chain(compute.Function.Logistic)},
		{"exp", chain(compute.Function.Exp)},
	} {
		b.Run(c.name, func(b *testing.B) {
			backend := newBackend(b)
			e := compileWith(b, backend, c.build)
			x := buffer(b, backend, random(n, 1), n)
			b.SetBytes(8 * n)
			for b.Loop() {
				x = must(e.Execute([]compute.Buffer{x}, []bool{true}, 0))[0]
			}
		})
	}
}
