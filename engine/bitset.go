package engine

// bitset is a set of small numbers.
type bitset []uint64

func (s bitset) has(i int) bool { return i/64 < len(s) && s[i/64]>>(i%64)&1 == 1 }

func (s *bitset) add(i int) {
	for len(*s) <= i/64 {
		*s = append(*s, 0)
	}
	(*s)[i/64] |= 1 << (i % 64)
}

// addAll adds the numbers of t, and reports whether there was a new one.
func (s *bitset) addAll(t bitset) bool {
	for len(*s) < len(t) {
		*s = append(*s, 0)
	}
	changed := false
	for i, w := range t {
		if w&^(*s)[i] != 0 {
			(*s)[i] |= w
			changed = true
		}
	}
	return changed
}
