//go:build amd64 && !noasm

package gemm

func mulTile(c Matrix, a rows, b columns, depth int, adds bool) {
	switch active {
	case avx512:
		mulTileAVX512(&c.Data[0], c.RowStride, &a.data[0], a.row, a.col, &b.data[0], b.row, b.panel, depth, c.Rows, c.Cols, adds)
	case avx2:
		mulTileAVX2(&c.Data[0], c.RowStride, &a.data[0], a.row, a.col, &b.data[0], b.row, b.panel, depth, c.Rows, c.Cols, adds)
	default:
		mulTilePortable(c, a, b, depth, adds)
	}
}

// pack does a vector's width at a time.
func pack(dst []float32, step int, src []float32, across, along, width, depth int) {
	if active == portable || across != 1 && (along != 1 || depth < 4) {
		packPortable(dst, step, src, across, along, width, depth)
		return
	}
	lanes := shape.step
	for i := 0; i < width; i += lanes {
		w := min(width-i, lanes)
		switch {
		case active == avx512 && across == 1:
			packAcrossAVX512(&dst[i], step, &src[i], along, w, depth)
		case active == avx512:
			packAlongAVX512(&dst[i], step, &src[i*across], across, w, depth)
		case across == 1:
			packAcrossAVX2(&dst[i], step, &src[i], along, w, depth)
		default:
			packAlongAVX2(&dst[i], step, &src[i*across], across, w, depth)
		}
	}
}
