package graph_test

import (
	"fmt"
	"log"
	"os"

	"github.com/kdcode/kdcode/learn/graph"
)

// Turning a Planetoid data set into text.
func ExamplePlanetoid() {
	d, err := graph.Planetoid("testdata", "tiny")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Nodes, "nodes,", d.Features, "features,", d.Classes, "classes,", len(d.Edges), "edges")
	fmt.Println(len(d.Train), "to train on,", len(d.Valid), "to validate,", len(d.Test), "to test")
	dir, err := os.MkdirTemp("", "graph")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := d.WriteText(dir); err != nil {
		log.Fatal(err)
	}
	again, err := graph.ReadText(dir)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("again:", again.Nodes, "nodes,", len(again.Edges), "edges")
	// Output:
	// 30 nodes, 12 features, 3 classes, 23 edges
	// 6 to train on, 14 to validate, 8 to test
	// again: 30 nodes, 23 edges
}
