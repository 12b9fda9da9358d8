package additive

// Source is a table of N = Len rows of d = Dim floats, in memory or read as
// needed.
type Source interface {
	Len() int
	Dim() int
	// Rows fills dst, of n·Dim floats, with the rows first to first+n-1.
	Rows(dst []float32, first, n int) error
}

// chunkRows is how many rows passes over a Source take at a time.
const chunkRows = 8192

// EachChunk calls f with the rows of src, a chunk at a time, in order. The
// rows are valid until f returns.
func EachChunk(src Source, f func(first int, rows []float32) error) error {
	d := src.Dim()
	size := max(64, min(chunkRows, (64<<20)/(4*d)))
	buf := make([]float32, min(size, src.Len())*d)
	for first := 0; first < src.Len(); first += size {
		n := min(size, src.Len()-first)
		if err := src.Rows(buf[:n*d], first, n); err != nil {
			return err
		}
		if err := f(first, buf[:n*d]); err != nil {
			return err
		}
	}
	return nil
}
