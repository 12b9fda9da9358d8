package gemm

// mulPanelPortable specifies mulPanel: it multiplies rows of tiles with
// a panel of b,
//
//	c[i*ldc+j] = Σ_t a(i, t) · b[t*bRow+j]
//
// for i < rows, j < width ≤ 32 and t < depth, or with adds adds that to c. The
// rows of a are those of the tiles from the one given on. All 32 columns of b
// are read.
func mulPanelPortable(c []float32, ldc int, a tiles, tile int, b []float32, bRow, depth, rows, width int, adds bool) {
	for i := range rows {
		src := a.at(tile + i/portableRows)[i%portableRows*a.row:]
		var sum [panel]float32
		for t := range depth {
			x, row := src[t*a.col], (*[panel]float32)(b[t*bRow:])
			for j := range sum {
				sum[j] += x * row[j]
			}
		}
		dst := c[i*ldc:][:width]
		for j := range dst {
			if adds {
				dst[j] += sum[j]
			} else {
				dst[j] = sum[j]
			}
		}
	}
}

// portableRows is the number of rows of a tile without assembly.
const portableRows = 4
