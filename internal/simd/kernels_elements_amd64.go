//go:build amd64 && !noasm

package simd

import "unsafe"

// These pick the kernels that go through their arguments element by element, as
// those of kernels_amd64.go do.

func mapFloats(op MapOp, dst, x []float32) {
	d, p, n := unsafe.SliceData(dst), unsafe.SliceData(x), len(dst)
	switch active {
	case avx512:
		mapAVX512(int(op), d, p, n)
	case avx2:
		mapAVX2(int(op), d, p, n)
	default:
		mapPortable(op, dst, x)
	}
}

func zip(op ZipOp, f form, dst, x, y []float32) {
	d, p, q, n := unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(y), len(dst)
	switch {
	case n == 0:
	case active == avx512:
		zipAVX512(3*int(op)+int(f), d, p, q, n)
	case active == avx2:
		zipAVX2(3*int(op)+int(f), d, p, q, n)
	default:
		zipPortable(op, f, dst, x, y)
	}
}

// chainVectors are the vectors of a strip.
const chainVectors = 8

// chain returns how many floats it has done: whole strips.
func chain(dst, x []float32, links []Link) int {
	n := len(dst) & -(chainVectors * lanesOf[active])
	if n == 0 {
		return 0
	}
	var ops [MaxLinks]int
	var ys [MaxLinks]*float32
	for i := range links {
		l := &links[i]
		ops[i], ys[i] = 4*int(l.Op), unsafe.SliceData(l.Y)
		if l.Swap {
			ops[i] += 2
		}
		if len(l.Y) == 1 {
			ops[i]++
		}
	}
	d, p := unsafe.SliceData(dst), unsafe.SliceData(x)
	if active == avx512 {
		chainAVX512(d, p, &ops[0], &ys[0], len(links), n)
	} else {
		chainAVX2(d, p, &ops[0], &ys[0], len(links), n)
	}
	return n
}

func compare(op CompareOp, f form, dst []bool, x, y []float32) {
	d, p, q, n := unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(y), len(dst)
	switch {
	case n == 0:
	case active == avx512:
		compareAVX512(3*int(op)+int(f), d, p, q, n)
	case active == avx2:
		compareAVX2(3*int(op)+int(f), d, p, q, n)
		comparePortable(op, f, dst[n&^7:], restOf(x, n), restOf(y, n))
	default:
		comparePortable(op, f, dst, x, y)
	}
}

func selectFloats(f form, dst []float32, mask []bool, x, y []float32) {
	d, m, p, q, n := unsafe.SliceData(dst), unsafe.SliceData(mask), unsafe.SliceData(x), unsafe.SliceData(y), len(dst)
	switch {
	case n == 0:
	case active == avx512:
		selectAVX512(int(f), d, m, p, q, n)
	case active == avx2:
		selectAVX2(int(f), d, m, p, q, n)
		selectPortable(f, dst[n&^7:], mask[n&^7:], restOf(x, n), restOf(y, n))
	default:
		selectPortable(f, dst, mask, x, y)
	}
}

// restOf returns what AVX2 leaves of an operand for n floats of dst: a single
// float stays.
func restOf(x []float32, n int) []float32 {
	if len(x) == 1 {
		return x
	}
	return x[n&^7:]
}

// The conversions return how many elements they have done: whole vectors.

func fromInt32(dst []float32, x []int32) int {
	switch active {
	case avx512:
		fromInt32AVX512(unsafe.SliceData(dst), unsafe.SliceData(x), len(x))
	case avx2:
		fromInt32AVX2(unsafe.SliceData(dst), unsafe.SliceData(x), len(x))
	}
	return wholeVectors(len(x))
}

func fromUint32(dst []float32, x []uint32) int {
	switch active {
	case avx512:
		fromUint32AVX512(unsafe.SliceData(dst), unsafe.SliceData(x), len(x))
	case avx2:
		fromUint32AVX2(unsafe.SliceData(dst), unsafe.SliceData(x), len(x))
	}
	return wholeVectors(len(x))
}

func fromInt64(dst []float32, x []int64) int {
	if active != avx512 {
		return 0
	}
	fromInt64AVX512(unsafe.SliceData(dst), unsafe.SliceData(x), len(x))
	return wholeVectors(len(x))
}

func fromBool(dst []float32, x []bool) int {
	switch active {
	case avx512:
		fromBoolAVX512(unsafe.SliceData(dst), unsafe.SliceData(x), len(x))
	case avx2:
		fromBoolAVX2(unsafe.SliceData(dst), unsafe.SliceData(x), len(x))
	}
	return wholeVectors(len(x))
}

// lanesOf are the floats of a vector at each level: portable kernels have none.
var lanesOf = [...]int{portable: 0, avx2: 8, avx512: 16}

// wholeVectors returns n without what is left after whole vectors.
func wholeVectors(n int) int { return n & -lanesOf[active] }
