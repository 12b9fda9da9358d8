package bitpack

import (
	"syscall"
	"testing"
)

// TestFences unpacks rows that begin where an inaccessible page ends, and rows
// that end where one begins: reading outside them is a fault.
func TestFences(t *testing.T) {
	page := syscall.Getpagesize()
	all, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(all)
	inside := all[page : 2*page]
	for i := range inside {
		inside[i] = byte(i * 151)
	}
	for _, fence := range [][]byte{all[:page], all[2*page:]} {
		if err := syscall.Mprotect(fence, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	atLevels(t, func(t *testing.T) {
		for w := 1; w <= MaxWidth; w++ {
			for D := 1; D <= 100; D++ {
				n := RowBytes(D, w)
				checkUnpack(t, inside[:n:n], D, w)
				checkUnpack(t, inside[page-n:], D, w)
				checkUnpackRows(t, inside[:3*n:3*n], D, w, []int{0, 2, 0, 1})
				checkUnpackRows(t, inside[page-3*n:], D, w, []int{1, 2, 0, 2})
			}
		}
	})
}
