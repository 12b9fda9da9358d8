package gemm

// rows are some rows of a: row i has its float of depth t at data[i*row+t*col].
type rows struct {
	data     []float32
	row, col int
}

// columns are columns of b in panels: panel p has its row of depth t at
// data[p*panel+t*row:].
type columns struct {
	data       []float32
	row, panel int
}

// from returns the columns from panel p on.
func (c columns) from(p int) columns {
	c.data = c.data[p*c.panel:]
	return c
}

// mulTilePortable specifies mulTile: it multiplies a few rows with columns of b,
//
//	c[i, j] = Σ_t a[i, t] · b[t, j]
//
// or with adds adds that to c. All columns of a panel are read, also where c has
// fewer. c has at most shape.rows rows and no axis is empty.
func mulTilePortable(c Matrix, a rows, b columns, depth int, adds bool) {
	const width = 16
	for first := 0; first < c.Cols; first += width {
		for i := range c.Rows {
			var sum [width]float32
			for t := range depth {
				x, row := a.data[i*a.row+t*a.col], (*[width]float32)(b.data[t*b.row:])
				for j := range sum {
					sum[j] += x * row[j]
				}
			}
			dst := c.Data[i*c.RowStride+first:][:min(width, c.Cols-first)]
			for j := range dst {
				if adds {
					dst[j] += sum[j]
				} else {
					dst[j] = sum[j]
				}
			}
		}
		if first+width < c.Cols {
			b = b.from(1)
		}
	}
}
