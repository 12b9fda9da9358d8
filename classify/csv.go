package classify

import (
	"bytes"
	"io"
	"strings"
)

// parseCSV takes apart the record that begins with line. Quoted fields may go
// on over line ends, which become spaces.
func (r *Reader) parseCSV(line []byte) (label, text string, err error) {
	begin := r.in.line
	if line, err = r.csvRecord(line); err != nil {
		return "", "", err
	}
	var b strings.Builder
	columns := 0
	for more := true; more; columns++ {
		var field []byte
		if field, line, more, err = r.csvField(line, begin); err != nil {
			return "", "", err
		}
		if columns == 0 {
			label = string(bytes.TrimSpace(field))
			continue
		}
		addText(&b, field)
	}
	return label, b.String(), r.checkColumns(columns, begin)
}

// csvRecord returns line with those that follow it as long as a quote is open.
func (r *Reader) csvRecord(line []byte) ([]byte, error) {
	if !quoteOpen(line, false) {
		return line, nil
	}
	begin := r.in.line
	r.record = append(r.record[:0], line...)
	for open := true; open; {
		next, err := r.in.next()
		if err == io.EOF {
			return nil, badf(atLine(r.in.name, begin), "a quote is never closed: double the quotes inside fields")
		}
		if err != nil {
			return nil, err
		}
		if len(r.record)+len(next) > maxLine {
			return nil, badf(atLine(r.in.name, begin), "a quote is not closed within %d MB: double the quotes inside fields", maxLine>>20)
		}
		r.record = append(append(r.record, ' '), next...)
		open = quoteOpen(next, true)
	}
	return r.record, nil
}

// quoteOpen reports whether line ends inside a quoted field, where open says
// whether it began in one. Quotes count at the start of a field only.
func quoteOpen(line []byte, open bool) bool {
	for start := !open; ; start = true {
		if start && len(line) > 0 && line[0] == '"' {
			open, line = true, line[1:]
		}
		for open {
			at := bytes.IndexByte(line, '"')
			if at < 0 {
				return true
			}
			line = line[at+1:]
			if len(line) > 0 && line[0] == '"' {
				line = line[1:] // a quote in the text
				continue
			}
			open = false
		}
		at := bytes.IndexByte(line, ',')
		if at < 0 {
			return false
		}
		line = line[at+1:]
	}
}

// csvField cuts the next field from a record, and reports whether more follow.
func (r *Reader) csvField(record []byte, line int) (field, rest []byte, more bool, err error) {
	if len(record) == 0 || record[0] != '"' {
		field, rest, more = bytes.Cut(record, []byte{','})
		return field, rest, more, nil
	}
	field, rest, ok := cutQuoted(record)
	if ok {
		rest = bytes.TrimLeft(rest, " ")
		if len(rest) == 0 {
			return unquote(field), nil, false, nil
		}
		if rest[0] == ',' {
			return unquote(field), rest[1:], true, nil
		}
	}
	return nil, nil, false, badf(atLine(r.in.name, line), "%q follows a closing quote, not a comma: double the quotes inside fields", clip(rest))
}

// addText appends a column to a text.
func addText(b *strings.Builder, field []byte) {
	field = bytes.TrimSpace(bytes.ReplaceAll(field, []byte(`\n`), []byte{' '}))
	if len(field) == 0 {
		return
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	b.Write(field)
}

func (r *Reader) checkColumns(columns, line int) error {
	if r.columns == 0 {
		r.columns = columns
	}
	switch {
	case columns < 2:
		return badf(atLine(r.in.name, line), "one column: the class and at least one column of text are needed")
	case columns != r.columns:
		return badf(atLine(r.in.name, line), "%d columns, but the lines before have %d: put fields with commas in quotes", columns, r.columns)
	}
	return nil
}
