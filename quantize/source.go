package quantize

// Source is a table of N = Len rows of d = Dim floats, in memory or read as
// needed. Rows may be called concurrently.
type Source interface {
	Len() int
	Dim() int
	// Rows fills dst, of n·Dim floats, with the rows first to first+n-1.
	Rows(dst []float32, first, n int) error
}

// Matrix is a Source in memory: rows of D floats, one after the other.
type Matrix struct {
	Data []float32 // [N, d]
	D    int       // d
}

// Len returns N.
func (m Matrix) Len() int {
	if m.D == 0 {
		return 0
	}
	return len(m.Data) / m.D
}

// Dim returns d.
func (m Matrix) Dim() int { return m.D }

// Rows copies rows.
func (m Matrix) Rows(dst []float32, first, n int) error {
	copy(dst[:n*m.D], m.Data[first*m.D:(first+n)*m.D])
	return nil
}

// Row returns row i, which aliases Data.
func (m Matrix) Row(i int) []float32 { return m.Data[i*m.D:][:m.D] }
