package gemm

// packPortable specifies pack: it lays width vectors side by side, step floats
// from one depth to the next,
//
//	dst[t*step+i] = src[i*across+t*along]
//
// for i < width and t < depth. What it writes between width and step is of no
// meaning: no element of a product depends on it.
func packPortable(dst []float32, step int, src []float32, across, along, width, depth int) {
	for t := range depth {
		row := dst[t*step:][:width]
		at := t * along
		for i := range row {
			row[i] = src[at]
			at += across
		}
	}
}
