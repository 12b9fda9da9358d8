package simd

// PrefetchRows asks the processor to bring some rows of size bytes of src near,
// and does not wait for them: the cache lines of their first and their last
// byte, which are all of a code but a very long one. It does nothing where
// kernels are portable.
func PrefetchRows(src []byte, size int, rows []int) {
	if len(rows) > 0 {
		prefetchSome(src, size, rows)
	}
}
