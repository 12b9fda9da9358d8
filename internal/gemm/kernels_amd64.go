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

func pack(dst []float32, l layout, src []float32, across, along, width, depth int) {
	switch {
	case active == portable || across != 1 && (along != 1 || depth < 4):
		packPortable(dst, l, src, across, along, width, depth)
	case across == 1 && active == avx512:
		packAcrossAVX512(&dst[0], l.step, l.next, &src[0], along, l.piece, width/l.piece, width%l.piece, depth)
	case across == 1:
		packAcrossAVX2(&dst[0], l.step, l.next, &src[0], along, l.piece, width/l.piece, width%l.piece, depth)
	default:
		packAlong(dst, l, src, across, width, depth)
	}
}

// packAlong does a vector's width at a time. Where a piece is less than that, it
// takes some of the next one too: whole vectors are faster.
func packAlong(dst []float32, l layout, src []float32, across, width, depth int) {
	for first := 0; first < width; first += l.piece {
		for i := first; i < min(first+l.piece, width); i += shape.step {
			to, lanes := &dst[first/l.piece*l.next+i-first], min(width-i, shape.step)
			if active == avx512 {
				packAlongAVX512(to, l.step, &src[i*across], across, lanes, depth)
			} else {
				packAlongAVX2(to, l.step, &src[i*across], across, lanes, depth)
			}
		}
	}
}
