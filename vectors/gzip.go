package vectors

import (
	"bufio"

	"github.com/kdcode/kdcode/internal/gunzip"
)

// gunzip makes in deliver what is compressed in it, if it is gzipped.
func (in *input) gunzip() error {
	r, gzipped, err := gunzip.Reader(in.Reader, func(what string) error { return badf(in.name, "%s", what) })
	if err != nil || !gzipped {
		return err
	}
	in.Reader = bufio.NewReaderSize(r, window)
	in.gzipped = true
	return nil
}
