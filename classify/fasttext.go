package classify

import "bytes"

// labelPrefix is what labels begin with in fastText's format.
const labelPrefix = "__label__"

// parseFastText takes a line of a label and words apart. More labels than one
// are an error rather than left out: a text belongs to one class here.
func (r *Reader) parseFastText(line []byte) (label, text string, err error) {
	place := atLine(r.in.name, r.in.line)
	line = bytes.TrimSpace(line)
	word, rest := cutWord(line)
	name, ok := bytes.CutPrefix(word, []byte(labelPrefix))
	if !ok {
		return "", "", badf(place, "the line begins with %q, not with %s and its label", clip(word), labelPrefix)
	}
	if other, found := secondLabel(rest); found {
		return "", "", badf(place, "two labels, %q and %q: leave one, a classifier gives a text one label", clip(name), clip(other))
	}
	return string(name), string(rest), nil
}

// cutWord cuts the first word from line.
func cutWord(line []byte) (word, rest []byte) {
	at := bytes.IndexAny(line, " \t")
	if at < 0 {
		return line, nil
	}
	return line[:at], bytes.TrimLeft(line[at:], " \t")
}

// secondLabel returns the first label among the words of a text.
func secondLabel(text []byte) (string, bool) {
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(labelPrefix))
		if i < 0 {
			return "", false
		}
		at += i
		if at == 0 || text[at-1] == ' ' || text[at-1] == '\t' {
			word, _ := cutWord(text[at:])
			return string(word[len(labelPrefix):]), true
		}
		at += len(labelPrefix)
	}
}
