package vectors

import (
	"bytes"
	"io"

	"github.com/kdcode/kdcode/internal/safetensors"
)

// index is the format of an index of sharded safetensors files, which is read
// but never reported: the table's format is Safetensors.
const index Format = -1

// strangers are formats that cannot be read, with what to do instead.
var strangers = []struct{ magic, remedy string }{
	{"PK\x03\x04", "a zip archive (.npz or a PyTorch file): save the table alone with numpy.save or as safetensors"},
	{"\x89HDF", "an HDF5 file: save the table with numpy.save or as safetensors"},
	{"\xba\x16\x4f\x2f", "a fastText model: export its vectors to a .vec file"},
	{"GGUF", "a GGUF model: take the table from the safetensors model that it was made of"},
	{"PAR1", "a Parquet file: save the table with numpy.save or as safetensors"},
	{"\x28\xb5\x2f\xfd", "compressed with zstd: decompress it first (gzip can stay)"},
	{"\xfd7zXZ\x00", "compressed with xz: decompress it first (gzip can stay)"},
	{"BZh", "compressed with bzip2: decompress it first (gzip can stay)"},
	{"\xff\xfe", "text in UTF-16: convert it to UTF-8"},
	{"\xfe\xff", "text in UTF-16: convert it to UTF-8"},
	{"\x80\x02", "a Python pickle: save the table with numpy.save or as safetensors"},
	{"\x80\x03", "a Python pickle: save the table with numpy.save or as safetensors"},
	{"\x80\x04", "a Python pickle: save the table with numpy.save or as safetensors"},
	{"\x80\x05", "a Python pickle: save the table with numpy.save or as safetensors"},
}

// sniff recognises the format of in by its first bytes and consumes nothing.
func sniff(in *input) (Format, error) {
	start, err := in.Peek(window)
	switch {
	case len(start) == 0 && err == io.EOF:
		return 0, badf(in.name, "the file is empty: a table has at least one vector")
	case err != nil && err != io.EOF && len(start) < window:
		return 0, err
	}
	format, problem := recognise(start)
	if problem != "" {
		return 0, badf(in.name, "%s", problem)
	}
	return format, nil
}

// recognise returns the format of a file that begins with start, or why it
// cannot be read.
func recognise(start []byte) (format Format, problem string) {
	if bytes.HasPrefix(start, npyMagic) {
		return Npy, ""
	}
	if safetensors.IsHeader(start) {
		return Safetensors, ""
	}
	if isJSON(start) {
		if bytes.Contains(start, []byte(`"weight_map"`)) {
			return index, ""
		}
		return 0, `a JSON file, but not an index of safetensors files: "weight_map" is missing; a tokenizer.json only gives symbols to a table`
	}
	for _, s := range strangers {
		if bytes.HasPrefix(start, []byte(s.magic)) && !startsAsText(start) {
			return 0, s.remedy
		}
	}
	return sniffText(start), ""
}

// isJSON reports whether start begins with an object and its first key.
func isJSON(start []byte) bool {
	space := " \t\r\n"
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(start, space), []byte("{"))
	if !ok {
		return false
	}
	rest, ok = bytes.CutPrefix(bytes.TrimLeft(rest, space), []byte(`"`))
	if !ok {
		return false
	}
	_, rest, ok = bytes.Cut(rest, []byte(`"`))
	return ok && bytes.HasPrefix(bytes.TrimLeft(rest, space), []byte(":"))
}

// sniffText tells GloVe, word2vec text and word2vec binary apart. A first line
// of two whole numbers is always a header. Of what follows it, the first line
// decides: a binary vector that happens to look like numbers in text (of one
// or two dimensions, as a rule) is taken for them.
func sniffText(start []byte) Format {
	head, rest, _ := bytes.Cut(bytes.TrimPrefix(start, byteOrderMark), []byte{'\n'})
	_, dim, ok := parseCounts(head)
	if !ok {
		return GloVe
	}
	for blank := true; blank; {
		if rest, blank = bytes.CutPrefix(rest, []byte("\r\n")); !blank {
			rest, blank = bytes.CutPrefix(rest, []byte{'\n'})
		}
	}
	line, _, whole := bytes.Cut(rest, []byte{'\n'})
	switch {
	case len(rest) == 0, trailingNumbers(trimEnd(line)) == dim:
		return Word2VecText
	case !hasControls(line) && (looksNumeric(line) || !whole && len(start) == window): // malformed, or a very long line
		return Word2VecText
	}
	return Word2VecBinary
}

// startsAsText reports whether the first line ends in a number.
func startsAsText(start []byte) bool {
	line, _, _ := bytes.Cut(start, []byte{'\n'})
	return !hasControls(line) && looksNumeric(line)
}

// looksNumeric reports whether line, which may be cut off, has a number after
// a separator near its end.
func looksNumeric(line []byte) bool {
	field, rest := lastField(trimEnd(line))
	if isNumber(field) && len(rest) > 0 {
		return true
	}
	field, rest = lastField(rest)
	return isNumber(field) && len(rest) > 0
}

// hasControls reports whether line has control characters, as text has not.
func hasControls(line []byte) bool {
	return bytes.ContainsFunc(trimEnd(line), func(r rune) bool { return r < ' ' && r != '\t' })
}
