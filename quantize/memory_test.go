package quantize

import (
	"context"
	"errors"
	"testing"

	"github.com/kdcode/kdcode/codefile"
)

// streamed is a Source that counts how many rows are asked for at a time.
type streamed struct {
	Matrix
	most int
}

func (s *streamed) Rows(dst []float32, first, n int) error {
	s.most = max(s.most, n)
	return s.Matrix.Rows(dst, first, n)
}

// TestMemory: with little memory the learner takes a sample, and never more
// than a chunk of rows at a time.
func TestMemory(t *testing.T) {
	src := &streamed{Matrix: madeUp(20_000, 6, 14)}
	o := Options{K: 8, D: 4, Composition: codefile.Sum}
	o.Memory = o.least(src.Len(), src.Dim()) + 100_000
	if n := o.sample(src.Len(), src.Dim()); n >= src.Len() || n < leastSample {
		t.Fatalf("a sample of %d rows", n)
	}
	m, err := Compress(context.Background(), src, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	if src.most > 10_000 {
		t.Errorf("%d rows were asked for at once", src.most)
	}
	sampled, all := errorOf(t, src, m), errorOf(t, src, compress(t, src, Options{K: 8, D: 4}))
	if sampled > 1.1*all {
		t.Errorf("error %.4f from a sample, %.4f from all rows", sampled, all)
	}
	o.Memory = 1 << 20
	if _, err := Check(src, nil, o); !errors.Is(err, ErrInput) {
		t.Errorf("too little memory: %v", err)
	}
}
