package classify_test

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/kdcode/kdcode/classify"
)

var update = flag.Bool("update", false, "write the golden file again")

// The golden file stays readable forever, and is what is written today.
func TestGolden(t *testing.T) {
	const golden = "testdata/lower-punct-1.kd"
	path := filepath.Join(t.TempDir(), "news.kd")
	if *update {
		path = golden
	}
	if err := makeClassifier(path); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what is written now", golden)
	}
	m, err := classify.Open(golden)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	best, err := m.Predictor().Predict("MATCH, goal; market?", 1)
	if err != nil {
		t.Fatal(err)
	}
	// Vectors (0, 2.5), (0.5, 2) and (2, 0.5): scores ∓2.5/3.
	if p := 1 / (1 + math.Exp(-5./3)); best[0].Label != "sports" || math.Abs(best[0].Probability-p) > 1e-6 {
		t.Errorf("%v, want sports %g", best, p)
	}
}
