package search

import (
	"fmt"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/internal/simd"
)

// Analogy returns the query for "a is to b as c is to …": the sum of the
// normalised vectors b − a + c (3CosAdd). Its neighbours by Cosine are the
// answers; a, b and c themselves are usually left out by Options.Skip.
func Analogy(t *kdcode.Table, a, b, c int) ([]float32, error) {
	query, v := make([]float32, t.Dim()), make([]float32, t.Dim())
	for _, term := range []struct {
		id   int
		sign float32
	}{{b, 1}, {a, -1}, {c, 1}} {
		if err := t.Lookup(v, term.id); err != nil {
			return nil, fmt.Errorf("analogy: %w", err)
		}
		if n := norm(v); n > 0 {
			simd.Axpy(query, term.sign/n, v)
		}
	}
	return query, nil
}
