package codefile

import (
	"fmt"

	"github.com/kdcode/kdcode/internal/bitpack"
)

// Limits of a code's shape.
const (
	MaxK = 1 << 16
	MaxD = 1 << 10
	MaxN = 1<<31 - 1
)

// Codes are N codes of D digits, each in [0, K), bit-packed: a row takes
// ⌈D·⌈log2 K⌉ / 8⌉ bytes.
type Codes struct {
	K, D   int
	Packed []byte
}

// NewCodes returns n codes, all digits zero.
func NewCodes(n, k, d int) Codes {
	c := Codes{K: k, D: d}
	c.Packed = make([]byte, n*c.RowBytes())
	return c
}

// RowBytes returns the bytes of one code.
func (c Codes) RowBytes() int { return bitpack.RowBytes(c.D, bitpack.Width(c.K)) }

// N returns the number of codes.
func (c Codes) N() int { return len(c.Packed) / c.RowBytes() }

// Set stores code i. Different rows may be set concurrently.
func (c Codes) Set(i int, digits []uint16) {
	n := c.RowBytes()
	bitpack.Pack(c.Packed[i*n:(i+1)*n], digits[:c.D], bitpack.Width(c.K))
}

// Get unpacks code i into dst, which holds D digits. Digits are as stored:
// they may be ≥ K in a damaged file.
func (c Codes) Get(dst []uint16, i int) {
	n := c.RowBytes()
	bitpack.Unpack(dst[:c.D], c.Packed[i*n:], bitpack.Width(c.K))
}

// checkShape returns an error unless K and D are within the limits.
func checkShape(k, d int) error {
	switch {
	case k < 2 || k > MaxK:
		return fmt.Errorf("%w: K = %d ways; 2 to %d are possible", ErrModel, k, MaxK)
	case d < 1 || d > MaxD:
		return fmt.Errorf("%w: codes of D = %d digits; 1 to %d are possible", ErrModel, d, MaxD)
	}
	return nil
}

func (c Codes) check() error {
	if err := checkShape(c.K, c.D); err != nil {
		return err
	}
	switch {
	case len(c.Packed) == 0 || len(c.Packed)%c.RowBytes() != 0:
		return fmt.Errorf("%w: %d bytes of codes are not one or more rows of %d bytes", ErrModel, len(c.Packed), c.RowBytes())
	case c.N() > MaxN:
		return fmt.Errorf("%w: %d symbols; at most %d are possible", ErrModel, c.N(), MaxN)
	}
	return c.checkDigits()
}

// checkDigits returns an error that names the first digit ≥ K.
func (c Codes) checkDigits() error {
	if c.K == 1<<bitpack.Width(c.K) {
		return nil // every bit pattern is a digit
	}
	digits := make([]uint16, c.D)
	for i := range c.N() {
		c.Get(digits, i)
		for j, k := range digits {
			if int(k) >= c.K {
				return fmt.Errorf("%w: code %d, digit %d is %d, but K = %d", ErrDamaged, i, j, k, c.K)
			}
		}
	}
	return nil
}
