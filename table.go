package kdcode

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/mmap"
)

// Table is an open code table. It is immutable and safe for concurrent use.
type Table struct {
	gate    gate
	file    *codefile.Reader
	compose composer
	release func() error // gives back the file's memory
}

// Open maps the code file at path. The work does not grow with the number of
// symbols: only the code embeddings, which are small, are read.
func Open(path string) (*Table, error) {
	m, err := mmap.Open(path)
	if err != nil {
		return nil, err
	}
	t, err := newTable(m.Data, m.Close)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), m.Close())
	}
	return t, nil
}

// Load reads the code file at path into memory. Unlike Open it keeps no hold
// on the file, and its lookups never wait for the disk.
func Load(path string) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("open %s: it is a folder, not a file", path)
	}
	t, err := Read(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// Read reads the code file of that size in r into memory.
func Read(r io.ReaderAt, size int64) (*Table, error) {
	// The header is checked against the size before the rest is allocated.
	if _, err := codefile.ReadHeader(r, size); err != nil {
		return nil, err
	}
	data := make([]byte, size)
	if n, err := r.ReadAt(data, 0); n < len(data) {
		return nil, fmt.Errorf("read at offset %d: %w", n, err)
	}
	return FromBytes(data)
}

// FromBytes returns the table in data, which holds a code file (embedded in a
// program, say) and must not be changed while the table is in use.
func FromBytes(data []byte) (*Table, error) {
	return newTable(data, func() error { return nil })
}

func newTable(data []byte, release func() error) (*Table, error) {
	file, err := codefile.NewReader(data)
	if err != nil {
		return nil, err
	}
	t := &Table{file: file, release: release}
	t.compose.init(file)
	return t, nil
}

// Close waits for calls under way and gives the file back. Later calls return
// ErrClosed; closing twice is harmless.
func (t *Table) Close() error {
	if !t.gate.close() {
		return nil
	}
	return t.release()
}

// Len returns N, the number of symbols.
func (t *Table) Len() int { return t.file.N }

// Dim returns d, the width of the vectors.
func (t *Table) Dim() int { return t.file.Dim }

// Ways returns K, the number of values a digit can take.
func (t *Table) Ways() int { return t.file.K }

// CodeLength returns D, the number of digits of a code.
func (t *Table) CodeLength() int { return t.file.D }

// Verify reads the whole file: every checksum, every digit, and that every
// symbol is found under its id.
func (t *Table) Verify() error {
	l := t.gate.enter()
	if l == nil {
		return ErrClosed
	}
	defer l.leave()
	return t.file.Verify()
}

// checkID returns an error unless id is in [0, N).
func (t *Table) checkID(id int) error {
	if uint(id) >= uint(t.file.N) {
		return fmt.Errorf("%w: %d; ids are 0 to %d", ErrID, id, t.file.N-1)
	}
	return nil
}
