package classify

import (
	"errors"
	"io"
	"iter"
	"os"
	"strings"
)

// Example is a text with its label.
type Example struct {
	Label, Text string
	Line        int // where it begins, from 1
}

// Reader reads labelled texts one by one. It is not safe for concurrent use.
//
// Files are UTF-8. Blank lines are passed over. A first line whose label is
// "label", "class" or "class index" is a header and passed over too. In CSV
// the class comes first, and the columns after it, of which every line has as
// many, are joined by a space; \n, two characters that the paper's data sets
// write for a line end, is a space. In text with a tab, a text wholly in
// quotes with the quotes inside doubled stands for what is quoted. In
// fastText's format a line has one label, its first word.
type Reader struct {
	in      *lines
	file    io.Closer
	format  Format
	columns int // of CSV, once known
	record  []byte
	first   bool // whether no record was read yet
	count   int
	err     error
}

// OpenExamples opens the labelled texts at path, gzipped or not.
func OpenExamples(path string, f Format) (*Reader, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := NewReader(file, path, f)
	if err != nil {
		file.Close()
		return nil, err
	}
	r.file = file
	return r, nil
}

// NewReader reads labelled texts from r, which it never closes; name stands
// for it in errors.
func NewReader(r io.Reader, name string, f Format) (*Reader, error) {
	in, err := newLines(r, name)
	if err != nil {
		return nil, err
	}
	if f, err = sniff(in, f); err != nil {
		return nil, err
	}
	return &Reader{in: in, format: f, first: true}, nil
}

// Name returns the path, or what stands for it.
func (r *Reader) Name() string { return r.in.name }

// Format returns the format, as given or as recognised.
func (r *Reader) Format() Format { return r.format }

// Close closes the file that OpenExamples opened.
func (r *Reader) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// All returns the examples from here on. An error is the last that it yields.
func (r *Reader) All() iter.Seq2[Example, error] {
	return func(yield func(Example, error) bool) {
		for {
			e, err := r.Read()
			if err == io.EOF || !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// Read returns the next example. After the last it returns io.EOF; a file
// without any is an error. After an error it returns the same again.
func (r *Reader) Read() (Example, error) {
	if r.err != nil {
		return Example{}, r.err
	}
	e, err := r.read()
	if err == io.EOF && r.count == 0 {
		err = badf(r.in.name, "no example in the file: a label and a text are needed on at least one line")
	}
	if err != nil {
		r.err = err
		return Example{}, err
	}
	r.count++
	return e, nil
}

func (r *Reader) read() (Example, error) {
	for {
		line, err := r.in.next()
		if err != nil {
			return Example{}, err
		}
		if len(trimBlanks(line)) == 0 {
			continue
		}
		e := Example{Line: r.in.line}
		if e.Label, e.Text, err = r.parse(line); err != nil {
			return Example{}, err
		}
		first := r.first
		r.first = false
		if first && r.format != FastText && isHeader(e.Label) {
			continue
		}
		return e, r.check(e)
	}
}

func (r *Reader) parse(line []byte) (label, text string, err error) {
	switch r.format {
	case CSV:
		return r.parseCSV(line)
	case Tab:
		return r.parseTab(line)
	case FastText:
		return r.parseFastText(line)
	}
	return "", "", errors.New("classify: no such format: " + r.format.String())
}

func (r *Reader) check(e Example) error {
	place := atLine(r.in.name, e.Line)
	switch {
	case e.Label == "":
		return badf(place, "the label is empty: write one, or delete the line")
	case strings.TrimSpace(e.Text) == "":
		return badf(place, "the text of label %q is empty: write one, or delete the line", clip(e.Label))
	}
	return nil
}

// trimBlanks removes spaces and carriage returns from both ends. Tabs stay:
// they separate.
func trimBlanks(line []byte) []byte {
	for len(line) > 0 && (line[0] == ' ' || line[0] == '\r') {
		line = line[1:]
	}
	for len(line) > 0 && (line[len(line)-1] == ' ' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	return line
}
