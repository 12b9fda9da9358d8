package graph

import (
	"math"
	"slices"
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
		{"edges", t.edge, nil},
		{"labels", t.label, nil},
		{"split", t.split, t.checkSplit},
	} {
		path, err := find(path, file.kind)
		if err != nil {
			return nil, err
		}
		err = eachLine(path, func(line int, fields []string) error { return file.line(atLine(path, line), fields) })
		if err == nil && file.done != nil {
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

func (t *textDecoder) label(place string, fields []string) error {
	if err := two(place, "node label", fields); err != nil {
		return err
	}
	node, err := t.node(place, fields[0])
	if err != nil {
		return err
	}
	if t.labels[node] != Unknown {
		return badf(place, "node %q has the label %q already; a node has one", clip(fields[0]), clip(t.classes.list[t.labels[node]]))
	}
	t.labels[node] = t.classes.id(fields[1])
	if len(t.labelled) < len(t.classes.list) {
		t.labelled = append(t.labelled, place)
		t.trained = append(t.trained, false)
	}
	return nil
}

func (t *textDecoder) split(place string, fields []string) error {
	if err := two(place, "node train|valid|test", fields); err != nil {
		return err
	}
	node, err := t.node(place, fields[0])
	if err != nil {
		return err
	}
	part := fields[1]
	switch {
	case part != "train" && part != "valid" && part != "test":
		return badf(place, "%q is none of train, valid and test; leave out a node that is in no part", clip(part))
	case t.parts[node] != "":
		return badf(place, "node %q is in %s already; a node is in one part", clip(fields[0]), t.parts[node])
	case t.labels[node] == Unknown:
		return badf(place, "node %q has no label to %s with; add it to labels, or leave the node out here", clip(fields[0]), part)
	}
	t.parts[node] = part
	if part == "train" {
		t.trained[t.labels[node]] = true
	}
	return nil
}

// checkSplit makes sure that every class can be learned.
func (t *textDecoder) checkSplit(path string) error {
	if !slices.Contains(t.trained, true) {
		return badf(path, "no node to train on; mark some with train")
	}
	for class, ok := range t.trained {
		if !ok {
			return badf(t.labelled[class], "no node to train on has the label %q: it cannot be learned; mark one in %s with train, or remove the label",
				clip(t.classes.list[class]), path)
		}
	}
	if len(t.trained) < 2 {
		return badf(t.labelled[0], "%q is the only label: there is nothing to tell apart", clip(t.classes.list[0]))
	}
	return nil
}

func (t *textDecoder) dataset() *Dataset {
	d := &Dataset{
		Nodes: len(t.rows), Features: len(t.features.list), Classes: len(t.classes.list),
		X: newSparse(len(t.features.list), t.rows), Edges: undirected(t.pairs), Labels: t.labels,
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
