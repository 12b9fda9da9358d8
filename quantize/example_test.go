package quantize_test

import (
	"context"
	"fmt"
	"log"

	"github.com/kdcode/kdcode/quantize"
)

// Twelve vectors that are sums of one of three and one of four others are
// composed exactly by codes of two digits.
func ExampleCompress() {
	var table quantize.Matrix
	table.D = 2
	for _, x := range []float32{0, 10, 20} {
		for _, y := range []float32{0, 1, 2, 3} {
			table.Data = append(table.Data, x+y, x-y)
		}
	}
	model, err := quantize.Compress(context.Background(), table, nil, quantize.Options{K: 4, D: 2, Effort: quantize.Best})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(model.Codes.N(), "codes of", model.Codes.D, "digits,", model.Codes.RowBytes(), "byte each")
	// Output: 12 codes of 2 digits, 1 byte each
}
