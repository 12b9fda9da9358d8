package search

import (
	"context"
	"slices"
)

// Match is a symbol whose code is like another.
type Match struct {
	ID     int `json:"id"`
	Differ int `json:"differ"` // digits that are not the same
}

// Within returns the symbols whose codes differ from code in at most so many
// digits: those that differ least first, then by id, limit of them at most. With
// differ 0 it returns those that have the code. Of o it heeds Limit, Allow and
// Skip.
func (x *Index) Within(ctx context.Context, code []uint16, differ int, o Options) ([]Match, error) {
	if err := x.checkDigits(code, x.codes.D); err != nil {
		return nil, err
	}
	if differ = min(differ, x.codes.D); differ < 0 || o.Limit < 1 {
		return nil, nil
	}
	// byDiffer[r] are the ids that differ in r digits. They come in order, so
	// that no more than Limit of them need be kept.
	byDiffer := make([][]int, differ+1)
	for id := range x.codes.n {
		if id%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r := x.differ(code, id, differ)
		if r <= differ && len(byDiffer[r]) < o.Limit && o.allows(id) {
			byDiffer[r] = append(byDiffer[r], id)
		}
	}
	var all []Match
	for r, ids := range byDiffer {
		for _, id := range ids[:min(len(ids), o.Limit-len(all))] {
			all = append(all, Match{id, r})
		}
	}
	return slices.Clip(all), nil
}

// differ returns in how many digits the code of id differs from code, or a
// number above most.
func (x *Index) differ(code []uint16, id, most int) int {
	r := 0
	for j, k := range code {
		if x.codes.digit(id, j) != k {
			if r++; r > most {
				break
			}
		}
	}
	return r
}

// Usage returns how many symbols have each value of each digit: [D][K]. The
// first call counts them; what it returns must not be changed.
func (x *Index) Usage() [][]int {
	x.counting.Do(func() {
		c := x.codes
		x.usage = make([][]int, c.D)
		for j := range x.usage {
			x.usage[j] = make([]int, c.K)
			for id := range c.n {
				x.usage[j][c.digit(id, j)]++
			}
		}
	})
	return x.usage
}
