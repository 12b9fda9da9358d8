// Package gunzip reads files that may be gzipped, and tells a damaged stream
// from one that ends and from a file that cannot be read.
package gunzip

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// Magic is what a gzip stream begins with.
const Magic = "\x1f\x8b"

// Reader returns what is compressed in r, or r itself if it is not gzipped, and
// which of them it is. Damage, found now or when reading, is an error that bad
// makes of what is wrong.
func Reader(r *bufio.Reader, bad func(what string) error) (io.Reader, bool, error) {
	start, err := r.Peek(len(Magic))
	if err != nil && err != io.EOF {
		return nil, false, err
	}
	if string(start) != Magic {
		return r, false, nil
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, true, explain(err, bad)
	}
	return &reader{z, bad}, true, nil
}

type reader struct {
	z   *gzip.Reader
	bad func(what string) error
}

func (g *reader) Read(p []byte) (int, error) {
	n, err := g.z.Read(p)
	if err != nil && err != io.EOF {
		err = explain(err, g.bad)
	}
	return n, err
}

// explain makes an error of a damaged stream. Others stay what they are.
func explain(err error, bad func(what string) error) error {
	var corrupt flate.CorruptInputError
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return bad("the gzip stream ends early: the file is truncated; copy or download it again")
	case errors.As(err, &corrupt):
		return bad(fmt.Sprintf("the gzip stream is damaged at compressed offset %d; copy or download the file again", int64(corrupt)))
	case err == gzip.ErrChecksum:
		return bad("the gzip stream is damaged: its checksum differs; copy or download the file again")
	case err == gzip.ErrHeader:
		return bad("the gzip header is damaged, or something else follows the gzip stream; copy or download the file again")
	}
	return err
}
