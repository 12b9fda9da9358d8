package main

import (
	"slices"
	"testing"

	"github.com/kdcode/kdcode/codefile"
)

func TestAnalogy(t *testing.T) {
	inFolder(t)
	r := kd(t, "", "analogy", "t.kd", "cat", "cats", "new york", "--limit", "4")
	r.quiet(t)
	golden(t, "analogy", r.stdout)
	if byID := kd(t, "", "analogy", "t.kd", "--id", "5", "6", "7", "--limit", "4"); byID.stdout != r.stdout {
		t.Errorf("by id: %q", byID.stdout)
	}
}

func TestAnalogyJSON(t *testing.T) {
	inFolder(t)
	// king differs from man in the first digit, as queen does from woman.
	m := model()
	m.Symbols = []string{"man", "king", "woman", "queen", "e", "f", "g", "h", "i"}
	m.Codes = codefile.NewCodes(9, 4, 2)
	for i, code := range [][]uint16{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 2}, {2, 3}, {3, 2}, {3, 3}, {2, 2}} {
		m.Codes.Set(i, code)
	}
	m.Embeddings = codefile.Embeddings{Dim: 4, Values: []float32{
		1, 0, 0, 0 /**/, 0, 1, 0, 0 /**/, 0.1, 0, 0, 0 /**/, -1, 0, 0, 0,
		0, 0, 1, 0 /**/, 0, 0, 0, 1 /**/, 0, 0, 0.1, 0 /**/, 0, 0, -1, 0,
	}}
	write(t, "t.kd", m)
	r := kd(t, "", "analogy", "t.kd", "man", "king", "woman", "--json", "--limit", "0")
	r.quiet(t)
	var got analogyResult
	r.object(t, &got)
	if got.Near[0].Symbol != "queen" || len(got.Near) != 6 {
		t.Errorf("%+v", got)
	}
	if slices.ContainsFunc(got.Near, func(n neighbour) bool { return n.ID < 3 }) {
		t.Errorf("the three are not left out: %+v", got)
	}
	if got.A.Symbol != "man" || got.B.ID != 1 || got.C.Symbol != "woman" || got.A.Score != nil {
		t.Errorf("%+v", got)
	}
}
