package hugepages

import (
	"os"
	"syscall"
	"unsafe"
)

// advise asks for large pages for the whole pages in memory.
func advise(memory unsafe.Pointer, size int) {
	page := os.Getpagesize()
	skip := -int(uintptr(memory)) & (page - 1)
	if whole := (size - skip) &^ (page - 1); whole > 0 {
		_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Add(memory, skip)), whole), syscall.MADV_HUGEPAGE) // advice only
	}
}
