package classify

import (
	"encoding/binary"
	"math/bits"
)

// cacheBytes bounds a cache: about what the second-level cache of a core holds.
const cacheBytes = 2 << 20

// cache keeps the rows of the words met last, and which words are unknown.
// A word has one place, by its hash: the word met last there stays. Most words
// of a text are among a few thousand, and a look here takes a tenth of the time
// of Table.ID alone. Rows are the same bits whether they come from here or not.
type cache struct {
	slots []slot
	rows  []float32 // [slots, width]
	width int
	shift int // 64 - log2 of the slots
}

// slot is a word of at most keyBytes and whether the table has it.
type slot struct {
	key   key
	known bool
}

// keyBytes is the length of the longest word that is cached. The last byte of
// a key is the length, so that no two words share one, and none has the key of
// an empty slot, which is zero.
const keyBytes = 15

type key struct{ low, high uint64 }

// newCache returns an empty cache of rows of that width.
func newCache(width int) *cache {
	const slotBytes = 24
	n := max(cacheBytes/(slotBytes+4*width), 2)
	log := min(bits.Len(uint(n))-1, 15)
	return &cache{slots: make([]slot, 1<<log), rows: make([]float32, width<<log), width: width, shift: 64 - log}
}

// newKey returns the key of a word, and whether it has one.
func newKey(word []byte) (key, bool) {
	n := len(word)
	if n > keyBytes {
		return key{}, false
	}
	var b [16]byte
	if cap(word) >= 16 {
		b = [16]byte(word[:16]) // a load, not a loop; what follows the word is cut off
	} else {
		copy(b[:], word)
	}
	low, high := binary.LittleEndian.Uint64(b[:8]), binary.LittleEndian.Uint64(b[8:])
	if n < 8 {
		low, high = low&(1<<(8*n)-1), 0
	} else {
		high &= 1<<(8*(n-8)) - 1
	}
	return key{low, high | uint64(n)<<56}, true
}

// find returns the place of a key, and whether it is there.
func (c *cache) find(k key) (at int, found bool) {
	hash := (k.low ^ bits.RotateLeft64(k.high*0x9e3779b97f4a7c15, 29)) * 0xbf58476d1ce4e5b9
	hash ^= hash >> 32
	at = int(hash * 0x94d049bb133111eb >> c.shift)
	return at, c.slots[at].key == k
}

// row returns the row of a place.
func (c *cache) row(at int) []float32 { return c.rows[at*c.width:][:c.width] }
