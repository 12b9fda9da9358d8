package kdcode

import (
	"fmt"
	"slices"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/bitpack"
	"github.com/kdcode/kdcode/internal/simd"
)

// Lookup composes the vector of symbol id into dst, which holds Dim floats.
// It allocates nothing. After an error dst is undefined.
func (t *Table) Lookup(dst []float32, id int) error {
	if uint(id) >= uint(t.file.N) {
		return t.checkID(id)
	}
	// Entering waits for the vector before to be stored. The code is asked for
	// before that, so that it is there after it; to prefetch what Close has
	// unmapped does no harm.
	simd.PrefetchRows(t.file.CodeBytes(0), t.file.RowBytes(), []int{id})
	l := t.gate.enter()
	if l == nil {
		return ErrClosed
	}
	// Not deferred: the calls between do not panic, and this is the hot path.
	err := t.lookup(dst, id)
	l.leave()
	return err
}

// lookup is Lookup of an id that is in range, inside the gate.
func (t *Table) lookup(dst []float32, id int) error {
	if len(dst) != t.file.Dim {
		return fmt.Errorf("%w: %d floats for a vector of %d", ErrLength, len(dst), t.file.Dim)
	}
	if t.compose.kind == kindSum {
		// In one pass from the packed code: the way of nearly all lookups.
		if j := t.compose.sumPacked(dst, t.file.CodeBytes(id), t.file.Width()); j >= 0 {
			return t.badDigit(id, j)
		}
		return nil
	}
	var buf [codefile.MaxD]uint16 // stays on the stack
	digits := buf[:t.file.D]
	t.file.Digits(digits, id)
	if j := t.compose.vectors(dst, digits); j >= 0 {
		return t.badDigit(id, j)
	}
	return nil
}

func (t *Table) badDigit(id, j int) error {
	digits := make([]uint16, t.file.D)
	t.file.Digits(digits, id)
	return fmt.Errorf("%w: code %d, digit %d is %d, but K = %d; run kd check, then copy or make the file again", ErrDamaged, id, j, digits[j], t.file.K)
}

// LookupBatch composes the vectors of all ids into dst, which holds
// len(ids)·Dim floats. It runs on the caller's goroutine, and is faster than
// as many Lookups: codes are fetched ahead. It allocates nothing. After an
// error dst is undefined.
func (t *Table) LookupBatch(dst []float32, ids []int) error {
	d := t.file.Dim
	if len(dst) != len(ids)*d {
		return fmt.Errorf("%w: %d floats for %d vectors of %d", ErrLength, len(dst), len(ids), d)
	}
	for _, id := range ids {
		if uint(id) >= uint(t.file.N) {
			return t.checkID(id)
		}
	}
	l := t.gate.enter()
	if l == nil {
		return ErrClosed
	}
	err := t.lookupBatch(dst, ids)
	l.leave()
	return err
}

// lookupBatch unpacks the codes of a group of ids, then composes them, while
// the codes of the next group, scattered over memory, are fetched. Each step is
// one call for the whole group: calls for each code would show.
func (t *Table) lookupBatch(dst []float32, ids []int) error {
	D, d := t.file.D, t.file.Dim
	codes, size, width := t.file.CodeBytes(0), t.file.RowBytes(), t.file.Width()
	var buf [codefile.MaxD]uint16 // stays on the stack
	group := min(t.compose.group, len(buf)/D)
	for len(ids) > 0 {
		n := min(group, len(ids))
		simd.PrefetchRows(codes, size, ids[n:min(2*n, len(ids))])
		digits := buf[:n*D]
		bitpack.UnpackRows(digits, codes, width, D, ids[:n])
		if at := t.compose.vectors(dst[:n*d], digits); at >= 0 {
			return t.badDigit(ids[at/D], at%D)
		}
		ids, dst = ids[n:], dst[n*d:]
	}
	return nil
}

// Code appends the D digits of symbol id to dst. It returns nil if there is
// no such id or the table is closed. Digits of a damaged file may be K or more.
func (t *Table) Code(dst []uint16, id int) []uint16 {
	l := t.gate.enter()
	if l == nil {
		return nil
	}
	defer l.leave()
	if t.checkID(id) != nil {
		return nil
	}
	at := len(dst)
	dst = slices.Grow(dst, t.file.D)[:at+t.file.D]
	t.file.Digits(dst[at:], id)
	return dst
}
