package quantize_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
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

// made returns a table of 500 vectors of width 8, around 20 of them.
func made() quantize.Matrix {
	rng := rand.New(rand.NewPCG(1, 1))
	centres := make([]float32, 20*8)
	for i := range centres {
		centres[i] = float32(rng.NormFloat64())
	}
	table := quantize.Matrix{D: 8}
	for range 500 {
		c := rng.IntN(20)
		for j := range 8 {
			table.Data = append(table.Data, centres[c*8+j]+0.1*float32(rng.NormFloat64()))
		}
	}
	return table
}

// The smallest file that keeps to an error, and what it lost: the vectors are
// read back from it and compared with the original ones.
func ExampleCompressTo() {
	ctx, original := context.Background(), made()
	target := quantize.Target{MaxError: 0.01}
	model, _, err := quantize.CompressTo(ctx, original, nil, target, quantize.Options{DType: codefile.Int8})
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := model.WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	t, err := kdcode.FromBytes(file.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()

	ids := make([]int, t.Len())
	for i := range ids {
		ids[i] = i
	}
	compressed := quantize.Matrix{Data: make([]float32, t.Len()*t.Dim()), D: t.Dim()}
	if err := t.LookupBatch(compressed.Data, ids); err != nil {
		log.Fatal(err)
	}
	f, err := quantize.Measure(ctx, original, compressed, quantize.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("kept to the error:", f.RelativeError <= target.MaxError, "smaller:", t.Size().Ratio() > 1)
	// Output: kept to the error: true smaller: true
}

// New vectors get codes from the code embeddings that were learned of others.
func ExampleEncode() {
	table := made()
	old := quantize.Matrix{Data: table.Data[:400*8], D: 8}
	today := quantize.Matrix{Data: table.Data[400*8:], D: 8}
	model, err := quantize.Compress(context.Background(), old, nil, quantize.Options{K: 16, D: 8})
	if err != nil {
		log.Fatal(err)
	}
	codes, err := quantize.Encode(context.Background(), today, model, quantize.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(codes.N(), "codes of", codes.D, "digits out of", codes.K)
	// Output: 100 codes of 8 digits out of 16
}
