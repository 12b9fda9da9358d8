package graph

import (
	"encoding/json"
	"fmt"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/learn"
)

// What makes a code file a network: tensors and metadata.
const (
	tensorWeight = "gcn.weight1" // F32 W1 [d, C]
	tensorLabels = "gcn.labels"  // U8, a JSON array of C strings

	keyTask   = "task"
	taskGraph = "graph"
)

// export returns the trained network as the content of a code file: the
// embeddings are W0.
func (n *network) export(store *model.Store, d *Dataset) (*codefile.Model, error) {
	e, ok := n.features.(learn.Exporter)
	if !ok {
		return nil, fmt.Errorf("graph: the embedding %T cannot be written as a code file", n.features)
	}
	m, err := e.Export(store.Scope("/" + featuresScope))
	if err != nil {
		return nil, err
	}
	m.Symbols = allNames(d.FeatureNames, d.Features)
	w1, err := learn.Values(store.Scope("/"+outputScope), "weight")
	if err != nil {
		return nil, err
	}
	labels, err := json.Marshal(allNames(d.ClassNames, d.Classes))
	if err != nil {
		return nil, err
	}
	m.Tensors = map[string]codefile.Tensor{
		tensorWeight: codefile.FloatTensor(w1, n.features.Dim(), n.classes),
		tensorLabels: codefile.BytesTensor(labels),
	}
	if m.Metadata == nil {
		m.Metadata = map[string]string{}
	}
	m.Metadata[keyTask] = taskGraph
	return m, nil
}

// allNames returns what the n numbers are called.
func allNames(names []string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = nameOf(names, i)
	}
	return all
}
