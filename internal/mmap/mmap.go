// Package mmap maps whole files into memory, read-only. Where the system
// cannot, it reads them instead.
package mmap

import (
	"fmt"
	"math"
	"os"
)

// File is a mapped file.
type File struct {
	Data  []byte
	unmap func() error
}

// Open maps the file at path.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	switch {
	case info.IsDir():
		return nil, fmt.Errorf("open %s: it is a folder, not a file", path)
	case info.Size() == 0 && info.Mode().IsRegular():
		return &File{unmap: func() error { return nil }}, nil // systems refuse empty maps
	case info.Size() > math.MaxInt:
		return nil, fmt.Errorf("open %s: %d bytes do not fit this system's address space", path, info.Size())
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("open %s: not a regular file: it cannot be mapped; read it into memory instead", path)
	}
	m, err := mapFile(f, int(info.Size()))
	if err != nil {
		return nil, fmt.Errorf("map %s: %w", path, err)
	}
	return m, nil
}

// Close unmaps the file. Its data must not be touched afterwards.
func (f *File) Close() error {
	unmap := f.unmap
	f.Data, f.unmap = nil, func() error { return nil }
	return unmap()
}
