package graph

import (
	"fmt"
	"slices"
)

// Scores returns what softmax is taken of for some nodes of a data set, [nodes,
// C], the labels in the order of Labels. The data set may be another than that
// of training, if it has no other features.
func (m *Model) Scores(d *Dataset, nodes []int) ([]float32, error) {
	for _, node := range nodes {
		if node < 0 || node >= d.Nodes {
			return nil, fmt.Errorf("graph: there is no node %d among %d", node, d.Nodes)
		}
	}
	w0, err := m.embeddings(d)
	if err != nil {
		return nil, err
	}
	width, classes := m.table.Dim(), len(m.labels)
	f := newFields(d).of(nodes)
	hidden := f.first.times(f.x.times(w0, width), width) // [inner, d]
	scores := make([]float32, f.first.height*classes)
	for i := range f.first.height {
		for j, h := range hidden[i*width:][:width] {
			if h > 0 { // ReLU
				addScaled(scores[i*classes:][:classes], m.w1[j*classes:][:classes], h)
			}
		}
	}
	return f.second.times(scores, classes), nil
}

// Evaluate returns the accuracy over some nodes of a data set, such as its Test.
func (m *Model) Evaluate(d *Dataset, nodes []int) (float64, error) {
	if len(nodes) == 0 {
		return 0, fmt.Errorf("graph: no nodes to evaluate on")
	}
	labels := make([]int32, len(nodes))
	for i, node := range nodes {
		if node < 0 || node >= d.Nodes || d.Labels[node] == Unknown {
			return 0, fmt.Errorf("graph: node %d of %d has no label to compare with", node, d.Nodes)
		}
		name := nameOf(d.ClassNames, d.Labels[node])
		at := slices.Index(m.labels, name)
		if at < 0 {
			return 0, fmt.Errorf("%w: it has no label %q", ErrMismatch, clip(name))
		}
		labels[i] = int32(at)
	}
	scores, err := m.Scores(d, nodes)
	if err != nil {
		return 0, err
	}
	return accuracy(scores, labels), nil
}

// embeddings returns the embeddings of a data set's features, [N, d].
func (m *Model) embeddings(d *Dataset) ([]float32, error) {
	if d.FeatureNames == nil && d.Features != m.table.Len() {
		return nil, fmt.Errorf("%w: it has %d features, the data set %d", ErrMismatch, m.table.Len(), d.Features)
	}
	ids := make([]int, d.Features)
	for i := range ids {
		name := nameOf(d.FeatureNames, i)
		id, ok := m.table.ID(name)
		if !ok {
			return nil, fmt.Errorf("%w: it has no feature %q", ErrMismatch, clip(name))
		}
		ids[i] = id
	}
	w0 := make([]float32, len(ids)*m.table.Dim())
	return w0, m.table.LookupBatch(w0, ids)
}

// times returns the product with a dense matrix [width, d]: [height, d].
func (c *coordinates) times(dense []float32, d int) []float32 {
	out := make([]float32, c.height*d)
	for i, v := range c.values {
		addScaled(out[int(c.rows[i])*d:][:d], dense[int(c.cols[i])*d:][:d], v)
	}
	return out
}

// addScaled adds s times x to dst.
func addScaled(dst, x []float32, s float32) {
	for i := range dst {
		dst[i] += s * x[i]
	}
}
