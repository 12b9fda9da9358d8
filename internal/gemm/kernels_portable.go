//go:build !amd64 || noasm

package gemm

func pack(dst []float32, l layout, src []float32, across, along, width, depth int) {
	packPortable(dst, l, src, across, along, width, depth)
}

func mulTile(c Matrix, a rows, b columns, depth int, adds bool) {
	mulTilePortable(c, a, b, depth, adds)
}
