package simd

// Prefetch asks the processor to bring the cache line of p near, and does not
// wait for it. It does nothing where kernels are portable.
func Prefetch(p *byte) { prefetchLine(p) }
