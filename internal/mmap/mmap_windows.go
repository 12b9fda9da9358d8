package mmap

import (
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

func mapFile(f *os.File, size int) (*File, error) {
	section, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, windows.PAGE_READONLY, 0, 0, nil)
	if err != nil {
		return nil, os.NewSyscallError("CreateFileMapping", err)
	}
	// The view keeps the section alive.
	defer windows.CloseHandle(section)
	at, err := windows.MapViewOfFile(section, windows.FILE_MAP_READ, 0, 0, uintptr(size))
	if err != nil {
		return nil, os.NewSyscallError("MapViewOfFile", err)
	}
	// The address is outside Go's heap; going through a pointer to it keeps
	// vet's rule against uintptr-to-Pointer conversions.
	data := unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), size)
	return &File{Data: data, unmap: func() error { return os.NewSyscallError("UnmapViewOfFile", windows.UnmapViewOfFile(at)) }}, nil
}
