package serve

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/kdcode/kdcode"
)

// order is the symbols of a table in the order of their letters, case aside,
// to find those that begin with what someone types. It keeps ids, 4 bytes each,
// and reads the few symbols that it compares from the table.
type order struct {
	table    *kdcode.Table
	ids      []uint32
	alphabet []rune // the most frequent letters
}

// letters is how many letters the alphabet has: enough to spell most words.
const letters = 64

func newOrder(t *kdcode.Table) (*order, error) {
	o := &order{table: t, ids: make([]uint32, t.Len())}
	var text []byte
	ends := make([]int, t.Len()+1)
	counts := map[rune]int{}
	for id := range t.Len() {
		symbol, err := t.Symbol(id)
		if err != nil {
			return nil, err
		}
		if id < 1<<16 { // enough to know the letters by
			for _, r := range symbol {
				counts[r]++
			}
		}
		o.ids[id] = uint32(id)
		text = append(text, strings.ToLower(symbol)...)
		ends[id+1] = len(text)
	}
	at := func(id uint32) []byte { return text[ends[id]:ends[id+1]] }
	slices.SortFunc(o.ids, func(a, b uint32) int { return cmp.Or(bytes.Compare(at(a), at(b)), cmp.Compare(a, b)) })
	for r := range counts {
		o.alphabet = append(o.alphabet, r)
	}
	slices.SortFunc(o.alphabet, func(a, b rune) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	o.alphabet = o.alphabet[:min(letters, len(o.alphabet))]
	return o, nil
}

// beginning returns the lowest ids, at most limit, of symbols that begin with
// text, case aside. The symbol text itself comes first.
func (o *order) beginning(text string, limit int) ([]int, error) {
	folded := strings.ToLower(text)
	var failed error
	// first returns the first place from which on is holds.
	first := func(is func(symbol string) bool) int {
		return sort.Search(len(o.ids), func(i int) bool {
			symbol, err := o.table.Symbol(int(o.ids[i]))
			if err != nil {
				failed = err
			}
			return is(strings.ToLower(symbol))
		})
	}
	from := first(func(symbol string) bool { return symbol >= folded })
	to := first(func(symbol string) bool { return symbol >= folded && !strings.HasPrefix(symbol, folded) })
	if failed != nil {
		return nil, failed
	}
	var found []int
	if id, ok := o.table.ID(text); ok {
		found = append(found, id)
	}
	for _, id := range lowest(o.ids[from:max(from, to)], limit) {
		if !slices.Contains(found, int(id)) {
			found = append(found, int(id))
		}
	}
	return found[:min(limit, len(found))], nil
}

// mostTyped is the longest text whose near spellings are tried.
const mostTyped = 40

// near returns the lowest ids, at most limit, of symbols that are one letter
// away from text. It tries what text could have been, so that the work does not
// grow with the table.
func (o *order) near(text string, limit int) []int {
	if utf8.RuneCountInString(text) > mostTyped {
		return nil
	}
	var found []int
	try := func(symbol string) {
		if id, ok := o.table.ID(symbol); ok {
			found = append(found, id)
		}
	}
	typed := []rune(text)
	for i := range len(typed) + 1 {
		head, tail := string(typed[:i]), string(typed[i:])
		for _, r := range o.alphabet {
			try(head + string(r) + tail) // one was left out
		}
		if i == len(typed) {
			break
		}
		rest := string(typed[i+1:])
		try(head + rest) // one is too many
		for _, r := range o.alphabet {
			try(head + string(r) + rest) // one is wrong
		}
		if i+1 < len(typed) { // two are swapped
			try(head + string(typed[i+1]) + string(typed[i]) + string(typed[i+2:]))
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	return found[:min(limit, len(found))]
}

// lowest returns the n lowest of ids, sorted.
func lowest[T int | uint32](ids []T, n int) []T {
	if n >= len(ids) || n > len(ids)/8 {
		ids = slices.Sorted(slices.Values(ids))
		return ids[:min(n, len(ids))]
	}
	kept := make([]T, 0, n)
	for _, id := range ids {
		if len(kept) == n {
			if n == 0 || id >= kept[n-1] {
				continue
			}
			kept = kept[:n-1]
		}
		at, _ := slices.BinarySearch(kept, id)
		kept = slices.Insert(kept, at, id)
	}
	return kept
}
