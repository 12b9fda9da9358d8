package vectors

import "io"

// Table is a whole table in memory.
type Table struct {
	Symbols []string // of the rows; nil where the table has none
	Dim     int
	Data    []float32 // the rows, one after the other
}

// Len returns the number of rows.
func (t *Table) Len() int { return len(t.Data) / max(t.Dim, 1) }

// Row returns row i, which aliases Data. It panics for a row that is not there.
func (t *Table) Row(i int) []float32 { return t.Data[i*t.Dim : (i+1)*t.Dim : (i+1)*t.Dim] }

// ReadAll reads the whole table at path.
func ReadAll(path string, opts Options) (*Table, error) {
	r, err := Open(path, opts)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.ReadAll()
}

// ReadAll reads the rows that are left into memory.
func (r *Reader) ReadAll() (*Table, error) {
	t := &Table{Dim: r.dim}
	if n := r.expected(); n > 0 {
		t.Data = make([]float32, 0, n*r.dim)
		if r.HasSymbols() {
			t.Symbols = make([]string, 0, n)
		}
	}
	row := make([]float32, r.dim)
	for {
		symbol, err := r.Next(row)
		if err == io.EOF {
			return t, nil
		}
		if err != nil {
			return nil, err
		}
		t.Data = append(t.Data, row...)
		if r.HasSymbols() {
			t.Symbols = append(t.Symbols, symbol)
		}
	}
}

// expected returns how many rows to make room for: what the file claims or its
// first lines suggest, but no more than a file of its size can hold (a number
// takes two bytes or more), and 0 where that is not known.
func (r *Reader) expected() int {
	if r.in.size < 0 {
		return 0
	}
	rows := int64(r.rows - r.row)
	if r.rows < 0 {
		rows = 0
		if d, ok := r.dec.(*textDecoder); ok && d.guess > 0 {
			rows = int64(1.05 * float64(r.in.size) / d.guess)
		}
	}
	return int(min(rows, r.in.size/int64(2*r.dim)))
}
