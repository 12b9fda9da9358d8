package gemm

// A layout is how vectors are packed: in pieces of so many, each next floats
// after the one before, in which one depth lies step floats after the last.
type layout struct{ piece, next, step int }

// packPortable specifies pack: it lays width vectors side by side,
//
//	dst[i/piece*next+t*step+i%piece] = src[i*across+t*along]
//
// for i < width and t < depth. Between the vectors of a piece and step it may
// write what it likes: no element of a product depends on that.
func packPortable(dst []float32, l layout, src []float32, across, along, width, depth int) {
	for first := 0; first < width; first += l.piece {
		for t := range depth {
			row := dst[first/l.piece*l.next+t*l.step:][:min(l.piece, width-first)]
			at := first*across + t*along
			for i := range row {
				row[i] = src[at]
				at += across
			}
		}
	}
}
