// Package hugepages asks the system for large pages.
//
// A processor remembers where a few thousand pages lie. Of 4 kB each that is a
// few megabytes: going through larger matrices, it looks pages up all the time.
// Linux, as most distributions set it up, gives large pages to memory that asks
// for them, which Go's does not.
package hugepages

import "unsafe"

// smallest is from how many bytes on asking is worth it: two large pages.
const smallest = 4 << 20

// Advise asks for large pages for memory that is new: pages that have been
// written to stay as they are. Where the system knows none, it does nothing.
func Advise[T any](memory []T) {
	var element T
	if size := len(memory) * int(unsafe.Sizeof(element)); size >= smallest {
		advise(unsafe.Pointer(unsafe.SliceData(memory)), size)
	}
}
