package vectors

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"
)

var gzipMagic = []byte{0x1f, 0x8b}

// gunzip makes in deliver what is compressed in it, if it is gzipped.
func (in *input) gunzip() error {
	start, err := in.Peek(len(gzipMagic))
	if err != nil && err != io.EOF {
		return err
	}
	if !bytes.Equal(start, gzipMagic) {
		return nil
	}
	z, err := gzip.NewReader(in.Reader)
	if err != nil {
		return gzipError(in.name, err)
	}
	in.Reader = bufio.NewReaderSize(&gunzipper{z, in.name}, window)
	in.gzipped = true
	return nil
}

// gunzipper tells a damaged gzip stream from one that ends.
type gunzipper struct {
	z    *gzip.Reader
	name string
}

func (g *gunzipper) Read(p []byte) (int, error) {
	n, err := g.z.Read(p)
	if err != nil && err != io.EOF {
		err = gzipError(g.name, err)
	}
	return n, err
}

func gzipError(name string, err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case short(err):
		return badf(name, "the gzip stream ends early: the file is truncated; copy or download it again")
	case errors.As(err, &corrupt):
		return badf(name, "the gzip stream is damaged at compressed offset %d; copy or download the file again", int64(corrupt))
	case err == gzip.ErrChecksum:
		return badf(name, "the gzip stream is damaged: its checksum differs; copy or download the file again")
	case err == gzip.ErrHeader:
		return badf(name, "the gzip header is damaged, or something else follows the gzip stream; copy or download the file again")
	}
	return err
}
