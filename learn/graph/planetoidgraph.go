package graph

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// readTest reads test.index: a node a line, in the order of tx.
func (p *planetoid) readTest() ([]int, error) {
	path := p.file("test.index")
	f, err := os.Open(path)
	if err != nil {
		return nil, missing(err)
	}
	defer f.Close()
	var test []int
	seen := make(map[int]int)
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		// 30 bits: the nodes can still be counted in an int32.
		number, err := strconv.ParseUint(strings.TrimSpace(lines.Text()), 10, 30)
		node := int(number)
		switch {
		case err != nil:
			return nil, badf(atLine(path, n), "%q is not a node's number; download the file again", clip(lines.Text()))
		case node < p.allx.Rows:
			return nil, badf(atLine(path, n), "node %d is one of the %d of %s; download the files again", node, p.allx.Rows, p.file("allx"))
		case seen[node] > 0:
			return nil, badf(atLine(path, n), "node %d stands in line %d too; download the file again", node, seen[node])
		}
		seen[node] = n
		test = append(test, node)
	}
	if err := lines.Err(); err != nil {
		return nil, badf(path, "%v; download the file again", err)
	}
	if len(test) == 0 {
		return nil, badf(path, "the file is empty; download it again")
	}
	return test, nil
}

// edges returns the edges, after a look that the graph has just as many nodes
// as the other files: before anything of that size is allocated.
func (p *planetoid) edges(nodes int) ([][2]int, error) {
	path := p.file("graph")
	known := make(map[int]bool)
	var pairs [][2]int
	for from, list := range p.graph {
		known[from] = true
		for _, to := range list {
			known[to] = true
			pairs = append(pairs, [2]int{from, to})
		}
	}
	for node := range known {
		if node < 0 || node >= nodes {
			return nil, badf(path, "it has a node %d, but the other files have %d nodes; download the files again", node, nodes)
		}
	}
	if len(known) != nodes {
		return nil, badf(path, "%d nodes, but the other files have %d; download the files again", len(known), nodes)
	}
	if pairs = undirected(pairs); len(pairs) == 0 {
		return nil, badf(path, "no edge joins two nodes: without edges there is no graph")
	}
	return pairs, nil
}
