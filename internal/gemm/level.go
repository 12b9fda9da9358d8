package gemm

import "github.com/kdcode/kdcode/internal/simd"

// A level is an instruction set that kernels are written for.
type level string

const (
	portable level = "portable"
	avx2     level = "avx2"
	avx512   level = "avx512"
)

// active is the level in use. Only tests change it.
var active = level(simd.Level())
