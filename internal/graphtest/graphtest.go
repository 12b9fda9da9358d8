// Package graphtest makes graphs for tests: planted partitions, whose classes
// show in the features of the nodes and in the edges between them.
package graphtest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Shape is the shape of a made-up graph.
type Shape struct {
	Nodes, Features, Classes int
	Seed                     uint64
}

const (
	perNode  = 8    // features drawn for a node; some may fall together
	edges    = 3    // drawn for a node
	telling  = 0.6  // the share of features that are its class's own
	withinIt = 0.85 // the share of edges that stay in the class
)

// Write writes a graph into a folder, in the text that package learn/graph
// reads. Node i is n<i> of class c<i mod Classes>; feature j, f<j>, belongs to
// class j mod Classes. The first tenth of the nodes is to train on, the next two
// tenths validate and the rest test; Nodes ≥ 10·Classes gives training nodes to
// every class.
func Write(dir string, s Shape) error {
	if s.Classes < 2 || s.Features < s.Classes || s.Nodes < 10*s.Classes {
		return fmt.Errorf("graphtest: %+v: it takes 2 classes, as many features, and 10 nodes a class", s)
	}
	rng := rand.New(rand.NewPCG(s.Seed, 0))
	var features, joined, labels, split strings.Builder
	s.first(&features)
	for i := range s.Nodes {
		if i > 0 {
			s.features(&features, rng, i)
		}
		for range edges {
			fmt.Fprintf(&joined, "n%d n%d\n", i, s.pick(rng, i, s.Nodes, withinIt))
		}
		fmt.Fprintf(&labels, "n%d c%d\n", i, i%s.Classes)
		fmt.Fprintf(&split, "n%d %s\n", i, s.part(i))
	}
	for name, text := range map[string]string{
		"features": features.String(), "edges": joined.String(), "labels": labels.String(), "split": split.String(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// first writes the line of node 0, which names every feature, in the order of
// their numbers, and has the first of its class.
func (s Shape) first(b *strings.Builder) {
	b.WriteString("n0")
	for j := range s.Features {
		value := 0
		if j%s.Classes == 0 && j/s.Classes < perNode {
			value = 1
		}
		fmt.Fprintf(b, " f%d:%d", j, value)
	}
	b.WriteByte('\n')
}

// features writes the line of node i.
func (s Shape) features(b *strings.Builder, rng *rand.Rand, i int) {
	fmt.Fprintf(b, "n%d", i)
	seen := make(map[int]bool)
	for range perNode {
		if j := s.pick(rng, i, s.Features, telling); !seen[j] {
			seen[j] = true
			fmt.Fprintf(b, " f%d", j)
		}
	}
	b.WriteByte('\n')
}

// pick draws a number below n: with the probability given one of i's class.
func (s Shape) pick(rng *rand.Rand, i, n int, own float64) int {
	if rng.Float64() >= own {
		return rng.IntN(n)
	}
	class := i % s.Classes
	return class + s.Classes*rng.IntN((n-class+s.Classes-1)/s.Classes)
}

func (s Shape) part(i int) string {
	switch {
	case i < s.Nodes/10:
		return "train"
	case i < s.Nodes*3/10:
		return "valid"
	}
	return "test"
}
