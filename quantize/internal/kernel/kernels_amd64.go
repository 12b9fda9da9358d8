//go:build amd64 && !noasm

package kernel

import "unsafe"

func matMul(c []float32, ldc int, a []float32, lda, rows int, panel []float32, depth int, alpha float32, add bool) {
	switch active {
	case avx512:
		matMulAVX512(&c[0], ldc, &a[0], lda, rows, &panel[0], depth, alpha, add)
	case avx2:
		matMulAVX2(&c[0], ldc, &a[0], lda, rows, &panel[0], depth, alpha, add)
	default:
		matMulPortable(c, ldc, a, lda, rows, panel, depth, alpha, add)
	}
}

func argmin(dst []int32, scores []float32, ld int, bias []float32) {
	switch active {
	case avx512:
		argminAVX512(&dst[0], &scores[0], ld, &bias[0], len(bias), len(dst))
	case avx2:
		argminAVX2(&dst[0], &scores[0], ld, &bias[0], len(bias), len(dst))
	default:
		argminPortable(dst, scores, ld, bias)
	}
}

func narrow(dst []int16, src []float32, scale float32) {
	switch active {
	case avx512:
		narrowAVX512(&dst[0], &src[0], scale, len(src))
	case avx2:
		narrowAVX2(&dst[0], &src[0], scale, len(src))
	default:
		narrowPortable(dst, src, scale)
	}
}

func step(walks []Walk, G []int16, K, lanes int, p Pace) {
	switch active {
	case avx512:
		walkAVX512((*byte)(unsafe.Pointer(&walks[0])), len(walks), &G[0], K, lanes, p.Steps, p.Rest, p.Spread)
	case avx2:
		walkAVX2((*byte)(unsafe.Pointer(&walks[0])), len(walks), &G[0], K, lanes, p.Steps, p.Rest, p.Spread)
	default:
		stepPortable(walks, G, K, lanes, p)
	}
}
