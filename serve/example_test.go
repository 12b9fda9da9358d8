package serve_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/serve"
)

// A table served by a program of one's own: a Server is an http.Handler.
func ExampleNew() {
	dir, err := os.MkdirTemp("", "serve")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "numbers.kd")
	m := &codefile.Model{
		Codes:       codefile.NewCodes(2, 2, 2), // N, K, D
		Composition: codefile.Sum,
		Embeddings:  codefile.Embeddings{Dim: 1, Values: []float32{0, 10, 1, 2}}, // [D, K, d']
		Symbols:     []string{"one", "twelve"},
	}
	m.Codes.Set(0, []uint16{0, 0}) // 0 + 1
	m.Codes.Set(1, []uint16{1, 1}) // 10 + 2
	if err := codefile.WriteFile(path, m); err != nil {
		log.Fatal(err)
	}

	s, err := serve.New([]serve.Source{{Name: "numbers", Path: path}}, serve.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	web := httptest.NewServer(s)
	defer web.Close()

	answer, err := http.Get(web.URL + "/v1/tables/numbers/vectors/twelve")
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Status, string(body))
	// Output: 200 OK {"id":1,"symbol":"twelve","vector":[12]}
}
