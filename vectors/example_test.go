package vectors_test

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/kdcode/kdcode/vectors"
)

// Reading a table row by row, whatever its format.
func ExampleOpen() {
	r, err := vectors.Open("testdata/golden.glove.txt.gz", vectors.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	fmt.Println(r.Format(), r.Dim(), r.Len())
	row := make([]float32, r.Dim())
	for {
		symbol, err := r.Next(row)
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(symbol, row)
	}
	// Output:
	// glove 4 -1
	// the [1 -0.5 0.25 0]
	// naïve [3 1.5 -2 0.125]
	// </s> [-1 96 0.0078125 -0.75]
}

// A language model's token embeddings, with the tokens of its tokenizer.
func ExampleReadAll() {
	t, err := vectors.ReadAll("testdata/golden.f16.safetensors", vectors.Options{
		Tensor:  "emb",
		Symbols: "testdata/golden.bpe.tokenizer.json",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Len(), t.Dim, t.Symbols[2], t.Row(2))
	// Output: 3 4 </s> [-1 96 0.0078125 -0.75]
}

// What is wrong with a file, and where.
func ExampleNewReader() {
	text := strings.NewReader("the 0.1 0.2\nof 0.3 0.4\nto 0.5\n")
	r, err := vectors.NewReader(text, "standard input", vectors.Options{})
	if err != nil {
		log.Fatal(err)
	}
	_, err = r.ReadAll()
	fmt.Println(err)
	// Output: standard input:3: 1 numbers instead of 2: correct the line or delete it, or name the dimension if it is not 2
}

// Rows in any order, from a table that need not fit into memory.
func ExampleReader_ReadRows() {
	r, err := vectors.Open("testdata/golden.f4.npy", vectors.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	if !r.RandomAccess() {
		log.Fatal("read it in order instead")
	}
	row := make([]float32, r.Dim())
	if err := r.ReadRows(row, 1); err != nil {
		log.Fatal(err)
	}
	fmt.Println(row)
	// Output: [3 1.5 -2 0.125]
}

// Writing a table: the file appears at Commit.
func ExampleCreate() {
	dir, err := os.MkdirTemp("", "vectors")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "table.vec")
	w, err := vectors.Create(path, vectors.Word2VecText, 2, vectors.WriterOptions{Rows: 2})
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	for _, symbol := range []string{"cat", "cats"} {
		if err := w.Write(symbol, []float32{0.5, 1}); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Commit(); err != nil {
		log.Fatal(err)
	}
	text, _ := os.ReadFile(path)
	fmt.Print(string(text))
	// Output:
	// 2 2
	// cat 0.5 1
	// cats 0.5 1
}
