package classify_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kdcode/kdcode/classify"
	"github.com/kdcode/kdcode/codefile"
)

// makeClassifier writes a tiny classifier: four words, whose vectors of width
// 2 are the sums of two code embeddings, and two labels.
func makeClassifier(path string) error {
	codes := codefile.NewCodes(4, 2, 2)
	codes.Set(0, []uint16{0, 0})
	codes.Set(1, []uint16{0, 1})
	codes.Set(2, []uint16{1, 0})
	codes.Set(3, []uint16{1, 1})
	m := &codefile.Model{
		Codes:       codes,
		Composition: codefile.Sum,
		Symbols:     []string{"stocks", "market", "goal", "match"},
		Embeddings:  codefile.Embeddings{Dim: 2, Values: []float32{2, 0, 0, 2, 0.5, 0, 0, 0.5}},
	}
	c := classify.Classifier{
		Labels: []string{"business", "sports"},
		Weight: []float32{1, -1, -1, 1},
		Bias:   []float32{0, 0},
	}
	if err := c.AddTo(m); err != nil {
		return err
	}
	return codefile.WriteFile(path, m)
}

// news returns the path of that classifier, and what removes it.
func news() (path string, remove func()) {
	dir, err := os.MkdirTemp("", "classify")
	if err != nil {
		log.Fatal(err)
	}
	path = filepath.Join(dir, "news.kd")
	if err := makeClassifier(path); err != nil {
		log.Fatal(err)
	}
	return path, func() { os.RemoveAll(dir) }
}

func Example() {
	path, remove := news()
	defer remove()
	m, err := classify.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	p := m.Predictor()
	best, err := p.Predict("Stocks fell: the market closed lower.", 2)
	if err != nil {
		log.Fatal(err)
	}
	for _, b := range best {
		fmt.Printf("%s %.3f\n", b.Label, b.Probability)
	}
	// Output:
	// business 0.982
	// sports 0.018
}

func ExamplePredictor_Scores() {
	path, remove := news()
	defer remove()
	m, err := classify.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	p := m.Predictor()
	scores := make([]float32, len(m.Labels()))
	known, err := p.Scores(scores, []byte("A late goal!"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Labels()[classify.Best(scores)], scores, known, "word known")
	// Output: sports [-1.5 1.5] 1 word known
}

func ExampleModel_Evaluate() {
	path, remove := news()
	defer remove()
	m, err := classify.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	data := "stocks rose\tbusiness\na goal\tsports\nthe match\tsports\na market for players\tsports\n"
	r, err := classify.NewReader(strings.NewReader(data), "test.tsv", classify.Detect)
	if err != nil {
		log.Fatal(err)
	}
	report, err := m.Evaluate(r, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report)
	fmt.Println(report.Confusion)
	// Output:
	// accuracy 0.7500, macro F1 0.7333 over 4 examples
	// [[1 0] [1 2]]
}

func ExampleTokens() {
	fmt.Printf("%q\n", slices.Collect(classify.Tokens("It's a 1.8-inch drive.")))
	// Output: ["it" "'" "s" "a" "1" "." "8" "-" "inch" "drive" "."]
}

func ExampleCounts() {
	var c classify.Counts
	c.Add("The cat sees the dog.")
	c.Add("The dog sleeps.")
	v, err := c.Vocabulary(2, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q %v\n", v.Words(), v.AppendIDs(nil, "A dog, the dog."))
	// Output: ["the" "." "dog"] [2 0 2 1]
}

func ExampleReader() {
	data := `"3","Wall St. Bears","Short-sellers see ""green"" again.\nReuters"` + "\n"
	r, err := classify.NewReader(strings.NewReader(data), "train.csv", classify.Detect)
	if err != nil {
		log.Fatal(err)
	}
	for e, err := range r.All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Label, e.Text)
	}
	// Output: 3 Wall St. Bears Short-sellers see "green" again. Reuters
}
