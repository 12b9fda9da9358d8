package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/kdcode/kdcode"
)

// codesNear lists for each symbol the words whose codes differ least from its
// own.
func codesNear(ctx context.Context, s *streams, o codesOptions) error {
	t, err := openTable(o.file)
	if err != nil {
		return err
	}
	defer t.Close()
	ids := make([]int, len(o.symbols))
	for i, symbol := range o.symbols {
		if ids[i], err = symbolToID(ctx, t, o.file, symbol); err != nil {
			return err
		}
	}
	result := codesResult{File: o.file, N: t.Len(), Ways: t.Ways(), CodeLength: t.CodeLength()}
	for i, id := range ids {
		found, err := nearCodes(ctx, t, id, o.within, o.limit)
		if err != nil {
			return err
		}
		if o.json {
			result.Symbols = append(result.Symbols, found)
			continue
		}
		if i > 0 {
			fmt.Fprintln(s.out)
		}
		if err := printNear(s, t, found); err != nil {
			return err
		}
	}
	if o.json {
		return s.writeJSON(result)
	}
	return nil
}

// symbolToID returns the id of a symbol; in a table without symbols, of a
// number.
func symbolToID(ctx context.Context, t *kdcode.Table, path, symbol string) (int, error) {
	if id, ok := t.ID(symbol); ok {
		return id, nil
	}
	if t.HasSymbols() {
		return 0, unknownSymbol(ctx, t, path, path, symbol)
	}
	id, err := strconv.Atoi(symbol)
	if err != nil || id < 0 || id >= t.Len() {
		return 0, dataf("%s: %q is no id; the table has no symbols, only the ids 0 to %d", path, symbol, t.Len()-1)
	}
	return id, nil
}

// nearCodes finds the words, at most limit (0 is all), whose codes differ from
// that of id in the fewest digits, at most within (-1 is any number).
func nearCodes(ctx context.Context, t *kdcode.Table, id, within, limit int) (symbolCodes, error) {
	found := symbolCodes{ID: id, Code: t.Code(nil, id), Near: []codeWords{}}
	if t.HasSymbols() {
		symbol, err := t.Symbol(id)
		if err != nil {
			return found, err
		}
		found.Symbol = symbol
	}
	if within < 0 {
		within = t.CodeLength()
	}
	// byDiffer[r] are the ids that differ in r digits. No more than limit of
	// them can ever be shown.
	byDiffer := make([][]int, min(within, t.CodeLength())+1)
	code := make([]uint16, 0, t.CodeLength())
	for other := range t.Len() {
		if other%4096 == 0 && ctx.Err() != nil {
			return found, ctx.Err()
		}
		code = t.Code(code[:0], other)
		r := differ(found.Code, code)
		if other == id || r >= len(byDiffer) || limit > 0 && len(byDiffer[r]) >= limit {
			continue
		}
		byDiffer[r] = append(byDiffer[r], other)
	}
	left := t.Len()
	if limit > 0 {
		left = limit
	}
	for r, ids := range byDiffer {
		ids = ids[:min(left, len(ids))]
		left -= len(ids)
		groups, err := groupByCode(t, ids, r)
		if err != nil {
			return found, err
		}
		found.Near = append(found.Near, groups...)
	}
	return found, nil
}

// differ counts the digits in which two codes differ.
func differ(a, b []uint16) int {
	n := 0
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// groupByCode returns the codes of ids in order, each with its words.
func groupByCode(t *kdcode.Table, ids []int, differ int) ([]codeWords, error) {
	var groups []codeWords
	at := map[string]int{}
	for _, id := range ids {
		code := t.Code(nil, id)
		key := codeText(code)
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key] = i
			groups = append(groups, codeWords{Code: code, Differ: &differ})
		}
		if err := groups[i].add(t, id, 0); err != nil {
			return nil, err
		}
		groups[i].Count = 0 // only the nearest are here, perhaps not all that have the code
	}
	slices.SortFunc(groups, func(a, b codeWords) int { return slices.Compare(a.Code, b.Code) })
	return groups, nil
}

// printNear writes a symbol's neighbours: digits that differ, code, words.
func printNear(s *streams, t *kdcode.Table, c symbolCodes) error {
	name, err := symbolOrID(t, c.ID)
	if err != nil {
		return err
	}
	width := len(codeText(c.Code))
	for _, g := range c.Near {
		width = max(width, len(codeText(g.Code)))
	}
	fmt.Fprintf(s.out, "%-6s  %-*s  %s\n", "differ", width, "code", "words")
	fmt.Fprintf(s.out, "%6s  %-*s  %s\n", "-", width, codeText(c.Code), quoted(name))
	for _, g := range c.Near {
		fmt.Fprintf(s.out, "%6d  %-*s  %s\n", *g.Differ, width, codeText(g.Code), g)
	}
	return nil
}
