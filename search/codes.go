package search

import (
	"fmt"
	"sync"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/internal/bitpack"
	"github.com/kdcode/kdcode/search/internal/kernel"
)

// block is how many symbols the fast scan scores at a time.
const block = kernel.Block

// codes are the digits of all symbols, unpacked for scanning: N·D bytes, and
// twice that where K > 256. One of blocks, rows and wide is set.
type codes struct {
	n, K, D int

	// blocks is [⌈N/64⌉, D, 64], for K ≤ 64: digit j of 64 symbols, in the
	// order of kernel.Place. What is left of the last block is zeros.
	blocks []uint8
	rows   []uint8  // [N, D], for K ≤ 256
	wide   []uint16 // [N, D], for more
}

// readCodes unpacks the codes of t on so many goroutines, and checks every
// digit.
func readCodes(t *kdcode.Table, threads int) (*codes, error) {
	c := &codes{n: t.Len(), K: t.Ways(), D: t.CodeLength()}
	switch {
	case c.K <= kernel.Ways:
		c.blocks = make([]uint8, (c.n+block-1)/block*block*c.D)
	case c.K <= 256:
		c.rows = make([]uint8, c.n*c.D)
	default:
		c.wide = make([]uint16, c.n*c.D)
	}
	failures := make([]error, threads)
	var workers sync.WaitGroup
	for w := range threads {
		workers.Go(func() { failures[w] = c.read(t, w, threads) })
	}
	workers.Wait()
	for _, err := range failures {
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

// read unpacks every threads-th run of 8 blocks, beginning with the first-th.
func (c *codes) read(t *kdcode.Table, first, threads int) error {
	const run = 8 * block
	width := bitpack.Width(c.K)
	size := bitpack.RowBytes(c.D, width)
	digits := make([]uint16, c.D)
	var packed []byte
	for at := first * run; at < c.n; at += threads * run {
		n := min(run, c.n-at)
		var err error
		if packed, err = t.PackedCodes(packed[:0], at, n); err != nil {
			return err
		}
		for i := range n {
			bitpack.Unpack(digits, packed[i*size:], width)
			for j, k := range digits {
				if int(k) >= c.K {
					return fmt.Errorf("%w: code %d, digit %d is %d, but K = %d; run kd check, then copy or make the file again", kdcode.ErrDamaged, at+i, j, k, c.K)
				}
			}
			c.set(at+i, digits)
		}
	}
	return nil
}

// set stores the digits of symbol id.
func (c *codes) set(id int, digits []uint16) {
	switch {
	case c.blocks != nil:
		at := c.blocks[id/block*block*c.D+kernel.Place(id%block):]
		for j, k := range digits {
			at[j*block] = uint8(k)
		}
	case c.rows != nil:
		row := c.rows[id*c.D:][:c.D]
		for j, k := range digits {
			row[j] = uint8(k)
		}
	default:
		copy(c.wide[id*c.D:], digits)
	}
}

// digit returns digit j of symbol id.
func (c *codes) digit(id, j int) uint16 {
	switch {
	case c.blocks != nil:
		return uint16(c.blocks[(id/block*c.D+j)*block+kernel.Place(id%block)])
	case c.rows != nil:
		return uint16(c.rows[id*c.D+j])
	}
	return c.wide[id*c.D+j]
}

// bytes returns the memory that the codes take.
func (c *codes) bytes() int64 { return int64(len(c.blocks) + len(c.rows) + 2*len(c.wide)) }
