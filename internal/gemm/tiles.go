package gemm

// tiles are rows of a, tileRows of them at a time: a of row i of tile t at depth d lies at
// data[t*tile+i*row+d*col].
type tiles struct {
	data           []float32
	row, col, tile int
}

// packedTiles are tiles that lie one after the other, depth by depth.
func packedTiles(data []float32, depth int) tiles {
	return tiles{data: data, row: 1, col: tileStep(), tile: depth * tileStep()}
}

// tiles returns a part of m where it lies.
func (m Matrix) tiles(rows, depth span) tiles {
	return tiles{
		data: m.Data[rows.from*m.RowStride+depth.from*m.ColStride:],
		row:  m.RowStride, col: m.ColStride, tile: m.RowStride * tileRows(),
	}
}

func (t tiles) at(i int) []float32 { return t.data[i*t.tile:] }
