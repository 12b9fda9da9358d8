package classify

import "bytes"

// parseTab takes a line of a text, a tab and its label apart. A text with tabs
// of its own is an error, unless it is quoted: nobody could tell it from a file
// with more columns.
func (r *Reader) parseTab(line []byte) (label, text string, err error) {
	field, rest, quoted := cutQuoted(line)
	if quoted {
		rest, quoted = bytes.CutPrefix(rest, []byte{'\t'})
	}
	if quoted {
		field = unquote(field)
	} else {
		var found bool
		if field, rest, found = bytes.Cut(line, []byte{'\t'}); !found {
			return "", "", badf(atLine(r.in.name, r.in.line), "no tab between a text and its label, but %q", clip(line))
		}
	}
	if n := bytes.Count(rest, []byte{'\t'}); n > 0 {
		return "", "", badf(atLine(r.in.name, r.in.line), "%d columns: leave a text, a tab and its label; tabs inside a text must be spaces", n+2)
	}
	return string(bytes.TrimSpace(rest)), string(bytes.TrimSpace(field)), nil
}

// cutQuoted cuts a field in quotes from the start of line: what is between
// them, and what follows.
func cutQuoted(line []byte) (field, rest []byte, ok bool) {
	if len(line) == 0 || line[0] != '"' {
		return nil, line, false
	}
	for i := 1; i < len(line); i++ {
		if line[i] != '"' {
			continue
		}
		if i+1 == len(line) || line[i+1] != '"' {
			return line[1:i], line[i+1:], true
		}
		i++
	}
	return nil, line, false
}

// unquote returns a field with its doubled quotes made single.
func unquote(field []byte) []byte {
	return bytes.ReplaceAll(field, []byte(`""`), []byte(`"`))
}
