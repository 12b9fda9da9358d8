package graph

import "slices"

// label reads a node and its class.
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

func (t *textDecoder) checkLabels(path string) error {
	if len(t.classes.list) < 2 {
		return badf(path, "%q is the only label: there is nothing to tell apart", clip(t.classes.list[0]))
	}
	return nil
}

// split reads a node and its part.
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
	return nil
}
