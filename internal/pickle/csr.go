package pickle

// csr is a scipy CSR matrix, its arrays not decoded yet.
type csr struct {
	shape                   []int
	indptr, indices, values *array
}

// buildCSR takes the attributes of a matrix. Those that only tell what scipy
// has found out about it, as whether its indices are sorted, are passed over.
func (m *machine) buildCSR(c *csr, state any) error {
	d, ok := state.(*dict)
	if !ok {
		return m.failf("the state of a CSR matrix is %s, not a dictionary; write the file with pickle.dump(…, protocol=2)", describe(state))
	}
	var shape any
	arrays := map[string]**array{"indptr": &c.indptr, "indices": &c.indices, "data": &c.values}
	for i, key := range d.keys {
		v := d.values[i]
		name, _ := word(key)
		if to, ok := arrays[name]; ok {
			if *to, ok = v.(*array); !ok {
				return m.failf("%s of a CSR matrix is %s, not an array; download the file again", name, describe(v))
			}
			continue
		}
		switch name {
		case "_shape", "shape":
			shape = v
		case "format":
			if format, _ := word(v); format != "csr" {
				return m.failf("a sparse matrix in the format %q; write it with .tocsr()", clip(format))
			}
		}
	}
	var err error
	if c.shape, err = m.shape(shape); err != nil {
		return err
	}
	if len(c.shape) != 2 {
		return m.failf("a CSR matrix of %d dimensions; download the file again", len(c.shape))
	}
	return nil
}

// decodeCSR decodes a matrix, and checks that its indices lie inside it.
func (m *machine) decodeCSR(c *csr) (*CSR, error) {
	if c.shape == nil || c.indptr == nil || c.indices == nil || c.values == nil {
		return nil, m.failf("the CSR matrix lacks one of _shape, indptr, indices and data; download the file again")
	}
	out := &CSR{Rows: c.shape[0], Cols: c.shape[1]}
	var err error
	if out.Indptr, err = m.decodeInts(c.indptr, "indptr"); err != nil {
		return nil, err
	}
	if out.Indices, err = m.decodeInts(c.indices, "indices"); err != nil {
		return nil, err
	}
	values, err := m.decodeArray(c.values)
	if err != nil {
		return nil, err
	}
	out.Data = values.Floats
	if values.Ints != nil {
		out.Data = make([]float64, len(values.Ints))
		for i, n := range values.Ints {
			out.Data[i] = float64(n)
		}
	}
	return out, m.checkCSR(out)
}

// decodeInts decodes an array of whole numbers in one dimension.
func (m *machine) decodeInts(a *array, name string) ([]int, error) {
	decoded, err := m.decodeArray(a)
	if err != nil {
		return nil, err
	}
	if len(decoded.Shape) != 1 || decoded.Ints == nil {
		return nil, m.failf("%s of the CSR matrix is no list of whole numbers; download the file again", name)
	}
	ints := make([]int, len(decoded.Ints))
	for i, n := range decoded.Ints {
		if ints[i] = int(n); int64(ints[i]) != n {
			return nil, m.failf("%s of the CSR matrix has %d, too large for this machine", name, n)
		}
	}
	return ints, nil
}

func (m *machine) checkCSR(c *CSR) error {
	if len(c.Indptr)-1 != c.Rows || c.Indptr[0] != 0 {
		return m.failf("indptr of the CSR matrix has %d entries: %d rows want one more than that, from 0; download the file again", len(c.Indptr), c.Rows)
	}
	for i, end := range c.Indptr[1:] {
		if end < c.Indptr[i] || end > len(c.Indices) || end > len(c.Data) {
			return m.failf("row %d of the CSR matrix ends at %d, outside its data; download the file again", i, end)
		}
	}
	// scipy may have reserved more than it used.
	used := c.Indptr[c.Rows]
	c.Indices, c.Data = c.Indices[:used], c.Data[:used]
	for i, column := range c.Indices {
		if column < 0 || column >= c.Cols {
			return m.failf("entry %d of the CSR matrix is in column %d of %d; download the file again", i, column, c.Cols)
		}
	}
	return nil
}
