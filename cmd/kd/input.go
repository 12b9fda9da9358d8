package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/gunzip"
	"github.com/kdcode/kdcode/internal/safetensors"
	"github.com/kdcode/kdcode/vectors"
)

// codeFileExt is what the names of code files end in by custom.
const codeFileExt = ".kd"

// isCodeFile reports whether the file at path is, or is meant to be, a code
// file rather than a table of ordinary vectors: by its name, or by what its
// header says.
func isCodeFile(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	if gzippedCodes(f) {
		return false, packedCodes(path)
	}
	if strings.HasSuffix(strings.ToLower(path), codeFileExt) {
		return true, nil
	}
	h, err := safetensors.ReadHeader(f)
	return err == nil && h.Metadata["format"] == "kdcode", nil
}

// gzippedCodes reports whether f, at its beginning, is a gzipped code file. It
// leaves f there.
func gzippedCodes(f *os.File) bool {
	defer f.Seek(0, io.SeekStart)
	in, packed, err := gunzip.Reader(bufio.NewReader(f), func(what string) error { return dataf("%s", what) })
	return err == nil && packed && beginsAsCodeFile(bufio.NewReader(in))
}

func packedCodes(path string) error {
	return dataf("%s: a gzipped code file, which cannot be mapped; unpack it first: gunzip %s", path, path)
}

// openTable opens a code file. Where it is a table of another kind it says so.
func openTable(path string) (*kdcode.Table, error) {
	t, err := kdcode.Open(path)
	if !errors.Is(err, codefile.ErrFormat) {
		return t, err
	}
	if _, packed := isCodeFile(path); packed != nil {
		return nil, packed
	}
	r, other := vectors.Open(path, vectors.Options{})
	if other != nil {
		return nil, err
	}
	r.Close()
	return nil, ordinaryVectors{dataf("%s: a table of ordinary vectors (%s), not a code file; make one of it with kd compress", path, r.Format())}
}

// ordinaryVectors is the error of a file that holds some, where a code file is
// wanted.
type ordinaryVectors struct{ error }

func (e ordinaryVectors) Unwrap() error { return e.error }

// symbolOrID returns what stands for id in text: its symbol, or the number.
func symbolOrID(t *kdcode.Table, id int) (string, error) {
	if !t.HasSymbols() {
		return idText(id), nil
	}
	return t.Symbol(id)
}

// wantVectors refuses a code file where ordinary vectors are wanted.
func wantVectors(path string) error {
	code, err := isCodeFile(path)
	if err == nil && code {
		err = dataf("%s: a code file, not a table of ordinary vectors; kd convert turns it into one", path)
	}
	return err
}
