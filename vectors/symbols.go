package vectors

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/kdcode/kdcode/internal/atomicfile"
)

// maxSymbols is the longest file of symbols read.
const maxSymbols = 2 << 30

// symbolSource gives the rows of a table their symbols.
type symbolSource interface {
	symbol(row int) string
}

// symbolList is a text of symbols, one a line.
type symbolList []string

func (l symbolList) symbol(row int) string { return l[row] }

// openSymbols reads the symbols of a table of that many rows: a text or a
// tokenizer.json, perhaps gzipped, told apart by content.
func openSymbols(path string, rows int) (symbolSource, error) {
	in, err := openInput(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	start, err := in.Peek(window)
	if err != nil && err != io.EOF && len(start) < window {
		return nil, err
	}
	if isJSON(start) {
		return readTokenizer(in, rows)
	}
	return readSymbols(in, rows)
}

// readSymbols reads a symbol a line. Lines end in a newline, perhaps with a
// carriage return before it; blank lines at the end are ignored.
func readSymbols(in *input, rows int) (symbolList, error) {
	if err := skipByteOrderMark(in); err != nil {
		return nil, err
	}
	data, err := readText(in, maxSymbols)
	if err != nil {
		return nil, err
	}
	text := strings.TrimRight(string(data), "\r\n")
	n := strings.Count(text, "\n") + 1
	if text == "" {
		n = 0
	}
	if n != rows {
		return nil, badf(in.name, "%d symbols for a table of %d rows: it must have a line for every row", n, rows)
	}
	list := make(symbolList, 0, n)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if line == "" {
			return nil, badf(atLine(in.name, len(list)+1), "a blank line: every row needs a symbol")
		}
		list = append(list, line)
	}
	return list, nil
}

// readText reads the whole of in, as it arrives.
func readText(in *input, most int64) ([]byte, error) {
	var text bytes.Buffer
	n, err := text.ReadFrom(io.LimitReader(in, most+1))
	if err != nil {
		return nil, err
	}
	if n > most {
		return nil, badf(in.name, "more than %d MB: not the file that was meant?", most>>20)
	}
	return text.Bytes(), nil
}

// WriteSymbols writes the symbols that readSymbols reads: what Options.Symbols
// takes for a table in a format without symbols.
func WriteSymbols(path string, symbols []string) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriter(f)
	for i, s := range symbols {
		if s == "" || strings.Contains(s, "\n") || strings.HasSuffix(s, "\r") ||
			i == 0 && (strings.HasPrefix(s, string(byteOrderMark)) || isJSON([]byte(s))) {
			return &stated{ErrUnwritable, fmt.Sprintf("%s: symbol %d, %q, cannot be a line of text", path, i, clip(s))}
		}
		out.WriteString(s)
		out.WriteByte('\n')
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return f.Commit()
}
