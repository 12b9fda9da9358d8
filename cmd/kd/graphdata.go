package main

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/learn/graph"
)

// graphData says where a graph is.
type graphData struct {
	dir  string
	name string // of a Planetoid data set; none is a graph in text
}

// flags gives cmd the flags of a verb that reads a graph.
func (g *graphData) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&g.dir, "data", "", "`DIR` of the graph")
	cmd.Flags().StringVar(&g.name, "name", "", "`NAME` of a Planetoid data set in DIR: cora, citeseer, pubmed")
	completeFlag(cmd, "name", "cora", "citeseer", "pubmed")
}

// String returns what stands for the graph in reports.
func (g *graphData) String() string {
	if g.name != "" {
		return g.name
	}
	return filepath.Base(g.dir)
}

func (g *graphData) read(ctx context.Context, s *streams) (*graph.Dataset, error) {
	if set := planetoidSet(g.dir); g.name == "" && set != "" {
		return nil, usagef("%s has Planetoid's files: say which data set, such as --name %s", g.dir, set)
	}
	s.progress.note("reading " + g.dir)
	return await(ctx, func() (*graph.Dataset, error) {
		if g.name == "" {
			return graph.ReadText(g.dir)
		}
		return graph.Planetoid(g.dir, g.name)
	})
}

// planetoidSet returns the name of a data set in Planetoid's files, if a folder
// has some.
func planetoidSet(dir string) string {
	entries, _ := os.ReadDir(dir) // reading the data set tells what is wrong with it
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".x"); ok && strings.HasPrefix(name, "ind.") {
			return strings.TrimPrefix(name, "ind.")
		}
	}
	return ""
}

// numbered returns the names, or the numbers below n where there are none.
func numbered(names []string, n int) []string {
	if names != nil {
		return names
	}
	all := make([]string, n)
	for i := range all {
		all[i] = strconv.Itoa(i)
	}
	return all
}
