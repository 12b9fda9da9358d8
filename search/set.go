package search

// Set is a set of ids, a bit each: which symbols a search may find.
type Set struct {
	words []uint64 // bit id%64 of word id/64
}

// NewSet returns an empty set for ids below n.
func NewSet(n int) *Set { return &Set{make([]uint64, (n+63)/64)} }

// Add adds an id. It panics where the set was not made for ids so large.
func (s *Set) Add(id int) { s.words[id/64] |= 1 << (id % 64) }

// Has reports whether id is in the set.
func (s *Set) Has(id int) bool {
	return uint(id) < uint(64*len(s.words)) && s.words[id/64]>>(id%64)&1 != 0
}

// word returns the ids of block b, 64·b to 64·b+63, as bits.
func (s *Set) word(b int) uint64 {
	if s == nil {
		return ^uint64(0)
	}
	if b >= len(s.words) {
		return 0
	}
	return s.words[b]
}
