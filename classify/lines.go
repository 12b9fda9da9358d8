package classify

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf8"

	"github.com/kdcode/kdcode/internal/gunzip"
)

const (
	// window is how much of the start of a file is looked at to recognise it,
	// and the size of the buffer it is read through.
	window = 64 << 10
	// maxLine is the longest line, and the longest CSV record, that is read.
	maxLine = 16 << 20

	byteOrderMark = "\ufeff"
)

// lines reads a text, decompressed, line by line.
type lines struct {
	*bufio.Reader
	name string
	line int    // the number of the last line returned, from 1
	long []byte // a line longer than the buffer
}

func newLines(r io.Reader, name string) (*lines, error) {
	l := &lines{Reader: bufio.NewReaderSize(r, window), name: name}
	in, gzipped, err := gunzip.Reader(l.Reader, func(what string) error { return badf(name, "%s", what) })
	if err != nil {
		return nil, err
	}
	if gzipped {
		l.Reader = bufio.NewReaderSize(in, window)
	}
	var start []byte
	if start, err = l.Peek(len(byteOrderMark)); string(start) == byteOrderMark {
		_, err = l.Discard(len(start))
	}
	if err == io.EOF {
		err = nil // shorter than a byte order mark
	}
	return l, err
}

// next returns the next line without its ending, a newline and perhaps a
// carriage return before it. It is valid until the call after. The last line
// need not have an ending.
func (l *lines) next() ([]byte, error) {
	line, err := l.read()
	if len(line) == 0 && err != nil {
		return nil, err
	}
	l.line++
	line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
	if !utf8.Valid(line) {
		return nil, badf(atLine(l.name, l.line), "byte %d of the line is not UTF-8: convert the file, with iconv -f latin1 -t utf-8 for instance", invalidAt(line)+1)
	}
	return line, nil
}

// read returns the next line of the input, with its ending.
func (l *lines) read() ([]byte, error) {
	line, err := l.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = l.long[:0]
		for err == bufio.ErrBufferFull {
			l.long = append(l.long, line...)
			if len(l.long) > maxLine {
				return nil, badf(atLine(l.name, l.line+1), "a line of more than %d MB: not a text, or line ends are missing", maxLine>>20)
			}
			line, err = l.ReadSlice('\n')
		}
		l.long = append(l.long, line...)
		line = l.long
	}
	if err != nil && err != io.EOF {
		return nil, err // what came before it is not a whole line
	}
	return line, err
}

// invalidAt returns where the first byte stands that is not UTF-8.
func invalidAt(line []byte) int {
	at := 0
	for at < len(line) {
		r, size := utf8.DecodeRune(line[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return at
}
