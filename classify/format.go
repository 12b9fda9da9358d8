package classify

import (
	"fmt"
	"strings"
)

// Format is a format of labelled texts.
type Format int

// The formats. Detect recognises one of the others by the first line.
const (
	Detect   Format = iota
	CSV             // "class","title","text": the paper's data sets
	Tab             // text, a tab, label
	FastText        // __label__x and words
)

var formatNames = []string{Detect: "auto", CSV: "csv", Tab: "tab", FastText: "fasttext"}

// String returns the name that ParseFormat reads.
func (f Format) String() string {
	if f < 0 || int(f) >= len(formatNames) {
		return fmt.Sprintf("Format(%d)", int(f))
	}
	return formatNames[f]
}

// ParseFormat returns the format of that name: auto, csv, tab or fasttext.
func ParseFormat(name string) (Format, error) {
	for f, n := range formatNames {
		if n == name {
			return Format(f), nil
		}
	}
	return 0, fmt.Errorf("classify: no format %q of labelled texts: use %s", name, strings.Join(formatNames, ", "))
}
