package additive

import "unsafe"

// misalignment returns how many of all to skip to begin on a cache line.
func misalignment(all []int16) int {
	past := uintptr(unsafe.Pointer(unsafe.SliceData(all))) % 64
	return int((64-past)%64) / 2
}
