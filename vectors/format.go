package vectors

import (
	"fmt"
	"strings"
)

// Format is a format of embedding tables.
type Format int

// The formats. fastText's .vec is Word2VecText.
const (
	GloVe          Format = iota + 1 // word v1 … vd, a line each
	Word2VecText                     // a line "N d", then as GloVe
	Word2VecBinary                   // a line "N d", then word, space, d float32s
	Npy                              // a NumPy array of N rows and d columns
	Safetensors                      // a tensor of shape [N, d] among others
)

var formatNames = []struct {
	format    Format
	name      string
	title     string
	extension string
}{
	{GloVe, "glove", "GloVe text", ".txt"},
	{Word2VecText, "word2vec", "word2vec text", ".vec"},
	{Word2VecBinary, "word2vec-binary", "word2vec binary", ".bin"},
	{Npy, "npy", ".npy", ".npy"},
	{Safetensors, "safetensors", "safetensors", ".safetensors"},
}

// String returns the name that ParseFormat reads.
func (f Format) String() string {
	for _, n := range formatNames {
		if n.format == f {
			return n.name
		}
	}
	return fmt.Sprintf("Format(%d)", int(f))
}

// title returns the format's name for a sentence.
func (f Format) title() string {
	for _, n := range formatNames {
		if n.format == f {
			return n.title
		}
	}
	return f.String()
}

// HasSymbols reports whether files of the format hold the rows' symbols.
func (f Format) HasSymbols() bool {
	return f == GloVe || f == Word2VecText || f == Word2VecBinary
}

// Formats returns all formats, in the order of their constants.
func Formats() []Format {
	all := make([]Format, len(formatNames))
	for i, n := range formatNames {
		all[i] = n.format
	}
	return all
}

// ParseFormat returns the format of that name: glove, word2vec (or fasttext),
// word2vec-binary, npy, safetensors.
func ParseFormat(name string) (Format, error) {
	if name == "fasttext" {
		return Word2VecText, nil
	}
	names := make([]string, len(formatNames))
	for i, n := range formatNames {
		if n.name == name {
			return n.format, nil
		}
		names[i] = n.name
	}
	return 0, fmt.Errorf("vectors: no format %q: use %s or fasttext", name, strings.Join(names, ", "))
}

// FormatOf returns the format and compression that a file to be written
// should have by its name: .txt, .vec, .bin, .npy or .safetensors, perhaps
// with .gz. Files that are read are recognised by their content instead.
func FormatOf(path string) (f Format, gzip, ok bool) {
	path, gzip = strings.CutSuffix(strings.ToLower(path), ".gz")
	for _, n := range formatNames {
		if strings.HasSuffix(path, n.extension) {
			return n.format, gzip, true
		}
	}
	return 0, gzip, false
}
