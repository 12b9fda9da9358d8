package kdcode_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
)

// makeTable writes a tiny table: three symbols, codes of D = 2 digits out of
// K = 2, vectors of width 2 that are the sums of two code embeddings.
func makeTable(path string) error {
	codes := codefile.NewCodes(3, 2, 2)
	codes.Set(0, []uint16{0, 0})
	codes.Set(1, []uint16{0, 1})
	codes.Set(2, []uint16{1, 1})
	return codefile.WriteFile(path, &codefile.Model{
		Codes:       codes,
		Composition: codefile.Sum,
		Symbols:     []string{"cat", "dog", "car"},
		Embeddings: codefile.Embeddings{Dim: 2, Values: []float32{
			1, 2, // W^1[0]
			-3, 5, // W^1[1]
			0.5, 0, // W^2[0]
			0, 0.25, // W^2[1]
		}},
	})
}

func Example() {
	dir, err := os.MkdirTemp("", "kdcode")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "animals.kd")
	if err := makeTable(path); err != nil {
		log.Fatal(err)
	}

	t, err := kdcode.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	v := make([]float32, t.Dim())
	if id, ok := t.ID("dog"); ok {
		if err := t.Lookup(v, id); err != nil {
			log.Fatal(err)
		}
		fmt.Println(v, t.Code(nil, id))
	}
	// Output: [1 2.25] [0 1]
}

// animals returns that table, opened.
func animals() *kdcode.Table {
	dir, err := os.MkdirTemp("", "kdcode")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "animals.kd")
	if err := makeTable(path); err != nil {
		log.Fatal(err)
	}
	t, err := kdcode.Load(path) // in memory: the file may go
	if err != nil {
		log.Fatal(err)
	}
	return t
}

func ExampleTable_LookupBatch() {
	t := animals()
	defer t.Close()
	ids := []int{2, 0}
	vectors := make([]float32, len(ids)*t.Dim())
	if err := t.LookupBatch(vectors, ids); err != nil {
		log.Fatal(err)
	}
	fmt.Println(vectors)
	// Output: [-3 5.25 1.5 2]
}

func ExampleTable_Symbols() {
	t := animals()
	defer t.Close()
	for id, symbol := range t.Symbols() {
		fmt.Println(id, symbol)
	}
	// Output:
	// 0 cat
	// 1 dog
	// 2 car
}
