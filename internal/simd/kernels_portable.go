//go:build !amd64 || noasm

package simd

func sumRows(dst, W []float32, stride, step, K int, digits []uint16) int {
	return sumRowsPortable(dst, W, stride, step, K, digits)
}

func sumCodes(dst, W []float32, stride, step, K int, digits []uint16, D int) int {
	return sumCodesPortable(dst, W, stride, step, K, digits, D)
}

func add(dst, x []float32) { addPortable(dst, x) }

func axpy(dst []float32, a float32, x []float32) { axpyPortable(dst, a, x) }

func dot(a, b []float32) float32 { return dotPortable(a, b) }

func squaredDistance(a, b []float32) float32 { return squaredDistancePortable(a, b) }

func matVec(dst, H, x []float32) { matVecPortable(dst, H, x) }

func matVecThree([]float32, int, []float32, []float32, int) bool { return false }

func prefetchSome([]byte, int, []int) {}

func scan(dst, tables []float32, K int, codes []uint8, D int) int {
	return scanPortable(dst, tables, K, codes, D)
}

func sumPacked(dst, W []float32, stride, step, K int, code []byte, w, D int) int {
	return sumPackedPortable(dst, W, stride, step, K, code, w, D)
}

func mapFloats(op MapOp, dst, x []float32) { mapPortable(op, dst, x) }

func zip(op ZipOp, f form, dst, x, y []float32) { zipPortable(op, f, dst, x, y) }

func chain(dst, x []float32, links []Link) int { return 0 }

func compare(op CompareOp, f form, dst []bool, x, y []float32) { comparePortable(op, f, dst, x, y) }

func selectFloats(f form, dst []float32, mask []bool, x, y []float32) {
	selectPortable(f, dst, mask, x, y)
}

func sum(x []float32) float32 { return sumPortable(x) }

func maximum(x []float32) float32 { return maxPortable(x) }

func minimum(x []float32) float32 { return minPortable(x) }

func index(x []float32, a float32) int { return indexPortable(x, a) }

// The conversions return how many elements they have done.

func fromInt32([]float32, []int32) int { return 0 }

func fromUint32([]float32, []uint32) int { return 0 }

func fromInt64([]float32, []int64) int { return 0 }

func fromBool([]float32, []bool) int { return 0 }

func transpose(dst []float32, dstStride int, src []float32, srcStride, rows, columns int) {
	transposePortable(dst, dstStride, src, srcStride, rows, columns)
}
