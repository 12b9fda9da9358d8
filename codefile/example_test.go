package codefile_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/kdcode/kdcode/codefile"
)

// Three symbols with codes of two digits, each 0 or 1. WriteFile writes the same
// bytes to a file.
func ExampleModel_WriteTo() {
	model := &codefile.Model{
		Codes:       codefile.NewCodes(3, 2, 2), // N, K, D
		Composition: codefile.Sum,
		Embeddings:  codefile.Embeddings{Dim: 1, Values: []float32{0, 10, 1, 2}}, // [D, K, d']
		Symbols:     []string{"one", "two", "twelve"},
	}
	model.Codes.Set(0, []uint16{0, 0}) // 0 + 1
	model.Codes.Set(1, []uint16{0, 1}) // 0 + 2
	model.Codes.Set(2, []uint16{1, 1}) // 10 + 2
	var file bytes.Buffer
	if _, err := model.WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	r, err := codefile.NewReader(file.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	id, _ := r.ID("twelve")
	digits := make([]uint16, r.D)
	r.Digits(digits, id)
	fmt.Println(r.N, "codes of", r.D, "digits; that of symbol", id, "is", digits)
	fmt.Println(r.Verify())
	// Output:
	// 3 codes of 2 digits; that of symbol 2 is [1 1]
	// <nil>
}
