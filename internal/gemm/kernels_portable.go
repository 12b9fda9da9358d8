//go:build !amd64 || noasm

package gemm

func tileRows() int { return portableRows }
func tileStep() int { return portableRows }

func pack(dst []float32, step int, src []float32, across, along, width, depth int) {
	packPortable(dst, step, src, across, along, width, depth)
}

func mulPanel(c []float32, ldc int, a tiles, tile int, b []float32, bRow, depth, rows, width int, adds bool) {
	mulPanelPortable(c, ldc, a, tile, b, bRow, depth, rows, width, adds)
}
