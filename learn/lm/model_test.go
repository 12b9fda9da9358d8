package lm_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/kdcode/kdcode/learn/lm"
)

// TestPerplexity compares with testdata/perplexity.py, which reads the same file
// by NumPy alone: every word but the first counts, wherever batches end.
func TestPerplexity(t *testing.T) {
	content, err := os.ReadFile("testdata/perplexity.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden []struct {
		Name, Text string
		Perplexity float64
	}
	if err := json.Unmarshal(content, &golden); err != nil {
		t.Fatal(err)
	}
	m, err := lm.Open("testdata/count.kd", backend(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range golden {
		t.Run(g.Name, func(t *testing.T) {
			text, err := m.Encode(strings.Fields(g.Text))
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.Perplexity(context.Background(), text)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got/g.Perplexity-1) > 1e-5 {
				t.Errorf("perplexity %g, want %g", got, g.Perplexity)
			}
		})
	}
}
