package simd

// Transpose transposes a matrix whose rows are srcStride floats apart, into one
// whose rows are dstStride apart:
//
//	dst[c·dstStride + r] = src[r·srcStride + c]    for r < rows, c < columns
//
// It panics unless the strides are as long as rows and both matrices lie in
// their slices, which must not overlap.
func Transpose(dst []float32, dstStride int, src []float32, srcStride, rows, columns int) {
	if rows == 0 || columns == 0 {
		return
	}
	if rows < 0 || columns < 0 || dstStride < rows || srcStride < columns ||
		len(src) < (rows-1)*srcStride+columns || len(dst) < (columns-1)*dstStride+rows {
		panic("simd: Transpose: lengths do not match")
	}
	// A strip of columns at a time: going down it, reading stays in a few pages
	// and writing in as many as the strip is wide.
	for c := 0; c < columns; c += transposeStrip {
		width := min(transposeStrip, columns-c)
		transpose(dst[c*dstStride:], dstStride, src[c:], srcStride, rows, width)
	}
}

const transposeStrip = 256

// transposePortable specifies Transpose.
func transposePortable(dst []float32, dstStride int, src []float32, srcStride, rows, columns int) {
	for r := range rows {
		row := src[r*srcStride:][:columns]
		for c, v := range row {
			dst[c*dstStride+r] = v
		}
	}
}
