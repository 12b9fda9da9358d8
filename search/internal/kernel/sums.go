package kernel

// Block is how many symbols are scanned at a time, and Ways the most values of
// their digits.
const (
	Block = 64
	Ways  = 64
)

// Place returns where among the 64 bytes of a digit symbol i of a block lies.
// Symbols i and i+32 are neighbours: the sums of the even bytes, and those of
// the odd bytes, are in the order of symbols.
func Place(i int) int { return 2*(i%32) + i/32 }

// Sums adds up what the digits of blocks of 64 symbols choose from tables:
//
//	dst[64·b + i] = Σ_j tables[64·j + codes[64·(b·D + j) + Place(i)]]
//
// Digits are below K, which is at most 64. Each table has 64 places, of which
// the first K are used. Digits 2j and 2j+1 are added in 8 bits, their sums in 16:
// it is for the caller to fill the tables so that none overflows.
//
// It panics unless the lengths match.
func Sums(dst []uint16, tables []uint8, K int, codes []uint8, D int) {
	if D < 1 || K < 1 || K > Ways || len(tables) != Ways*D || len(dst)%Block != 0 || len(codes) != len(dst)*D {
		panic("kernel: Sums: lengths do not match")
	}
	if len(dst) > 0 {
		sums(dst, tables, K, codes, D)
	}
}

// sumsPortable specifies Sums.
func sumsPortable(dst []uint16, tables []uint8, codes []uint8, D int) {
	for len(dst) > 0 {
		var odd, even [Block]uint8
		out := (*[Block]uint16)(dst)
		clear(out[:])
		for j := 0; j < D; j += 2 {
			pick(&even, tables[j*Ways:], codes[j*Block:])
			clear(odd[:])
			if j+1 < D {
				pick(&odd, tables[(j+1)*Ways:], codes[(j+1)*Block:])
			}
			for i := range 32 {
				out[i] += uint16(even[2*i] + odd[2*i])
				out[i+32] += uint16(even[2*i+1] + odd[2*i+1])
			}
		}
		dst, codes = dst[Block:], codes[D*Block:]
	}
}

// pick looks the 64 bytes of a digit up in its table.
func pick(dst *[Block]uint8, table, codes []uint8) {
	t, c := (*[Ways]uint8)(table), (*[Block]uint8)(codes)
	for i := range dst {
		dst[i] = t[c[i]%Ways]
	}
}
