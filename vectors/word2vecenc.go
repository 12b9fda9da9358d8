package vectors

import (
	"errors"
	"strings"
)

// word2vecEncoder writes word2vec binary, with a newline after each vector as
// the original tool does.
type word2vecEncoder struct{ dim int }

func (e *word2vecEncoder) header(rows, size int) ([]byte, error) {
	return countsHeader(rows, e.dim, size), nil
}

func (e *word2vecEncoder) row(dst []byte, symbol string, row []float32) ([]byte, error) {
	switch {
	case symbol == "":
		return dst, errors.New("a row without a symbol: give symbols, or write .npy or safetensors")
	case strings.ContainsAny(symbol, " \n"):
		return dst, errors.New("a space or line end in a symbol: write GloVe text, or .npy or safetensors and the symbols apart")
	case len(symbol) >= window:
		return dst, errors.New("a symbol of 64 KB or more: write .npy or safetensors and the symbols apart")
	}
	dst = append(append(dst, symbol...), ' ')
	dst, _ = Float32.encode(dst, row)
	return append(dst, '\n'), nil
}
