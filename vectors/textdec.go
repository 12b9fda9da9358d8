package vectors

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
)

// textDecoder reads GloVe and word2vec text.
type textDecoder struct {
	lines
	dim    int
	rows   int // that the header claims, or -1
	header bool
	read   int // rows read, duplicates included
	blanks Skip
	guess  float64 // bytes of a line, on average, or 0
}

// newTextDecoder begins with the line that follows the header of word2vec
// text, or finds the dimension of a GloVe text out.
func newTextDecoder(in *input, format Format, dim int) (*textDecoder, error) {
	d := &textDecoder{lines: lines{in: in}, rows: -1, dim: dim}
	if err := skipByteOrderMark(in); err != nil {
		return nil, err
	}
	if format == Word2VecText {
		line, err := d.lines.next()
		if err != nil {
			return nil, err
		}
		d.header = true
		d.rows, d.dim, _ = parseCounts(line)
		if dim != 0 && dim != d.dim {
			return nil, badf(atLine(in.name, 1), "the header says %d dimensions, %d were asked for", d.dim, dim)
		}
		if least := leastNumbers(d.ahead(sampleLines)); least > d.dim {
			return nil, badf(atLine(in.name, 1), "the header says %d dimensions, but lines end in %d numbers: correct it or delete it", d.dim, least)
		}
		return d, nil
	}
	sample := d.ahead(sampleLines)
	if len(sample) == 0 {
		if d.err != nil && d.err != io.EOF {
			return nil, d.err
		}
		return nil, badf(in.name, "the file is blank: a table has at least one vector")
	}
	d.guess = float64(len(d.held)) / float64(len(sample))
	if d.dim == 0 {
		d.dim = dimension(sample)
	}
	if d.dim == 0 {
		return nil, badf(in.name, "not a table that can be read: the first line, %q, is not a word followed by numbers, nor does the file begin as word2vec binary, .npy or safetensors do", clip(sample[0]))
	}
	if isWhole(sample[0]) && string(sample[0]) == strconv.Itoa(d.dim) { // a header without the count
		d.header = true
		for blank := true; blank; {
			line, err := d.lines.next()
			if err != nil {
				return nil, err
			}
			blank = len(line) == 0
		}
	}
	return d, nil
}

func (d *textDecoder) next(row []float32) ([]byte, error) {
	line, err := d.lines.next()
	first, blanks := d.line, 0
	for err == nil && len(line) == 0 {
		blanks++
		line, err = d.lines.next()
	}
	if blanks > 0 && err == nil { // at the end of the file they are ordinary
		d.blanks.add(blanks, func() string { return atLine(d.in.name, first) })
	}
	if err == io.EOF {
		return nil, d.end()
	}
	if err != nil {
		return nil, err
	}
	d.read++
	if word := parseRow(row, line); word != nil {
		return word, nil
	}
	return d.parseUnusual(row, line)
}

func (d *textDecoder) end() error {
	if d.rows >= 0 && d.read != d.rows {
		return badf(d.in.name, "the header says %d vectors, there are %d: the file is incomplete, or correct its first line, or delete it (the file is then read as GloVe text)", d.rows, d.read)
	}
	return io.EOF
}

func (d *textDecoder) place() string { return atLine(d.in.name, d.line) }

// parseRow reads the ordinary line: a word without spaces and len(row)
// numbers. It returns nil for any other.
func parseRow(row []float32, line []byte) []byte {
	i := 0
	for i < len(line) && !isSeparator(line[i]) {
		i++
	}
	if i == 0 {
		return nil
	}
	word := line[:i]
	for k := range row {
		for i < len(line) && isSeparator(line[i]) {
			i++
		}
		v, n := scanFloat(line[i:])
		if n == 0 {
			return nil
		}
		row[k] = v
		i += n
	}
	if i != len(line) {
		return nil
	}
	return word
}

// parseUnusual reads a line whose word has spaces: the last len(row) fields
// are the vector. Or it says what is wrong with the line.
func (d *textDecoder) parseUnusual(row []float32, line []byte) ([]byte, error) {
	rest := line
	for k := len(row) - 1; k >= 0; k-- {
		var field []byte
		field, rest = lastField(rest)
		v, n := scanFloat(field)
		if n == 0 {
			return nil, d.malformed(line, field)
		}
		row[k] = v
	}
	word := bytes.TrimLeft(rest, " \t")
	if len(word) == 0 {
		if !isSeparator(line[0]) { // the word is a number itself
			return nil, badf(d.place(), "%d numbers instead of %d: %s", len(row)-1, len(row), d.remedy())
		}
		return nil, badf(d.place(), "no word before the %d numbers: put one there or delete the line", len(row))
	}
	if field := fraction(word); field != nil {
		return nil, badf(d.place(), "more than %d numbers: %q stands before them; %s", len(row), clip(field), d.remedy())
	}
	return word, nil
}

// fraction returns a field of word, not its first, that looks like a number of
// a vector: the line then has too many, or a line end is missing. Whole
// numbers are left to words such as "top 10".
func fraction(word []byte) []byte {
	for {
		field, rest := lastField(word)
		if len(rest) == 0 {
			return nil
		}
		if isNumber(field) && bytes.ContainsAny(field, ".eE") {
			return field
		}
		word = rest
	}
}

// malformed says why line does not end in a vector; field is what should have
// been a number.
func (d *textDecoder) malformed(line, field []byte) error {
	n := trailingNumbers(line)
	switch {
	case len(field) > 0 && isNumber(field):
		return badf(d.place(), "%q is beyond float32: %s", clip(field), d.remedy())
	case len(bytes.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })) > d.dim:
		return badf(d.place(), "%q is not a number: the line must end in %d of them; %s", clip(field), d.dim, d.remedy())
	}
	return badf(d.place(), "%d numbers instead of %d: %s", n, d.dim, d.remedy())
}

func (d *textDecoder) remedy() string {
	if d.header {
		return "correct the line or delete it, or correct the dimension in the first line"
	}
	return fmt.Sprintf("correct the line or delete it, or name the dimension if it is not %d", d.dim)
}
