package main

import (
	"os"

	"github.com/kdcode/kdcode/internal/atomicfile"
)

// canWrite makes sure, before long work, that its results can be written, and
// that they replace no input. Names that are empty stand for nothing.
func canWrite(ins []string, outs ...string) error {
	for _, out := range outs {
		if out == "" {
			continue
		}
		if err := replaceable(out); err != nil {
			return err
		}
		for _, in := range ins {
			if sameFile(in, out) {
				return usagef("%s would replace the input; give it another name", out)
			}
		}
		f, err := atomicfile.Create(out)
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// replaceable refuses to write where something else than a file is. A file
// appears by a rename, which would put it in the place of a device such as
// /dev/null, for all programs.
func replaceable(out string) error {
	old, err := os.Stat(out)
	switch {
	case err != nil:
		return nil // nothing there, or nothing that can be seen
	case old.IsDir():
		return usagef("%s is a folder: name a file", out)
	case !old.Mode().IsRegular():
		return usagef("%s is a device or a pipe, which a file cannot replace: name a file", out)
	}
	return nil
}

// sameFile reports whether two names are of one file that there is.
func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
