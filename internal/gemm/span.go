package gemm

// A span is the indices from…to of an axis.
type span struct{ from, to int }

func (s span) len() int { return s.to - s.from }

// blocks returns how many blocks of at most size an axis of n has.
func blocks(n, size int) int { return (n + size - 1) / size }

// block returns block i of an axis of n in blocks of at most size: all but the
// last of one length, a multiple of unit, as size is, and as equal as that allows.
func block(i, n, size, unit int) span {
	length := blocks(blocks(n, blocks(n, size)), unit) * unit
	return span{min(i*length, n), min((i+1)*length, n)}
}
