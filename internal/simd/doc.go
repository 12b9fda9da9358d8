// Package simd holds the float32 kernels of kdcode: sums of code embeddings,
// the vector arithmetic around them, and the scan of codes against tables of
// partial scores; and what an engine of graphs runs block by block: functions of
// floats, comparisons, conversions, reductions and transposes.
//
// Every kernel is a portable Go loop, which is its specification, and on amd64
// the same loop in AVX-512 (F, DQ, BW and VL) and in AVX2 with FMA. The best
// one the processor has is chosen when the program starts; Level names it. The
// environment variable KDCODE_SIMD (portable, avx2 or avx512) asks for a lower
// one, and the build tag noasm leaves only the portable loops.
//
// Kernels that keep the order of additions (SumRows, SumCodes, SumPacked, their
// shared forms, Add, Axpy and Scan) return the same bits at every level and on
// every machine; so do conversions, Zip, Chain, and those functions of Map that
// are rounded exactly. Its others are within 3 units of the last place. Kernels
// that reduce a vector to a number (Dot, SquaredDistance, MatVec, MatVecs and
// Sum) add in another order at each level: they are within (n+4)·2⁻²⁴·Σ|terms|
// of the exact sum of n terms.
//
// Kernels are of one thread and allocate nothing.
//
// Slices whose lengths do not fit each other are a bug of the caller: kernels
// panic. Digits come from files: kernels check every one and report the first
// that is out of range, without reading outside their arguments.
//
// The assembly is written by the program in _generate:
//
//	go generate ./internal/simd ./internal/bitpack && git diff --exit-code internal
//
// fails where the committed files are not what it writes.
package simd

//go:generate go run -C _generate . -kernel sumrows -out ../sumrows_amd64.s -stubs ../sumrows_amd64.go -pkg simd
//go:generate go run -C _generate . -kernel sumpacked -out ../sumpacked_amd64.s -stubs ../sumpacked_amd64.go -pkg simd
//go:generate go run -C _generate . -kernel elementwise -out ../elementwise_amd64.s -stubs ../elementwise_amd64.go -pkg simd
//go:generate go run -C _generate . -kernel map -out ../map_amd64.s -stubs ../map_amd64.go -pkg simd
//go:generate go run -C _generate . -kernel zip -out ../zip_amd64.s -stubs ../zip_amd64.go -pkg simd
//go:generate go run -C _generate . -kernel chain -out ../chain_amd64.s -stubs ../chain_amd64.go -pkg simd
//go:generate go run -C _generate . -kernel compare -out ../compare_amd64.s -stubs ../compare_amd64.go -pkg simd
//go:generate go run -C _generate . -kernel reduce -out ../reduce_amd64.s -stubs ../reduce_amd64.go -pkg simd
//go:generate go run -C _generate . -kernel convert -out ../convert_amd64.s -stubs ../convert_amd64.go -pkg simd
//go:generate go run -C _generate . -kernel transpose -out ../transpose_amd64.s -stubs ../transpose_amd64.go -pkg simd
//go:generate go run -C _generate . -kernel dot -out ../dot_amd64.s -stubs ../dot_amd64.go -pkg simd
//go:generate go run -C _generate . -kernel matvec -out ../matvec_amd64.s -stubs ../matvec_amd64.go -pkg simd
//go:generate go run -C _generate . -kernel prefetch -out ../prefetch_amd64.s -stubs ../prefetch_amd64.go -pkg simd
//go:generate go run -C _generate . -kernel scan -out ../scan_amd64.s -stubs ../scan_amd64.go -pkg simd
