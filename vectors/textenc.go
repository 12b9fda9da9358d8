package vectors

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/kdcode/kdcode/internal/gunzip"
)

// textEncoder writes GloVe and word2vec text. Numbers are the shortest that
// read back as they were.
type textEncoder struct {
	format Format
	dim    int
	rows   int
}

func (e *textEncoder) header(rows, size int) ([]byte, error) {
	if e.format == GloVe {
		return nil, nil
	}
	return countsHeader(rows, e.dim, size), nil
}

func (e *textEncoder) row(dst []byte, symbol string, row []float32) ([]byte, error) {
	if err := e.checkWord(symbol); err != nil {
		return dst, err
	}
	e.rows++
	dst = append(dst, symbol...)
	for _, v := range row {
		dst = append(dst, ' ')
		dst = strconv.AppendFloat(dst, float64(v), 'g', -1, 32)
	}
	if e.format == GloVe && e.rows == 1 {
		if _, _, ok := parseCounts(dst); ok { // one number that would read as a header
			dst = append(dst, '.', '0')
		}
	}
	dst = append(dst, '\n')
	if e.format == GloVe && e.rows == 1 {
		if f, _ := recognise(dst); f != GloVe || bytes.HasPrefix(dst, []byte(gunzip.Magic)) {
			return dst, errors.New("the file would not be recognised as text by its first symbol: write word2vec text or another row first")
		}
	}
	return dst, nil
}

// checkWord returns an error unless textDecoder would read the word back.
func (e *textEncoder) checkWord(word string) error {
	switch {
	case word == "":
		return errors.New("a row without a symbol: give symbols, or write .npy or safetensors")
	case strings.Contains(word, "\n"):
		return errors.New("a line end in a symbol: write .npy or safetensors and the symbols apart")
	case e.format == Word2VecText && strings.ContainsAny(word, " \t"):
		return errors.New("a space in a symbol: write GloVe text, or .npy or safetensors and the symbols apart")
	case strings.Trim(word, " \t") != word:
		return errors.New("a space at the start or end of a symbol: write .npy or safetensors and the symbols apart")
	case e.rows == 0 && bytes.HasPrefix([]byte(word), byteOrderMark):
		return errors.New("a byte order mark begins the first symbol: write word2vec binary")
	case !strings.ContainsAny(word, " \t"):
		return nil
	}
	last, _ := lastField([]byte(word))
	if fraction([]byte(word)) != nil || e.rows < sampleLines && isNumber(last) {
		return errors.New("a number in a symbol with spaces would be read as part of the vector: write .npy or safetensors and the symbols apart")
	}
	return nil
}

// countsHeader is the header "N d" of word2vec files. It is padded in front,
// where every reader passes over spaces.
func countsHeader(rows, dim, size int) []byte {
	return fmt.Appendf(nil, "%*s\n", size-1, fmt.Sprintf("%d %d", rows, dim))
}
