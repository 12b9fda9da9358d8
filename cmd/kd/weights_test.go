package main

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestRankWeights(t *testing.T) {
	w := rankWeights(100)
	sum := 0.0
	for i, x := range w {
		sum += float64(x)
		if want := w[0] / float32(math.Sqrt(float64(i+1))); math.Abs(float64(x/want-1)) > 1e-5 {
			t.Errorf("weight %d is %g instead of %g", i, x, want)
		}
	}
	if math.Abs(sum/100-1) > 1e-5 {
		t.Errorf("the mean is %g", sum/100)
	}
}

func TestReadWeights(t *testing.T) {
	t.Chdir(t.TempDir())
	symbols := []string{"the", "new york", "cat"}
	for _, test := range []struct {
		text    string
		want    []float32
		missing int
	}{
		{"1\n2.5\n3e1\n", []float32{1, 2.5, 30}, 0},
		{"\n1\r\n\n2\r\n3", []float32{1, 2, 3}, 0},
		{"the 100\nnew york 20\ndog 3\ncat\t5\n", []float32{100, 20, 5}, 0},
		{"the 100\ndog 3\n", []float32{100, 3, 3}, 2},
	} {
		writeText(t, "w.txt", test.text)
		got, missing, err := readWeights(t.Context(), "w.txt", len(symbols), symbols)
		if err != nil || missing != test.missing || !slices.Equal(got, test.want) {
			t.Errorf("%q: %v, %d missing, %v", test.text, got, missing, err)
		}
	}
	for _, test := range []struct{ text, want string }{
		{"1\n2\n", "w.txt: 2 weights for 3 vectors"},
		{"", "w.txt: 0 weights for 3 vectors"},
		{"1\n2\nx\n", `w.txt:3: "x" is not a number`},
		{"1\n0\n3\n", "w.txt:2: the weight 0 is not a number above 0"},
		{"1\n-1\n3\n", "w.txt:2:"},
		{"1\nNaN\n3\n", "w.txt:2:"},
		{"1\ninf\n3\n", "w.txt:2:"},
		{"the 1\n2\n", "w.txt:2: some lines have a symbol"},
		{"1\nthe 2\n", "w.txt:2: some lines have a symbol"},
		{"dog 1\n", "none of the table's symbols"},
	} {
		writeText(t, "w.txt", test.text)
		if _, _, err := readWeights(t.Context(), "w.txt", len(symbols), symbols); err == nil || !strings.Contains(err.Error(), test.want) || exitCode(err) != exitData {
			t.Errorf("%q: %v", test.text, err)
		}
	}
	writeText(t, "w.txt", "the 1\n")
	if _, _, err := readWeights(t.Context(), "w.txt", 3, nil); err == nil || !strings.Contains(err.Error(), "the table has no symbols") {
		t.Error(err)
	}
	if _, _, err := readWeights(t.Context(), "missing.txt", 3, nil); exitCode(err) != exitFailed {
		t.Error(err)
	}
}
