// Package kernel holds the kernels of the learner in quantize: products of
// matrices, smallest scores, and the walk of a code through its neighbours.
//
// Every kernel is a portable Go loop, which is its specification, and on amd64
// the same in AVX-512 and in AVX2 with FMA. The level is that of package simd,
// whose environment variable and build tag hold here too.
//
// Walk and Narrow return the same bits at every level. MatMul fuses its
// multiplications and additions in assembly and is within (n+2)·2⁻²⁴·Σ|terms|
// of the exact sum of n terms; its two assembly forms return the same bits,
// however rows are divided among calls.
package kernel

//go:generate go run -C _generate . -kernel matmul -out ../matmul_amd64.s -stubs ../matmul_amd64.go -pkg kernel
//go:generate go run -C _generate . -kernel argmin -out ../argmin_amd64.s -stubs ../argmin_amd64.go -pkg kernel
//go:generate go run -C _generate . -kernel narrow -out ../narrow_amd64.s -stubs ../narrow_amd64.go -pkg kernel
//go:generate go run -C _generate . -kernel walk -out ../walk_amd64.s -stubs ../walk_amd64.go -pkg kernel
