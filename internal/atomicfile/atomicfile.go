// Package atomicfile writes files that appear whole or not at all: to a
// temporary file in the same folder, synced, then renamed over the old one.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
)

// File is a file being written. Commit makes it appear under its name; Close
// without Commit removes what was written and leaves the old file as it was.
type File struct {
	*os.File
	path string
	done bool
}

// Create begins writing the file at path.
func Create(path string) (*File, error) {
	f, err := createTemp(path)
	if err != nil {
		return nil, createError(path, err)
	}
	// A finished file has the mode of the one it replaces.
	if old, err := os.Stat(path); err == nil && runtime.GOOS != "windows" {
		if err := f.Chmod(old.Mode().Perm()); err != nil {
			f.Close()
			os.Remove(f.Name())
			return nil, fmt.Errorf("create %s: %w", path, err)
		}
	}
	return &File{File: f, path: path}, nil
}

// createTemp is os.CreateTemp but for the mode: what the umask leaves of 0666.
func createTemp(path string) (f *os.File, err error) {
	for range 1000 { // a name is taken once in a blue moon
		name := fmt.Sprintf(".%s.tmp-%d", filepath.Base(path), rand.Uint32())
		f, err = os.OpenFile(filepath.Join(filepath.Dir(path), name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return f, err
}

// createError speaks of the file that was asked for, not of the temporary one.
func createError(path string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("create %s: there is no folder %s: %w; make it first", path, filepath.Dir(path), err)
	}
	return fmt.Errorf("create %s: %w", path, err)
}

// Path returns the name under which the file will appear.
func (f *File) Path() string { return f.path }

// Commit syncs the file and gives it its name. After an error the old file is
// still in place, and Close removes the new one.
func (f *File) Commit() error {
	if err := f.File.Sync(); err != nil {
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	if err := f.File.Close(); err != nil {
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	if err := os.Rename(f.File.Name(), f.path); err != nil {
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	f.done = true
	syncFolder(filepath.Dir(f.path))
	return nil
}

// Close ends writing. Without a Commit before it, nothing of the new file
// remains. It is meant to be deferred; closing twice is harmless.
func (f *File) Close() error {
	if f.done {
		return nil
	}
	f.done = true
	f.File.Close()
	return os.Remove(f.File.Name())
}

// syncFolder makes the rename itself durable. Not every system can sync a
// folder; the file is whole either way, so errors are ignored.
func syncFolder(path string) {
	if d, err := os.Open(path); err == nil {
		_ = d.Sync()
		d.Close()
	}
}
