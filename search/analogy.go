package search

import (
	"fmt"

	"github.com/kdcode/kdcode/internal/simd"
)

// Analogy returns the query for "a is to b as c is to …": the sum of the
// normalised vectors b − a + c (3CosAdd). Its neighbours by Cosine are the
// answers; a, b and c themselves are usually left out by Options.Skip.
func Analogy(t Source, a, b, c int) ([]float32, error) {
	d := t.Dim()
	query, vectors := make([]float32, d), make([]float32, 3*d)
	if err := t.LookupBatch(vectors, []int{b, a, c}); err != nil {
		return nil, fmt.Errorf("analogy: %w", err)
	}
	for i, sign := range []float32{1, -1, 1} {
		v := vectors[i*d:][:d]
		if n := norm(v); n > 0 {
			simd.Axpy(query, sign/n, v)
		}
	}
	return query, nil
}
