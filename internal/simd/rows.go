package simd

// GatherRows copies rows of d floats of src, one after the other, to dst:
//
//	dst[i·d : (i+1)·d] = src[rows[i]·d : (rows[i]+1)·d]
//
// It panics unless dst has len(rows) rows, and at a row that src has not.
func GatherRows[I int32 | int64](dst, src []float32, d int, rows []I) {
	if len(dst) != len(rows)*d {
		panic("simd: GatherRows: lengths do not match")
	}
	for i, r := range rows {
		if ahead := i + rowsAhead; ahead < len(rows) {
			prefetchRow(src, d, int(rows[ahead]))
		}
		copy(dst[i*d:][:d], rowOf(src, d, int(r)))
	}
}

// ScatterAddRows adds rows of d floats to rows of dst, one after the other:
//
//	dst[rows[i]·d : (rows[i]+1)·d] += src[i·d : (i+1)·d]
//
// It panics unless src has len(rows) rows, and at a row that dst has not.
func ScatterAddRows[I int32 | int64](dst []float32, d int, rows []I, src []float32) {
	if len(src) != len(rows)*d {
		panic("simd: ScatterAddRows: lengths do not match")
	}
	for i, r := range rows {
		if ahead := i + rowsAhead; ahead < len(rows) {
			prefetchRow(dst, d, int(rows[ahead]))
		}
		add(rowOf(dst, d, int(r)), src[i*d:][:d])
	}
}

// rowsAhead is how many rows before its turn a row is asked for.
const rowsAhead = 4

func rowOf(table []float32, d, r int) []float32 { return table[r*d:][:d:d] }

// prefetchRow asks the processor to bring a row near, if table has it.
func prefetchRow(table []float32, d, r int) {
	if uint(r) < uint(len(table)/max(d, 1)) {
		prefetchFloats(rowOf(table, d, r))
	}
}
