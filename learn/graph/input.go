package graph

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/kdcode/kdcode/internal/gunzip"
)

// maxLine is the longest line read: a node with millions of features.
const maxLine = 64 << 20

// find returns the path of one of the files of a graph, gzipped or not.
func find(stem, kind string) (string, error) {
	path := stem + "." + kind
	if info, err := os.Stat(stem); err == nil && info.IsDir() {
		path = filepath.Join(stem, kind)
	}
	_, plain := os.Stat(path)
	_, gzipped := os.Stat(path + ".gz")
	switch {
	case plain == nil && gzipped == nil:
		return "", badf(path, "there is a %s.gz too; remove one of them", filepath.Base(path))
	case gzipped == nil:
		return path + ".gz", nil
	case plain == nil:
		return path, nil
	case errors.Is(plain, fs.ErrNotExist):
		return "", fmt.Errorf("%w; a graph in text is four files: features, edges, labels and split", plain)
	}
	return "", plain
}

// eachLine calls do with the number and the fields of every line that is
// neither blank nor a comment. There must be one at least.
func eachLine(path string, do func(line int, fields []string) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	unpacked, _, err := gunzip.Reader(bufio.NewReader(f), func(what string) error { return badf(path, "%s", what) })
	if err != nil {
		return err
	}
	r := bufio.NewReader(unpacked)
	skipByteOrderMark(r)
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n, used := 0, 0
	for lines.Scan() {
		n++
		fields := strings.FieldsFunc(lines.Text(), func(r rune) bool { return r == ' ' || r == '\t' })
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		used++
		if err := do(n, fields); err != nil {
			if cut := lines.Err(); cut != nil {
				return cut // the line is what was left of one
			}
			return err
		}
	}
	switch err := lines.Err(); {
	case err == bufio.ErrTooLong:
		return badf(atLine(path, n+1), "a line of more than %d MB: not a graph in text, or line ends are missing", maxLine>>20)
	case err != nil:
		return err
	case used == 0:
		return badf(path, "the file is empty; see the documentation of package graph for what it should hold")
	}
	return nil
}

var byteOrderMark = []byte("\xef\xbb\xbf")

func skipByteOrderMark(r *bufio.Reader) {
	if start, _ := r.Peek(len(byteOrderMark)); bytes.Equal(start, byteOrderMark) {
		_, _ = r.Discard(len(byteOrderMark)) // they are in the buffer
	}
}
