//go:build amd64 && !noasm

package gemm

// Rows of a tile, and floats from one depth of a packed tile to the next: a
// whole vector, though not all of it is used.
func tileRows() int {
	switch active {
	case avx512:
		return 14
	case avx2:
		return 6
	}
	return portableRows
}

func tileStep() int {
	switch active {
	case avx512:
		return 16
	case avx2:
		return 8
	}
	return portableRows
}

func mulPanel(c []float32, ldc int, a tiles, tile int, b []float32, bRow, depth, rows, width int, adds bool) {
	switch active {
	case avx512:
		mulPanelAVX512(&c[0], ldc, &a.at(tile)[0], a.row, a.col, a.tile, &b[0], bRow, depth, rows, width, adds)
	case avx2:
		mulPanelAVX2(&c[0], ldc, &a.at(tile)[0], a.row, a.col, a.tile, &b[0], bRow, depth, rows, min(width, 16), adds)
		if width > 16 {
			mulPanelAVX2(&c[16], ldc, &a.at(tile)[0], a.row, a.col, a.tile, &b[16], bRow, depth, rows, width-16, adds)
		}
	default:
		mulPanelPortable(c, ldc, a, tile, b, bRow, depth, rows, width, adds)
	}
}

// pack does a vector's width at a time.
func pack(dst []float32, step int, src []float32, across, along, width, depth int) {
	if active == portable || across != 1 && (along != 1 || depth < 4) {
		packPortable(dst, step, src, across, along, width, depth)
		return
	}
	lanes := tileStep()
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
