package graph

// coordinates is a sparse matrix [height, width] by its values' rows and
// columns, sorted by row: what a graph gathers and scatters with.
type coordinates struct {
	height, width int
	rows, cols    []int32
	values        []float32
}

// field is the part of a data set that the classes of some nodes depend on. Two
// convolutions see two edges far: the nodes on which to learn, a twentieth of
// Cora, do not depend on two fifths of its nodes.
type field struct {
	x      coordinates // X of the nodes two edges away or less: [outer, N]
	first  coordinates // Â from them to those one edge away or less: [inner, outer]
	second coordinates // Â from those to the nodes themselves: [nodes, inner]
	labels []int32     // of the nodes
}

// fieldOf returns the field of nodes, all of which have labels. X has been
// normalised.
func (d *Dataset) fieldOf(x, adjacency *Sparse, nodes []int) *field {
	f := &field{labels: make([]int32, len(nodes))}
	at := make([]int32, len(nodes))
	for i, node := range nodes {
		at[i], f.labels[i] = int32(node), int32(d.Labels[node])
	}
	var inner, outer []int32
	f.second, inner = adjacency.reach(at)
	f.first, outer = adjacency.reach(inner)
	f.x = x.pick(outer)
	if len(f.x.values) == 0 && len(outer) > 0 { // a graph cannot multiply by no values at all
		f.x.rows, f.x.cols, f.x.values = []int32{0}, []int32{0}, []float32{0}
	}
	return f
}

// fields makes the fields of parts of a data set.
type fields struct {
	data         *Dataset
	x, adjacency *Sparse // normalised
}

func newFields(d *Dataset) *fields { return &fields{d, d.X.NormalizeRows(), d.adjacency()} }

func (f *fields) of(nodes []int) *field { return f.data.fieldOf(f.x, f.adjacency, nodes) }

// adjacency returns Â by rows.
func (d *Dataset) adjacency() *Sparse {
	rows, cols, values := d.NormalizedAdjacency()
	s := &Sparse{Rows: d.Nodes, Cols: d.Nodes, Start: make([]int, d.Nodes+1), Columns: cols, Values: values}
	for _, row := range rows {
		s.Start[row+1]++
	}
	for i := range d.Nodes {
		s.Start[i+1] += s.Start[i]
	}
	return s
}

// pick returns some rows of a matrix.
func (s *Sparse) pick(rows []int32) coordinates {
	c := coordinates{height: len(rows), width: s.Cols}
	for i, row := range rows {
		columns, values := s.Row(int(row))
		for range columns {
			c.rows = append(c.rows, int32(i))
		}
		c.cols = append(c.cols, columns...)
		c.values = append(c.values, values...)
	}
	return c
}

// reach returns some rows of a matrix without the columns that they have no
// value in, and the columns that are left, in their order.
func (s *Sparse) reach(rows []int32) (c coordinates, columns []int32) {
	c = s.pick(rows)
	number := make([]int32, s.Cols) // from 1 among those left; 0 is left out
	for _, column := range c.cols {
		number[column] = 1
	}
	for column, used := range number {
		if used != 0 {
			columns = append(columns, int32(column))
			number[column] = int32(len(columns))
		}
	}
	for i, column := range c.cols {
		c.cols[i] = number[column] - 1
	}
	c.width = len(columns)
	return c, columns
}
