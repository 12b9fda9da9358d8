package simd

// Scan scores rows of codes against a table of partial scores for each digit:
//
//	dst[i] = Σ_j tables[j·K + codes[i·D + j]]
//
// K is at most 256, tables is [D, K], and codes is [len(dst), D], a byte a
// digit. It returns -1, or the first row with a digit that is not below K; dst
// is undefined then, and nothing outside tables has been read.
//
// Codes are in rows, not in blocks of rows transposed for scanning. Such blocks
// would save the transposing in registers, part of the time of a scan from
// cache; but nothing of one from memory, which takes several times as long for
// the reading of the codes alone.
//
// It panics unless the lengths match.
func Scan(dst, tables []float32, K int, codes []uint8, D int) int {
	if K < 1 || K > 256 || D < 0 || len(tables) != D*K || len(codes) != len(dst)*D {
		panic("simd: Scan: lengths do not match")
	}
	return scan(dst, tables, K, codes, D)
}

// scanPortable specifies Scan.
func scanPortable(dst, tables []float32, K int, codes []uint8, D int) int {
	for i := range dst {
		var sum float32
		rest := tables
		for _, c := range codes[i*D:][:D] {
			if int(c) >= K {
				return i
			}
			sum += rest[c]
			rest = rest[K:]
		}
		dst[i] = sum
	}
	return -1
}
