package graph_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/gomlx/compute"
	_ "github.com/gomlx/compute/gobackend"

	"github.com/kdcode/kdcode/codefile"
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

// Training a network whose features are codes, and measuring it from its file.
func ExampleTrain() {
	d, err := graph.Planetoid("testdata", "tiny")
	if err != nil {
		log.Fatal(err)
	}
	backend, err := compute.NewWithConfig("go")
	if err != nil {
		log.Fatal(err)
	}
	features := graph.NewKD(d.Features, 8).Ways(4).CodeLength(4)
	r, err := graph.Train(context.Background(), d, features, graph.Options{Backend: backend, Epochs: 20})
	if err != nil {
		log.Fatal(err)
	}
	m, err := r.Model()
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "graph")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "tiny.kd")
	if err := codefile.WriteFile(path, m); err != nil {
		log.Fatal(err)
	}
	network, err := graph.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer network.Close()
	accuracy, err := network.Evaluate(d, d.Test)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(accuracy == r.Test.Score, network.Labels())
	// Output: true [0 1 2]
}
