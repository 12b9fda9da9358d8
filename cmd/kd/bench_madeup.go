package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/kdcode/kdcode/codefile"
)

// writeMadeUp writes a code file of the shape asked for: random codes, random
// code embeddings, symbols such as w000123.
func writeMadeUp(ctx context.Context, s *streams, path string, o benchLookupOptions) error {
	s.progress.note("making a table up")
	random := rand.New(rand.NewPCG(3, 4))
	m := &codefile.Model{
		Codes:       codefile.NewCodes(o.n, o.k, o.d),
		Composition: codefile.Composition(o.compose),
		Symbols:     make([]string, o.n),
		Metadata:    map[string]string{"made_by": "kd bench lookup"},
	}
	digits := make([]uint16, o.d)
	width := len(fmt.Sprint(o.n - 1))
	for i := range o.n {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for j := range digits {
			digits[j] = uint16(random.IntN(o.k))
		}
		m.Codes.Set(i, digits)
		m.Symbols[i] = fmt.Sprintf("w%0*d", max(width, 6), i)
	}
	floats := func(n int) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(random.NormFloat64() / 8)
		}
		return v
	}
	codeDim := o.dim
	switch m.Composition {
	case codefile.Concat:
		codeDim = o.dim / o.d
	case codefile.Affine:
		// Narrower code embeddings: otherwise the writer would fold the
		// projection into a sum.
		codeDim = max(1, o.dim/4)
		m.Projection, m.Bias = floats(o.dim*codeDim), floats(o.dim)
	case codefile.Recur:
		m.LSTM = &codefile.LSTM{Hidden: o.dim, Recurrent: floats(4 * o.dim * o.dim), Bias: floats(4 * o.dim)}
	}
	m.Embeddings = codefile.Embeddings{Values: floats(o.d * o.k * codeDim), Dim: codeDim, DType: codefile.DType(o.dtype)}
	return writeModel(ctx, path, m)
}
