package classify

import (
	"bytes"
	"io"
	"strings"
)

// strangers are files that cannot be read, with what to do instead.
var strangers = []struct {
	at            int
	magic, remedy string
}{
	{257, "ustar", "a tar archive: unpack it, and give one of the files in it"},
	{0, "PK\x03\x04", "a zip archive: unpack it, and give one of the files in it"},
	{0, "PAR1", "a Parquet file: convert it to text, a tab and the label on each line"},
	{0, "BZh", "compressed with bzip2: decompress it first (gzip can stay)"},
	{0, "\xfd7zXZ\x00", "compressed with xz: decompress it first (gzip can stay)"},
	{0, "\x28\xb5\x2f\xfd", "compressed with zstd: decompress it first (gzip can stay)"},
	{0, "\xff\xfe", "text in UTF-16: convert it to UTF-8"},
	{0, "\xfe\xff", "text in UTF-16: convert it to UTF-8"},
}

// sniff recognises the format of in by its first bytes and consumes nothing.
func sniff(in *lines, want Format) (Format, error) {
	start, err := in.Peek(window)
	if err != nil && err != io.EOF {
		return 0, err
	}
	for _, s := range strangers {
		if len(start) > s.at && bytes.HasPrefix(start[s.at:], []byte(s.magic)) {
			return 0, badf(in.name, "%s", s.remedy)
		}
	}
	head := bytes.TrimLeft(start, "\r\n ")
	if len(head) == 0 && err == io.EOF {
		return 0, badf(in.name, "the file is empty: labelled texts have at least one line")
	}
	if want != Detect {
		return want, nil
	}
	first, _, whole := bytes.Cut(head, []byte{'\n'})
	if f := recognise(first, whole || err == io.EOF); f != Detect {
		return f, nil
	}
	return 0, badf(atLine(in.name, 1+bytes.Count(start[:len(start)-len(head)], []byte{'\n'})),
		"neither CSV with the class first, nor a text with a tab and its label, nor %s and words, but %q; give the format if it is one of them", labelPrefix, clip(first))
}

// recognise returns the format of a file by its first line, of which there may
// be only a part.
func recognise(line []byte, whole bool) Format {
	if bytes.HasPrefix(line, []byte(labelPrefix)) {
		return FastText
	}
	_, rest, quoted := cutQuoted(line)
	switch {
	case quoted && bytes.HasPrefix(rest, []byte{','}):
		return CSV
	case bytes.IndexByte(line, '\t') >= 0:
		return Tab
	case !whole:
		return Tab // a class is never that long: the text comes first
	}
	if field, _, ok := bytes.Cut(line, []byte{','}); ok && (isNumber(field) || isHeader(string(field))) {
		return CSV
	}
	return Detect
}

func isNumber(field []byte) bool {
	field = bytes.TrimSpace(field)
	return len(field) > 0 && len(bytes.Trim(field, "0123456789")) == 0
}

// isHeader reports whether what stands in the label's column of the first line
// is the column's name.
func isHeader(label string) bool {
	for _, name := range []string{"label", "class", "class index"} {
		if strings.EqualFold(label, name) {
			return true
		}
	}
	return false
}
