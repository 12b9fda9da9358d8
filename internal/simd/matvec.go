package simd

// MatVec multiplies a matrix by a vector, dst = H·x:
//
//	dst[r] = Σ_c H[r·len(x) + c]·x[c]
//
// It panics unless H is len(dst) rows of len(x) floats. dst must not overlap
// the others.
func MatVec(dst, H, x []float32) {
	if len(H) != len(dst)*len(x) {
		panic("simd: MatVec: lengths do not match")
	}
	matVec(dst, H, x)
}

// MatVecs is MatVec of n vectors, one after the other in x, into as many in dst,
// to the same bits. It is faster than as many MatVecs where H exceeds the
// first-level cache: a part of H that fits is multiplied with all vectors before
// the next.
//
// It panics unless dst and x are n whole vectors each, and H fits them.
func MatVecs(dst, H, x []float32, n int) {
	if n < 1 || len(dst)%n != 0 || len(x)%n != 0 || len(H) != len(dst)/n*(len(x)/n) {
		panic("simd: MatVecs: lengths do not match")
	}
	rows, columns := len(dst)/n, len(x)/n
	part := rows
	if n > 1 {
		part = max(4, cachedFloats/max(columns, 1)&^3) // fours: those that MatVec does together
	}
	for from := 0; from < rows; from += part {
		to := min(from+part, rows)
		some, i := H[from*columns:to*columns], 0
		for ; i+3 <= n && matVecThree(dst[i*rows+from:(i+2)*rows+to], rows, some, x[i*columns:(i+3)*columns], to-from); i += 3 {
		}
		for ; i < n; i++ {
			matVec(dst[i*rows+from:i*rows+to], some, x[i*columns:(i+1)*columns])
		}
	}
}

// cachedFloats are half of a first-level cache of 32 kB: the other half is for
// the vectors.
const cachedFloats = 4 << 10

// matVecPortable specifies MatVec.
func matVecPortable(dst, H, x []float32) {
	for r := range dst {
		dst[r] = dotPortable(H[r*len(x):][:len(x)], x)
	}
}
