// Package spelling finds the symbols that someone may have meant who wrote one
// that a table does not have.
package spelling

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// Spellings are offered up to maxEdits from what was asked, Most of them.
const (
	maxEdits = 2
	Most     = 3
)

// Nearest returns the symbols, at most Most, that are spelled most like
// symbol. Among equals the earlier come first: in most tables they are more
// frequent.
func Nearest(ctx context.Context, symbols iter.Seq2[int, string], symbol string) ([]string, error) {
	type spelling struct {
		symbol string
		edits  int
	}
	var near []spelling
	var d distance
	want := []rune(symbol)
	for id, s := range symbols {
		if id%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		edits := 0 // only the case differs
		if !strings.EqualFold(s, symbol) {
			edits = d.edits(want, s)
		}
		// Of short symbols, half the letters in common is no likeness.
		if edits > maxEdits || edits > max(1, len(want)/2) || edits >= len(want) && edits > 0 {
			continue
		}
		near = append(near, spelling{s, edits})
		if len(near) > 64*Most {
			slices.SortStableFunc(near, func(a, b spelling) int { return cmp.Compare(a.edits, b.edits) })
			near = near[:Most]
		}
	}
	slices.SortStableFunc(near, func(a, b spelling) int { return cmp.Compare(a.edits, b.edits) })
	var found []string
	for _, s := range near[:min(Most, len(near))] {
		found = append(found, s.symbol)
	}
	return found, nil
}

// distance computes edit distances, keeping its memory.
type distance struct {
	b           []rune
	prev2, prev []int
	row         []int
}

// edits returns how many runes must be inserted, deleted, replaced or swapped
// with their neighbour to make b of a, or maxEdits+1 if more than maxEdits.
func (d *distance) edits(a []rune, b string) int {
	if n := utf8.RuneCountInString(b); n < len(a)-maxEdits || n > len(a)+maxEdits {
		return maxEdits + 1
	}
	d.b = append(d.b[:0], []rune(b)...)
	n := len(d.b)
	d.prev2, d.prev, d.row = sized(d.prev2, n+1), sized(d.prev, n+1), sized(d.row, n+1)
	for j := range d.prev {
		d.prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		d.row[0] = i
		least := i
		for j := 1; j <= n; j++ {
			cost := 1
			if a[i-1] == d.b[j-1] {
				cost = 0
			}
			e := min(d.prev[j]+1, d.row[j-1]+1, d.prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == d.b[j-2] && a[i-2] == d.b[j-1] {
				e = min(e, d.prev2[j-2]+1)
			}
			d.row[j] = e
			least = min(least, e)
		}
		// Two rows, since a swap reaches back over one.
		if least > maxEdits && (i < 2 || slices.Min(d.prev) > maxEdits) {
			return maxEdits + 1
		}
		d.prev2, d.prev, d.row = d.prev, d.row, d.prev2
	}
	return min(d.prev[n], maxEdits+1)
}

func sized(s []int, n int) []int { return slices.Grow(s[:0], n)[:n] }
