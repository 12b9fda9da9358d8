package vectors

import (
	"bufio"
	"bytes"
	"io"
)

// maxLine is the longest line read: a vector of a million numbers, generously.
const maxLine = 64 << 20

// lines reads a text line by line.
type lines struct {
	in   *input
	line int    // the number of the last line returned, from 1
	held []byte // lines read ahead
	err  error  // met while reading ahead; returned after held
	long []byte // a line longer than the buffer
}

// next returns the next line without its ending (a newline, perhaps with a
// carriage return before it) and without blanks at its end. It is valid until
// the call after. The last line need not have an ending.
func (l *lines) next() ([]byte, error) {
	var line []byte
	if len(l.held) > 0 {
		n := bytes.IndexByte(l.held, '\n')
		line, l.held = l.held[:n], l.held[n+1:]
	} else {
		var err error
		if line, err = l.read(); err != nil {
			return nil, err
		}
	}
	l.line++
	return trimEnd(line), nil
}

// read returns the next line of the input, perhaps with its newline.
func (l *lines) read() ([]byte, error) {
	if l.err != nil {
		return nil, l.err
	}
	line, err := l.in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = l.long[:0]
		for err == bufio.ErrBufferFull {
			if l.long = append(l.long, line...); len(l.long) > maxLine {
				l.err = badf(atLine(l.in.name, l.line+1), "a line of more than %d MB: not a table in text, or line ends are missing", maxLine>>20)
				return nil, l.err
			}
			line, err = l.in.ReadSlice('\n')
		}
		l.long = append(l.long, line...)
		line = l.long
	}
	if err != nil {
		l.err = err
		if err != io.EOF || len(line) == 0 {
			return nil, err
		}
	}
	return line, nil
}

// ahead returns the next lines that are not blank, n at most and not much more
// than a window full, which next will return again.
func (l *lines) ahead(n int) [][]byte {
	var text []byte
	var ends []int
	for len(ends) < n && len(text) < window {
		line, err := l.read()
		if err != nil {
			break // next will return it
		}
		text = append(text, bytes.TrimSuffix(line, []byte{'\n'})...)
		if len(trimEnd(line)) > 0 {
			ends = append(ends, len(text))
		}
		text = append(text, '\n')
	}
	l.held = text
	found := make([][]byte, len(ends))
	for i, end := range ends {
		begin := bytes.LastIndexByte(text[:end], '\n') + 1
		found[i] = trimEnd(text[begin:end])
	}
	return found
}

// trimEnd removes line ends, spaces and tabs from the end of a line.
func trimEnd(line []byte) []byte {
	n := len(line)
	for n > 0 && (isSeparator(line[n-1]) || line[n-1] == '\r' || line[n-1] == '\n') {
		n--
	}
	return line[:n]
}

// isSeparator reports whether c separates the fields of a line. Other kinds of
// space, such as Unicode's, are part of words.
func isSeparator(c byte) bool { return c == ' ' || c == '\t' }

var byteOrderMark = []byte("\xef\xbb\xbf")

func skipByteOrderMark(in *input) error {
	if start, _ := in.Peek(len(byteOrderMark)); bytes.Equal(start, byteOrderMark) {
		_, err := in.Discard(len(byteOrderMark))
		return err
	}
	return nil
}
