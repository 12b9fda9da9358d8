package search

import (
	"context"
	"math/bits"

	"github.com/kdcode/kdcode/search/internal/kernel"
)

// Match is a symbol whose code is like another.
type Match struct {
	ID     int `json:"id"`
	Differ int `json:"differ"` // digits that are not the same
}

// Within returns the symbols whose codes differ from code in at most so many
// digits: those that differ least first, then by id. With differ 0 it returns
// those that have the code. Of o it heeds Limit, Allow and Skip.
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
	keep := func(id, r int) {
		if len(byDiffer[r]) < o.Limit && o.allows(id) {
			byDiffer[r] = append(byDiffer[r], id)
		}
	}
	scan := x.alikeRows
	if x.codes.blocks != nil {
		scan = x.alikeBlocks
	}
	if err := scan(ctx, code, differ, keep); err != nil {
		return nil, err
	}
	var all []Match
	for r, ids := range byDiffer {
		for _, id := range ids[:min(len(ids), o.Limit-len(all))] {
			all = append(all, Match{id, r})
		}
	}
	return all, nil
}

// alikeBlocks calls keep with the symbols that differ from code in at most so
// many digits. The fast scan counts the digits that are the same: its tables
// have a 1 for each digit of code.
func (x *Index) alikeBlocks(ctx context.Context, code []uint16, differ int, keep func(id, differ int)) error {
	c := x.codes
	tables := make([]uint8, c.D*kernel.Ways)
	for j, k := range code {
		tables[j*kernel.Ways+int(k)] = 1
	}
	sums, words, zeros := make([]uint16, span*block), make([]uint64, span), make([]float32, span*block)
	blocks := len(c.blocks) / (block * c.D)
	for start := 0; start < blocks; start += span {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(span, blocks-start)
		kernel.Sums(sums[:n*block], tables, c.K, c.blocks[start*block*c.D:][:n*block*c.D], c.D)
		kernel.Above(words[:n], sums[:n*block], zeros[:n*block], 0, float32(c.D-differ))
		for w, rest := range words[:n] {
			for ; rest != 0; rest &= rest - 1 {
				i := w*block + bits.TrailingZeros64(rest)
				if id := start*block + i; id < c.n {
					keep(id, c.D-int(sums[i]))
				}
			}
		}
	}
	return nil
}

// alikeRows is alikeBlocks for K > 64.
func (x *Index) alikeRows(ctx context.Context, code []uint16, differ int, keep func(id, differ int)) error {
	for id := range x.codes.n {
		if id%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r := 0
		for j := 0; j < len(code) && r <= differ; j++ {
			if x.codes.digit(id, j) != code[j] {
				r++
			}
		}
		if r <= differ {
			keep(id, r)
		}
	}
	return nil
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
