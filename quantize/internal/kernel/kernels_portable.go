//go:build !amd64 || noasm

package kernel

func matMul(c []float32, ldc int, a []float32, lda, rows int, panel []float32, depth int, alpha float32, add bool) {
	matMulPortable(c, ldc, a, lda, rows, panel, depth, alpha, add)
}

func argmin(dst []int32, scores []float32, ld int, bias []float32) {
	argminPortable(dst, scores, ld, bias)
}

func narrow(dst []int16, src []float32, scale float32) { narrowPortable(dst, src, scale) }

func step(walks []Walk, G []int16, K, lanes int, p Pace) { stepPortable(walks, G, K, lanes, p) }
