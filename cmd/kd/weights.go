package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
)

// byRank is the --weights that need no file.
const byRank = "rank"

// rankWeights are those of words sorted by frequency: 1/√(i+1) for row i, scaled
// to a mean of 1. Frequencies fall as 1/(i+1), Zipf's law; their root leaves
// the many rare words a say.
func rankWeights(n int) []float32 {
	sum := 0.0
	for i := range n {
		sum += 1 / math.Sqrt(float64(i+1))
	}
	weights := make([]float32, n)
	for i := range weights {
		weights[i] = float32(float64(n) / sum / math.Sqrt(float64(i+1)))
	}
	return weights
}

// readWeights reads the weights of n rows, with those symbols or none: a
// number a line, or a symbol and a number. Symbols without a weight get the
// smallest in the file; how many they are is returned.
func readWeights(ctx context.Context, path string, n int, symbols []string) (weights []float32, missing int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	lines := bufio.NewReader(&interruptible{ctx: ctx, r: f})
	bySymbol := map[string]float32{}
	for number := 1; ; number++ {
		line, err := lines.ReadString('\n')
		if err != nil && err != io.EOF {
			return nil, 0, fmt.Errorf("%s: %w", path, err)
		}
		if text := strings.TrimSpace(line); text != "" {
			symbol, weight, err := parseWeight(text)
			bare := symbol == ""
			switch {
			case err != nil:
				return nil, 0, dataf("%s:%d: %w", path, number, err)
			case bare && len(bySymbol) > 0 || !bare && len(weights) > 0:
				return nil, 0, dataf("%s:%d: some lines have a symbol before the number and some have not; write them all alike", path, number)
			case bare:
				weights = append(weights, weight)
			default:
				bySymbol[symbol] = weight
			}
		}
		if err == io.EOF {
			break
		}
	}
	if len(bySymbol) > 0 {
		return weightsOf(path, symbols, bySymbol)
	}
	if len(weights) != n {
		return nil, 0, dataf("%s: %s for %s; give each a line, in the order of the table", path, plural(len(weights), "weight"), plural(n, "vector"))
	}
	return weights, 0, nil
}

// parseWeight reads a line: a number, or a symbol and a number.
func parseWeight(line string) (symbol string, weight float32, err error) {
	at := strings.LastIndexAny(line, " \t") + 1
	x, err := strconv.ParseFloat(line[at:], 32)
	if err != nil {
		return "", 0, fmt.Errorf("%q is not a number", line[at:])
	}
	if !(x > 0) || math.IsInf(x, 0) {
		return "", 0, fmt.Errorf("the weight %s is not a number above 0", line[at:])
	}
	return strings.TrimSpace(line[:at]), float32(x), nil
}

// weightsOf puts weights given by symbol into the order of the table.
func weightsOf(path string, symbols []string, bySymbol map[string]float32) ([]float32, int, error) {
	if symbols == nil {
		return nil, 0, dataf("%s: the weights are given by symbol, but the table has no symbols; give a number a line, or --symbols", path)
	}
	least := float32(math.Inf(1))
	for _, w := range bySymbol {
		least = min(least, w)
	}
	weights := make([]float32, len(symbols))
	missing := 0
	for i, symbol := range symbols {
		w, ok := bySymbol[symbol]
		if !ok {
			missing++
			w = least
		}
		weights[i] = w
	}
	if missing == len(symbols) {
		return nil, 0, dataf("%s: none of the table's symbols has a weight here", path)
	}
	return weights, missing, nil
}
