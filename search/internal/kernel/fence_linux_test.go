package kernel

import (
	"syscall"
	"testing"
	"unsafe"
)

// fenced returns two slices of n elements, one that begins where an
// inaccessible page ends and one that ends where another begins: reading outside
// them is a fault. They are valid until the test ends.
func fenced[T any](tb testing.TB, n int) [2][]T {
	tb.Helper()
	page := syscall.Getpagesize()
	size := (n*int(unsafe.Sizeof(*new(T))) + page) / page * page
	all, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { syscall.Munmap(all) })
	for _, fence := range [][]byte{all[:page], all[page+size:]} {
		if err := syscall.Mprotect(fence, syscall.PROT_NONE); err != nil {
			tb.Fatal(err)
		}
	}
	inside := unsafe.Slice((*T)(unsafe.Pointer(&all[page])), size/int(unsafe.Sizeof(*new(T))))
	return [2][]T{inside[:n:n], inside[len(inside)-n:]}
}

// TestFences runs the kernels on arguments between inaccessible pages, with
// digits of any value: they read nothing outside.
func TestFences(t *testing.T) {
	for _, blocks := range []int{1, 3, 4, 6} {
		for _, D := range []int{1, 2, 5, 32} {
			dst, tables, codes := fenced[uint16](t, blocks*Block), fenced[uint8](t, D*Ways), fenced[uint8](t, blocks*Block*D)
			words, x := fenced[uint64](t, blocks), fenced[float32](t, blocks*Block)
			for side := range 2 {
				for i := range codes[side] {
					codes[side][i] = uint8(i)
				}
				for _, l := range levels() {
					setLevel(t, l)
					for _, K := range []int{16, 32, 64} {
						Sums(dst[side], tables[side], K, codes[side], D)
					}
					Above(words[side], dst[side], x[side], 1, 1)
				}
			}
		}
	}
}
