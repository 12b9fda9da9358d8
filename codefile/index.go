package codefile

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/cespare/xxhash/v2"
)

// Symbols are stored one after the other, each as its length (a varint) and
// its bytes, with the offset of every 8th. The index is an open hash table
// with linear probing, at most 4/5 full: a slot holds an id in its low bits
// and, above it, as many bits of the symbol's hash as fit into 32. So a lookup
// reads one line of the index, then compares one symbol. Offsets and index
// take under 8 bytes a symbol, and nothing of it is built at opening.
const (
	offsetEvery = 8
	emptySlot   = 1<<32 - 1
)

// slots returns the size of the index of n symbols.
func slots(n int) int { return n + n/4 + 1 }

// idBits returns the bits an id takes in a slot. Ids are below N, and so
// never all ones: an empty slot cannot be mistaken for a full one.
func idBits(n int) int { return bits.Len(uint(n)) }

// place returns where in an index of size slots a symbol of that hash is
// looked for first, and the hash's part of the entry.
func place(hash uint64, size, idBits int) (slot int, tag uint32) {
	high, _ := bits.Mul64(hash, uint64(size))
	return int(high), uint32(hash) << idBits
}

// symbolTable is the encoded form of the symbols.
type symbolTable struct {
	blob    []byte
	offsets []byte // int64, little-endian
	index   []byte // int32, little-endian
}

func encodeSymbols(symbols []string) (*symbolTable, error) {
	size := slots(len(symbols))
	t := &symbolTable{index: make([]byte, 4*size)}
	for i := range t.index {
		t.index[i] = 0xff
	}
	width := idBits(len(symbols))
	for id, s := range symbols {
		if id%offsetEvery == 0 {
			t.offsets = binary.LittleEndian.AppendUint64(t.offsets, uint64(len(t.blob)))
		}
		t.blob = binary.AppendUvarint(t.blob, uint64(len(s)))
		t.blob = append(t.blob, s...)
		slot, tag := place(xxhash.Sum64String(s), size, width)
		entry := tag | uint32(id)
		for {
			e := binary.LittleEndian.Uint32(t.index[4*slot:])
			if e == emptySlot {
				break
			}
			if other := int(e & (1<<width - 1)); e^entry < 1<<width && symbols[other] == s {
				return nil, fmt.Errorf("%w: symbols %d and %d are both %q; symbols must differ", ErrModel, other, id, s)
			}
			if slot++; slot == size {
				slot = 0
			}
		}
		binary.LittleEndian.PutUint32(t.index[4*slot:], entry)
	}
	return t, nil
}

// symbol returns symbol id of a table of n symbols, without copying it.
func (t *symbolTable) symbol(id int) ([]byte, error) {
	at := binary.LittleEndian.Uint64(t.offsets[id/offsetEvery*8:])
	if at > uint64(len(t.blob)) {
		return nil, t.damage(id)
	}
	rest := t.blob[at:]
	for range id % offsetEvery {
		n, k := uvarint(rest)
		if k <= 0 || n > uint64(len(rest)-k) {
			return nil, t.damage(id)
		}
		rest = rest[k+int(n):]
	}
	n, k := uvarint(rest)
	if k <= 0 || n > uint64(len(rest)-k) {
		return nil, t.damage(id)
	}
	return rest[k : k+int(n)], nil
}

// uvarint is binary.Uvarint with its usual case inlined: nearly all symbols
// are shorter than 128 bytes.
func uvarint(b []byte) (uint64, int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return binary.Uvarint(b)
}

func (t *symbolTable) damage(id int) error {
	return fmt.Errorf("%w: symbol %d lies outside the tensor %q; copy or make the file again", ErrDamaged, id, tensorSymbols)
}

// find returns the id of a symbol in a table of n.
func (t *symbolTable) find(symbol string, n int) (int, bool) {
	size, width := len(t.index)/4, idBits(n)
	slot, tag := place(xxhash.Sum64String(symbol), size, width)
	// A damaged index may have no empty slot: size probes end the search.
	for range size {
		e := binary.LittleEndian.Uint32(t.index[4*slot:])
		if e == emptySlot {
			return 0, false
		}
		if e^tag < 1<<width {
			id := int(e ^ tag)
			if id >= n {
				return 0, false // damaged
			}
			if s, err := t.symbol(id); err == nil && string(s) == symbol {
				return id, true
			}
		}
		if slot++; slot == size {
			slot = 0
		}
	}
	return 0, false
}
