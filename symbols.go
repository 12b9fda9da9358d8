package kdcode

import (
	"iter"
	"slices"
)

// ID returns the id of a symbol, and whether the table has it.
func (t *Table) ID(symbol string) (int, bool) {
	l := t.gate.enter()
	if l == nil {
		return 0, false
	}
	id, ok := t.file.ID(symbol)
	l.leave()
	return id, ok
}

// HasSymbols reports whether the table has symbols; without, it works by id.
func (t *Table) HasSymbols() bool { return t.file.HasSymbols }

// Symbol returns the symbol of that id.
func (t *Table) Symbol(id int) (string, error) {
	l := t.gate.enter()
	if l == nil {
		return "", ErrClosed
	}
	defer l.leave()
	if err := t.checkID(id); err != nil {
		return "", err
	}
	if !t.file.HasSymbols {
		return "", ErrNoSymbols
	}
	s, err := t.file.Symbol(id)
	return string(s), err
}

// Symbols returns all ids with their symbols, in the order of ids. It ends
// early if the table is closed or damaged, and is empty without symbols.
func (t *Table) Symbols() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		if !t.file.HasSymbols {
			return
		}
		// The table is not held while the caller runs: it may close it.
		for id := range t.file.N {
			s, err := t.Symbol(id)
			if err != nil || !yield(id, s) {
				return
			}
		}
	}
}

// PackedCodes appends the packed codes of symbols first to first+n-1 to dst,
// for those who search: rows of ⌈D·⌈log2 K⌉/8⌉ bytes, digits from the lowest
// bit up (docs/format.md).
func (t *Table) PackedCodes(dst []byte, first, n int) ([]byte, error) {
	l := t.gate.enter()
	if l == nil {
		return dst, ErrClosed
	}
	defer l.leave()
	if n == 0 {
		return dst, nil
	}
	if err := t.checkID(first); err != nil {
		return dst, err
	}
	if n < 0 {
		return dst, t.checkID(-1)
	}
	if err := t.checkID(first + n - 1); err != nil {
		return dst, err
	}
	row := t.file.RowBytes()
	return append(dst, t.file.Codes().Packed[first*row:][:n*row]...), nil
}

// CodeEmbeddings returns a copy of the code embeddings W as float32: [D, K, d'],
// or [K, d'] if Info says that they are shared.
func (t *Table) CodeEmbeddings() []float32 {
	c := &t.compose
	w := make([]float32, 0, len(c.W)/c.stride*c.codeDim)
	for row := range slices.Chunk(c.W, c.stride) {
		w = append(w, row[:c.codeDim]...)
	}
	return w
}
