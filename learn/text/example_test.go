package text_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/gomlx/compute"

	"github.com/kdcode/kdcode/classify"
	"github.com/kdcode/kdcode/codefile"
	_ "github.com/kdcode/kdcode/engine" // the backend "simd"
	"github.com/kdcode/kdcode/learn"
	"github.com/kdcode/kdcode/learn/text"
)

// Training a classifier whose words are codes, and predicting from its file by
// package classify, which does without GoMLX.
func ExampleTrain() {
	dir, err := os.MkdirTemp("", "text")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	train := filepath.Join(dir, "train.tsv")
	lines := "stocks fell\tbusiness\nthe bank grew\tbusiness\na late goal\tsports\nthe team won\tsports\n"
	if err := os.WriteFile(train, []byte(strings.Repeat(lines, 50)), 0o666); err != nil {
		log.Fatal(err)
	}
	c, err := text.Read(text.Source{Train: train})
	if err != nil {
		log.Fatal(err)
	}
	backend, err := compute.NewWithConfig("simd")
	if err != nil {
		log.Fatal(err)
	}

	words := learn.NewKD(len(c.Words), 8).Ways(4).CodeLength(4)
	r, err := text.Train(context.Background(), c, words, text.Options{
		Backend: backend, Batch: 16, Epochs: 10, Rate: 1e-2, Seed: 1,
	})
	if err != nil {
		log.Fatal(err)
	}
	m, err := r.Model()
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(dir, "news.kd")
	if err := codefile.WriteFile(path, m); err != nil {
		log.Fatal(err)
	}

	news, err := classify.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer news.Close()
	best, err := news.Predictor().Predict("The bank fell.", 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(best[0].Label, best[0].Probability > 0.8)
	// Output: business true
}
