package vectors

import (
	"bufio"
	"io"
	"os"
)

// window is how much of the start of a file is looked at to recognise it, and
// the size of the buffer it is read through.
const window = 64 << 10

// input is a file or stream being read, decompressed.
type input struct {
	*bufio.Reader
	name    string
	file    *os.File // where it is a plain, uncompressed file; else nil
	size    int64    // of that file; else -1
	gzipped bool
	c       io.Closer
}

// openInput opens the file at path.
func openInput(path string) (*input, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in, err := newInput(f, path)
	if err != nil {
		f.Close()
		return nil, err
	}
	in.c = f
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && !in.gzipped {
		in.file, in.size = f, info.Size()
	}
	return in, nil
}

// newInput reads from r, which it never closes.
func newInput(r io.Reader, name string) (*input, error) {
	in := &input{Reader: bufio.NewReaderSize(r, window), name: name, size: -1}
	return in, in.gunzip()
}

func (in *input) Close() error {
	if in.c == nil {
		return nil
	}
	return in.c.Close()
}

// skip passes over n bytes, by seeking where it can.
func (in *input) skip(n int64) error {
	if in.file != nil && n > int64(in.Buffered()) {
		n -= int64(in.Buffered())
		if _, err := in.file.Seek(n, io.SeekCurrent); err != nil {
			return err
		}
		in.Reset(in.file)
		return nil
	}
	_, err := io.CopyN(io.Discard, in, n)
	return err
}

// short reports whether err means that the input ended early.
func short(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }
