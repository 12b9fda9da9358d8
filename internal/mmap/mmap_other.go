//go:build !unix && !windows

package mmap

import (
	"io"
	"os"
)

// mapFile reads the file: WebAssembly and Plan 9 have no memory maps.
func mapFile(f *os.File, size int) (*File, error) {
	data := make([]byte, size)
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, err
	}
	return &File{Data: data, unmap: func() error { return nil }}, nil
}
