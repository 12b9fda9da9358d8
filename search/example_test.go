package search_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/search"
)

// tiny returns a table: codes of D = 2 digits out of K = 2, vectors of
// width 2 that are the sums of two of the code embeddings w [D, K, d'].
func tiny(w []float32, symbols []string, codes [][]uint16) *kdcode.Table {
	m := &codefile.Model{
		Composition: codefile.Sum,
		Codes:       codefile.NewCodes(len(codes), 2, 2),
		Symbols:     symbols,
		Embeddings:  codefile.Embeddings{Dim: 2, Values: w},
	}
	for id, code := range codes {
		m.Codes.Set(id, code)
	}
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	t, err := kdcode.FromBytes(file.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	return t
}

func animals() *kdcode.Table {
	return tiny([]float32{
		1, 2, // W^1[0]
		-3, 5, // W^1[1]
		0.5, 0, // W^2[0]
		0, 0.25, // W^2[1]
	}, []string{"cat", "dog", "car", "tomcat"}, [][]uint16{{0, 0}, {0, 1}, {1, 1}, {0, 0}})
}

// The words nearest to one, without itself.
func ExampleIndex_Search() {
	t := animals()
	defer t.Close()
	x, err := search.NewIndex(t)
	if err != nil {
		log.Fatal(err)
	}
	cat, _ := t.ID("cat")
	v := make([]float32, t.Dim())
	if err := t.Lookup(v, cat); err != nil {
		log.Fatal(err)
	}
	near, err := x.Search(context.Background(), [][]float32{v}, search.Options{
		Limit: 2,
		Skip:  func(id int) bool { return id == cat },
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range near[0] {
		word, err := t.Symbol(n.ID)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.3f %s\n", n.Score, word)
	}
	// Output:
	// 1.000 tomcat
	// 0.975 dog
}

// The tree of codes, digit by digit.
func ExampleIndex_Prefix() {
	t := animals()
	defer t.Close()
	x, err := search.NewIndex(t)
	if err != nil {
		log.Fatal(err)
	}
	for _, prefix := range [][]uint16{nil, {0}, {0, 0}} {
		g, err := x.Prefix(prefix)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(prefix, g.Count, g.Children, g.IDs(0, 10))
	}
	// Output:
	// [] 4 [{0 3} {1 1}] [0 3 1 2]
	// [0] 3 [{0 2} {1 1}] [0 3 1]
	// [0 0] 2 [] [0 3]
}

// Man is to woman as king is to what?
func ExampleAnalogy() {
	t := tiny([]float32{
		1, 0, // W^1[0]: any person
		3, 0, // W^1[1]: a ruler
		0, 1, // W^2[0]: male
		0, -1, // W^2[1]: female
	}, []string{"man", "woman", "king", "queen"}, [][]uint16{{0, 0}, {0, 1}, {1, 0}, {1, 1}})
	defer t.Close()
	man, _ := t.ID("man")
	woman, _ := t.ID("woman")
	king, _ := t.ID("king")
	query, err := search.Analogy(t, man, woman, king)
	if err != nil {
		log.Fatal(err)
	}
	// A single question needs no index.
	near, err := search.Exact(context.Background(), t, [][]float32{query}, search.Options{
		Limit: 1,
		Skip:  func(id int) bool { return id == man || id == woman || id == king },
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Symbol(near[0][0].ID))
	// Output: queen <nil>
}
