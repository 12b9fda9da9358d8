package graph

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/kdcode/kdcode/internal/pickle"
)

// dataset puts the files together. Row i of tx is node test[i].
func (p *planetoid) dataset() (*Dataset, error) {
	d := &Dataset{Nodes: slices.Max(p.test) + 1, Features: p.x.Cols, Classes: p.y.Shape[1]}
	var err error
	if d.Edges, err = p.edges(d.Nodes); err != nil {
		return nil, err
	}
	rows := make([][]entry, d.Nodes)
	d.Labels = slices.Repeat([]int{Unknown}, d.Nodes)
	for i := range p.allx.Rows {
		if err := p.node(rows, d.Labels, i, "all", i, p.allx, p.ally); err != nil {
			return nil, err
		}
	}
	for i, node := range p.test {
		if err := p.node(rows, d.Labels, node, "t", i, p.tx, p.ty); err != nil {
			return nil, err
		}
	}
	d.X = newSparse(d.Features, rows)
	trained := p.x.Rows
	d.Train = span(0, trained)
	d.Valid = span(trained, min(trained+validNodes, p.allx.Rows))
	d.Test = slices.Sorted(slices.Values(p.test))
	if err := p.checkSplit(d); err != nil {
		return nil, err
	}
	return d, nil
}

// span returns the numbers from … to-1.
func span(from, to int) []int {
	s := make([]int, to-from)
	for i := range s {
		s[i] = from + i
	}
	return s
}

// node takes the features and the label of a node from a row.
func (p *planetoid) node(rows [][]entry, labels []int, node int, prefix string, row int, x *pickle.CSR, y *pickle.Array) error {
	var err error
	if rows[node], err = entries(x, row); err != nil {
		return badf(p.file(prefix+"x"), "row %d: %v; download the file again", row, err)
	}
	if labels[node], err = oneHot(y, row); err != nil {
		return badf(p.file(prefix+"y"), "row %d: %v; download the file again", row, err)
	}
	return nil
}

// entries returns a row of a matrix, without zeros.
func entries(x *pickle.CSR, row int) ([]entry, error) {
	var out []entry
	seen := make(map[int]bool)
	for i := x.Indptr[row]; i < x.Indptr[row+1]; i++ {
		column, value := x.Indices[i], float32(x.Data[i])
		if seen[column] {
			return nil, fmt.Errorf("feature %d stands twice", column)
		}
		seen[column] = true
		if v := float64(value); math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("feature %d has the value %v", column, x.Data[i])
		}
		if value != 0 {
			out = append(out, entry{int32(column), value})
		}
	}
	return out, nil
}

// oneHot returns the column of a row that is 1 where the others are 0, or
// Unknown where all are 0.
func oneHot(y *pickle.Array, row int) (int, error) {
	class := Unknown
	for c := range y.Shape[1] {
		i := row*y.Shape[1] + c
		is := 0.0
		if y.Ints != nil {
			is = float64(y.Ints[i])
		} else {
			is = y.Floats[i]
		}
		switch {
		case is == 0:
		case is == 1 && class == Unknown:
			class = c
		default:
			return 0, errors.New("a label that is not a single 1 among zeros")
		}
	}
	return class, nil
}

// checkSplit makes sure that what the split names can be learned and measured.
func (p *planetoid) checkSplit(d *Dataset) error {
	trained := make([]bool, d.Classes)
	for _, node := range d.Train {
		class := d.Labels[node]
		if own, err := oneHot(p.y, node); err != nil || own != class {
			return badf(p.file("y"), "row %d differs from that of %s; download the files again", node, p.file("ally"))
		}
		if class == Unknown {
			return badf(p.file("y"), "row %d has no label; download the file again", node)
		}
		trained[class] = true
	}
	for _, measured := range []struct {
		kind  string
		nodes []int
	}{{"ally", d.Valid}, {"ty", d.Test}} {
		kind := measured.kind
		for _, node := range measured.nodes {
			class := d.Labels[node]
			if class == Unknown {
				return badf(p.file(kind), "node %d has no label, but the split measures with it; download the files again", node)
			}
			if !trained[class] {
				return badf(p.file(kind), "node %d is of class %d, which no node of %s has: it cannot be learned", node, class, p.file("y"))
			}
		}
	}
	return nil
}
