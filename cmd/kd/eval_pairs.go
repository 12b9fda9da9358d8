package main

import (
	"bufio"
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/kdcode/kdcode/internal/simd"
)

// pair is two words with what people gave for their likeness.
type pair struct {
	a, b  string
	score float64
}

// pairList is the pairs of a file.
type pairList struct {
	file  string
	pairs []pair
}

// pairsResult is how the cosines of pairs agree with human scores.
type pairsResult struct {
	File     string   `json:"file"`
	Total    int      `json:"pairs"`
	Known    int      `json:"known"`              // pairs of words that the table has
	Spearman *float64 `json:"spearman,omitempty"` // over those; none for fewer than two, or all alike
}

// eachEvalLine calls f with the lines of a file that are neither empty nor
// comments, and with their numbers.
func eachEvalLine(path string, f func(number int, line string) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), byteOrderMark))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := f(number, line); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return dataf("%s: %w; give a text file", path, err)
	}
	return nil
}

// readPairs reads a file of pairs.
func readPairs(path string) ([]pair, error) {
	var pairs []pair
	first := true
	err := eachEvalLine(path, func(number int, line string) error {
		p, ok := parsePair(line)
		if !ok && !first {
			return dataf("%s:%d: %q is not two words and a score, with tabs, commas or spaces between", path, number, clipped(line))
		}
		if first = false; ok {
			pairs = append(pairs, p)
		}
		return nil
	})
	if err == nil && len(pairs) == 0 {
		err = dataf("%s: no word pairs; a line is two words and a score", path)
	}
	return pairs, err
}

// parsePair reads two words and the first number after them: SimLex has a part
// of speech between. Separators are the first of tab, comma, semicolon and space
// that the line has.
func parsePair(line string) (pair, bool) {
	var fields []string
	switch {
	case strings.Contains(line, "\t"):
		fields = strings.Split(line, "\t")
	case strings.Contains(line, ","):
		fields = strings.Split(line, ",")
	case strings.Contains(line, ";"):
		fields = strings.Split(line, ";")
	default:
		fields = strings.Fields(line)
	}
	if len(fields) < 3 {
		return pair{}, false
	}
	p := pair{a: strings.Trim(fields[0], ` "`), b: strings.Trim(fields[1], ` "`)}
	for _, f := range fields[2:] {
		score, err := strconv.ParseFloat(strings.Trim(f, ` "`), 64)
		if err == nil && !math.IsNaN(score) && !math.IsInf(score, 0) {
			p.score = score
			return p, p.a != "" && p.b != ""
		}
	}
	return p, false
}

// evalPairs compares cosines with scores.
func evalPairs(t space, list pairList) (pairsResult, error) {
	r := pairsResult{File: list.file, Total: len(list.pairs)}
	var cosines, scores []float64
	v := make([]float32, 2*t.Dim())
	for _, p := range list.pairs {
		a, okA := wordID(t, p.a)
		b, okB := wordID(t, p.b)
		if !okA || !okB {
			continue
		}
		if err := t.LookupBatch(v, []int{a, b}); err != nil {
			return r, fmt.Errorf("%q and %q: %w", p.a, p.b, err)
		}
		cosines = append(cosines, cosine(v[:t.Dim()], v[t.Dim():]))
		scores = append(scores, p.score)
	}
	r.Known = len(scores)
	if rho := spearman(cosines, scores); !math.IsNaN(rho) {
		r.Spearman = &rho
	}
	return r, nil
}

// wordID returns the id of a word as it is, or else in small letters.
func wordID(t space, word string) (int, bool) {
	if id, ok := t.ID(word); ok {
		return id, true
	}
	return t.ID(strings.ToLower(word))
}

func cosine(a, b []float32) float64 {
	norms := float64(norm(a)) * float64(norm(b))
	if norms == 0 {
		return 0
	}
	return float64(simd.Dot(a, b)) / norms
}

// spearman is the correlation of the ranks of x and y; not a number where one
// of them is all alike.
func spearman(x, y []float64) float64 {
	rx, ry := ranks(x), ranks(y)
	mean := float64(len(x)+1) / 2
	var xy, xx, yy float64
	for i := range rx {
		a, b := rx[i]-mean, ry[i]-mean
		xy, xx, yy = xy+a*b, xx+a*a, yy+b*b
	}
	return xy / math.Sqrt(xx*yy)
}

// ranks returns the rank of each value, from 1; equal values share the mean of
// theirs.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	r := make([]float64, len(x))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && x[order[to]] == x[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			r[i] = float64(from+to+1) / 2
		}
		from = to
	}
	return r
}
