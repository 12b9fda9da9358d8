package vectors

import (
	"bytes"
	"strconv"
)

// sampleLines is how many lines decide on the dimension of a text without a
// header.
const sampleLines = 32

// dimension returns the count of numbers at the end of most of the lines. Of
// counts that are equally frequent it takes the largest: a line is then
// reported as too short rather than a number taken for a part of its word.
func dimension(sample [][]byte) int {
	counts := make(map[int]int)
	best := 0
	for _, line := range sample {
		n := trailingNumbers(line)
		if n == 0 {
			continue
		}
		counts[n]++
		if best == 0 || counts[n] > counts[best] || counts[n] == counts[best] && n > best {
			best = n
		}
	}
	return best
}

// leastNumbers returns the smallest count of numbers at the end of the lines.
func leastNumbers(sample [][]byte) int {
	least := 0
	for i, line := range sample {
		if n := trailingNumbers(line); i == 0 || n < least {
			least = n
		}
	}
	return least
}

// trailingNumbers counts the numbers at the end of line, less one where
// nothing else is there: that is the word.
func trailingNumbers(line []byte) int {
	n := 0
	for {
		field, rest := lastField(line)
		if len(field) == 0 {
			return max(n-1, 0)
		}
		if !isNumber(field) {
			return n
		}
		line = rest
		n++
	}
}

// lastField returns the last field of line, which ends in no separator, and
// the line before it, without separators at its end.
func lastField(line []byte) (field, rest []byte) {
	i := len(line)
	for i > 0 && !isSeparator(line[i-1]) {
		i--
	}
	field = line[i:]
	for i > 0 && isSeparator(line[i-1]) {
		i--
	}
	return field, line[:i]
}

// parseCounts reads the header "N d" of word2vec files.
func parseCounts(line []byte) (rows, dim int, ok bool) {
	f := bytes.Fields(line)
	if len(f) != 2 || !isWhole(f[0]) || !isWhole(f[1]) {
		return 0, 0, false
	}
	rows, err := strconv.Atoi(string(f[0]))
	if err != nil {
		return 0, 0, false
	}
	dim, err = strconv.Atoi(string(f[1]))
	return rows, dim, err == nil
}
