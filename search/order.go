package search

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/kdcode/kdcode/internal/bitpack"
)

// Group is the symbols whose codes begin with the same digits: a node of the
// tree of codes.
type Group struct {
	Prefix   []uint16 `json:"prefix"`
	Count    int      `json:"count"`              // symbols in the group
	Children []Child  `json:"children,omitempty"` // by the next digit; none of a whole code

	ids []int32
}

// Child is the part of a group that has a certain next digit.
type Child struct {
	Digit uint16 `json:"digit"`
	Count int    `json:"count"`
}

// IDs returns up to limit ids of the group after the first offset, in the
// order of their codes, then of ids.
func (g Group) IDs(offset, limit int) []int {
	offset = min(max(offset, 0), len(g.ids))
	part := g.ids[offset : offset+min(max(limit, 0), len(g.ids)-offset)]
	ids := make([]int, len(part))
	for i, id := range part {
		ids[i] = int(id)
	}
	return ids
}

// Prefix returns the symbols whose codes begin with those digits; none gives
// all symbols. The first call sorts the codes and keeps their order, 4·N bytes.
func (x *Index) Prefix(digits []uint16) (Group, error) {
	if err := x.checkDigits(digits, 0); err != nil {
		return Group{}, err
	}
	ids := x.order()
	for j, k := range digits {
		ids = ids[x.reach(ids, j, int(k)-1):]
		ids = ids[:x.reach(ids, j, int(k))]
	}
	g := Group{Prefix: slices.Clone(digits), Count: len(ids), ids: ids}
	if j := len(digits); j < x.codes.D {
		for len(ids) > 0 {
			k := x.codes.digit(int(ids[0]), j)
			n := x.reach(ids, j, int(k))
			g.Children = append(g.Children, Child{k, n})
			ids = ids[n:]
		}
	}
	return g, nil
}

// reach returns how many of ids, which agree in the digits before j and are in
// order, have a digit j of at most k.
func (x *Index) reach(ids []int32, j, k int) int {
	return sort.Search(len(ids), func(i int) bool { return int(x.codes.digit(int(ids[i]), j)) > k })
}

// checkDigits returns an error unless digits can be the first of a code, and,
// where it should, has so many.
func (x *Index) checkDigits(digits []uint16, should int) error {
	if len(digits) > x.codes.D || should > 0 && len(digits) != should {
		return fmt.Errorf("%w: %d digits, the codes have %d", ErrQuery, len(digits), x.codes.D)
	}
	for j, k := range digits {
		if int(k) >= x.codes.K {
			return fmt.Errorf("%w: digit %d is %d; digits are 0 to %d", ErrQuery, j, k, x.codes.K-1)
		}
	}
	return nil
}

// order returns all ids, sorted by code, then by id.
func (x *Index) order() []int32 {
	x.sorting.Do(func() {
		c := x.codes
		type keyed struct {
			key uint64
			id  int32
		}
		// The first digits in one number decide nearly all comparisons.
		width := bitpack.Width(c.K)
		first := min(c.D, 64/width)
		all := make([]keyed, c.n)
		for id := range all {
			all[id].id = int32(id)
			for j := range first {
				all[id].key = all[id].key<<width | uint64(c.digit(id, j))
			}
		}
		slices.SortFunc(all, func(a, b keyed) int {
			if a.key != b.key {
				return cmp.Compare(a.key, b.key)
			}
			for j := first; j < c.D; j++ {
				if d := int(c.digit(int(a.id), j)) - int(c.digit(int(b.id), j)); d != 0 {
					return d
				}
			}
			return int(a.id - b.id)
		})
		x.sorted = make([]int32, c.n)
		for i, k := range all {
			x.sorted[i] = k.id
		}
	})
	return x.sorted
}
