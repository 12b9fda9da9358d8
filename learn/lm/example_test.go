package lm_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/gomlx/compute"

	"github.com/kdcode/kdcode/codefile"
	_ "github.com/kdcode/kdcode/engine" // the backend "simd"
	"github.com/kdcode/kdcode/learn"
	"github.com/kdcode/kdcode/learn/lm"
)

// Training a language model whose words are codes, and continuing a sentence
// from its file.
func ExampleTrain() {
	dir, err := os.MkdirTemp("", "lm")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	lines := "one two three four five\nfive four three two one\n"
	for part, times := range map[string]int{"train": 100, "valid": 10, "test": 10} {
		text := strings.Repeat(lines, times)
		if err := os.WriteFile(filepath.Join(dir, part+".txt"), []byte(text), 0o666); err != nil {
			log.Fatal(err)
		}
	}
	c, err := lm.Read(dir)
	if err != nil {
		log.Fatal(err)
	}
	backend, err := compute.NewWithConfig("simd")
	if err != nil {
		log.Fatal(err)
	}

	size := lm.Size{Dim: 16, Steps: 6, InitScale: 0.3, Keep: 1, Clip: 5, Flat: 8, Decay: 0.8, Epochs: 12}
	words := learn.NewKD(len(c.Words), size.Dim).Ways(4).CodeLength(4)
	r, err := lm.Train(context.Background(), c, words, lm.Options{
		Backend: backend, Size: size, Batch: 4, Seed: 1, Optimizer: learn.Mixed(1, size.Clip),
	})
	if err != nil {
		log.Fatal(err)
	}
	m, err := r.Model()
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(dir, "count.kd")
	if err := codefile.WriteFile(path, m); err != nil {
		log.Fatal(err)
	}

	trained, err := lm.Open(path, backend)
	if err != nil {
		log.Fatal(err)
	}
	text, err := trained.Encode([]string{"five", "four"})
	if err != nil {
		log.Fatal(err)
	}
	next, err := trained.Continue(context.Background(), text, lm.Sampling{Words: 3})
	if err != nil {
		log.Fatal(err)
	}
	for _, id := range next {
		fmt.Println(trained.Words[id])
	}
	// Output:
	// three
	// two
	// one
}
