package graph

import (
	"math"
	"strconv"
	"strings"
)

// ReadText reads a graph in text: the files features, edges, labels and split
// of a folder, or PATH.features and so on. The package comment describes them.
func ReadText(path string) (*Dataset, error) {
	t := &textDecoder{nodes: newNames(), features: newNames(), classes: newNames()}
	for _, file := range []struct {
		kind string
		line func(place string, fields []string) error
		done func(path string) error
	}{
		{"features", t.feature, t.checkFeatures},
		{"edges", t.edge, t.checkEdges},
		{"labels", t.label, t.checkLabels},
		{"split", t.split, t.checkSplit},
	} {
		path, err := find(path, file.kind)
		if err != nil {
			return nil, err
		}
		err = eachLine(path, func(line int, fields []string) error { return file.line(atLine(path, line), fields) })
		if err == nil {
			err = file.done(path)
		}
		if err != nil {
			return nil, err
		}
	}
	return t.dataset(), nil
}

// names numbers names as they first appear.
type names struct {
	ids  map[string]int
	list []string
}

func newNames() *names { return &names{ids: make(map[string]int)} }

func (n *names) id(name string) int {
	id, ok := n.ids[name]
	if !ok {
		id = len(n.list)
		n.ids[name] = id
		n.list = append(n.list, name)
	}
	return id
}

// textDecoder is a graph being read.
type textDecoder struct {
	nodes, features, classes *names
	rows                     [][]entry
	pairs                    [][2]int
	labels                   []int    // of each node
	labelled                 []string // where each class appears first
	parts                    []string // the part of each node, or ""
	trained                  []bool   // by class
}

// feature reads a node and its features.
func (t *textDecoder) feature(place string, fields []string) error {
	node := t.nodes.id(fields[0])
	if node < len(t.rows) {
		return badf(place, "node %q has a line already; put its features into one", clip(fields[0]))
	}
	row := make([]entry, 0, len(fields)-1)
	seen := make(map[int]bool, len(fields)-1)
	for _, field := range fields[1:] {
		name, value := field, 1.0
		if colon := strings.LastIndexByte(field, ':'); colon >= 0 {
			var err error
			name = field[:colon]
			value, err = strconv.ParseFloat(field[colon+1:], 32)
			if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
				return badf(place, "%q has no number after its last colon; a feature whose name has a colon needs one, as in %s:1", clip(field), clip(field))
			}
		}
		if name == "" {
			return badf(place, "%q is a value without a feature; write feature:value", clip(field))
		}
		id := t.features.id(name)
		if seen[id] {
			return badf(place, "feature %q stands twice; give it once, with its value", clip(name))
		}
		seen[id] = true
		if value != 0 {
			row = append(row, entry{int32(id), float32(value)})
		}
	}
	t.rows = append(t.rows, row)
	t.labels = append(t.labels, Unknown)
	t.parts = append(t.parts, "")
	return nil
}

func (t *textDecoder) checkFeatures(path string) error {
	if len(t.features.list) == 0 {
		return badf(path, "no node has a feature; give each node one of its own, such as its name, if there are no others")
	}
	return nil
}

// node returns a node that features has named.
func (t *textDecoder) node(place, name string) (int, error) {
	id, ok := t.nodes.ids[name]
	if !ok {
		return 0, badf(place, "node %q is not in features; give it a line there, if only its name", clip(name))
	}
	return id, nil
}

// two checks that a line has two fields.
func two(place, what string, fields []string) error {
	if len(fields) != 2 {
		return badf(place, "%d fields: a line is %q, and names have no spaces", len(fields), what)
	}
	return nil
}

func (t *textDecoder) edge(place string, fields []string) error {
	if err := two(place, "node node", fields); err != nil {
		return err
	}
	from, err := t.node(place, fields[0])
	if err != nil {
		return err
	}
	to, err := t.node(place, fields[1])
	if err != nil {
		return err
	}
	t.pairs = append(t.pairs, [2]int{from, to})
	return nil
}

func (t *textDecoder) checkEdges(path string) error {
	t.pairs = undirected(t.pairs)
	if len(t.pairs) == 0 {
		return badf(path, "no edge joins two nodes: without edges there is no graph")
	}
	return nil
}

func (t *textDecoder) dataset() *Dataset {
	d := &Dataset{
		Nodes: len(t.rows), Features: len(t.features.list), Classes: len(t.classes.list),
		X: newSparse(len(t.features.list), t.rows), Edges: t.pairs, Labels: t.labels,
		NodeNames: t.nodes.list, FeatureNames: t.features.list, ClassNames: t.classes.list,
	}
	parts := map[string]*[]int{"train": &d.Train, "valid": &d.Valid, "test": &d.Test}
	for node, part := range t.parts {
		if to, ok := parts[part]; ok {
			*to = append(*to, node)
		}
	}
	return d
}
