package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The functions here go back to x = 2ᵉ·(1+f) with e whole and f from -¼ to ½, and
// a polynomial for log(1+f) = f - f²/2 + f³·q(f).

// logPolynomial is q, within 0.1 units of the last place of log(1+f); found by
// Remez's exchange.
var logPolynomial = []float64{0.3333345, -0.250001, 0.19990784, -0.16646977, 0.14478952, -0.13165607, 0.10469508, -0.04509973}

// A logarithm holds the constants of log x.
type logarithm struct {
	*constants
	one, half               VecPhysical
	infinity, minusInfinity Op
	ln2High, ln2Low         Op
	polynomial              []Op
}

func newLogarithm(c *constants) logarithm {
	l := logarithm{constants: c}
	l.one, l.half = c.register(1), c.register(0.5)
	l.infinity, l.minusInfinity = c.operand(math.Inf(1)), c.operand(math.Inf(-1))
	l.ln2High, l.ln2Low = c.operand(ln2High), c.operand(ln2Low)
	l.polynomial = c.operands(logPolynomial...)
	return l
}

// exponent sets e to e and m to 1+f, of a number above 0 that is finite. s and t
// are scratch; t only in AVX2.
func (l logarithm) exponent(x, e, m, s, t vec) {
	if l.lanes == 16 {
		each(VGETMANTPS, Imm(0xb), x, m) // from 3/4 to 3/2; NaN where x is negative
		each(VGETEXPPS, x, e)
		each(VGETEXPPS, m, s)
		each(VSUBPS, s, e, e)
		return
	}
	Comment("Subnormal numbers are made normal.")
	each(VMULPS, l.operand(0x1p23), x, m)
	each(func(o ...Op) {
		x, m, s := o[0], o[1], o[2]
		VCMPPS(Imm(less), number(1<<23), x, s)
		VBLENDVPS(s, m, x, m)
	}, x, m, s)
	each(VANDPS, l.operand(23), s, s)
	each(VPSUBD, l.operandBits(math.Float32bits(0.75)), m, e)
	each(VPSRAD, Imm(23), e, e)
	each(VPSLLD, Imm(23), e, t)
	each(VPSUBD, t, m, m)
	each(VCVTDQ2PS, e, e)
	each(VSUBPS, s, e, e)
}

// sum sets y to log(1+f) + e·ln 2. p is scratch.
func (l logarithm) sum(f, e, y, p vec) {
	horner(p, f, l.polynomial)
	each(VFMSUB213PS, l.half, f, p)
	each(VMULPS, f, f, y)
	each(VMULPS, p, y, y)
	each(VFMADD231PS, l.ln2Low, e, y)
	each(VADDPS, f, y, y)
	each(VFMADD231PS, l.ln2High, e, y)
}

// special sets y to what log x is where x is 0, infinite or no number, and, in
// AVX2, negative: exponent leaves NaN there in AVX-512.
func (l logarithm) special(x, y, s, t vec) {
	l.blendWhere(notLess, x, l.infinity, x, y, s)
	each(VXORPS, s, s, s)
	if l.lanes == 8 {
		Comment("All ones are a NaN.")
		each(VCMPPS, Imm(less), s, x, t)
		each(VORPS, t, y, y)
	}
	l.blendWhere(equal, x, s, l.minusInfinity, y, s)
}

func logMap(c *constants) func(v []vec) {
	l := newLogarithm(c)
	return func(v []vec) {
		x, e, f, y, s, t := v[0], v[1], v[2], v[3], v[4], v[5]
		l.exponent(x, e, f, s, t)
		each(VSUBPS, l.one, f, f)
		l.sum(f, e, y, s)
		l.special(x, y, s, t)
		each(VMOVAPS, y, x)
	}
}

// log1pMap takes e from 1+x, and f = x·2⁻ᵉ + (2⁻ᵉ-1), where only the last
// addition rounds. AVX2 takes 2²⁻ᵉ and x/4: 2⁻ᵉ may not be a normal number.
func log1pMap(c *constants) func(v []vec) {
	l := newLogarithm(c)
	tiny, magnitude := c.operand(0x1p-25), c.operandBits(0x7fffffff)
	return func(v []vec) {
		x, e, f, y, s, u, t := v[0], v[1], v[2], v[3], v[4], v[5], v[6]
		each(VADDPS, l.one, x, u)
		l.exponent(u, e, f, s, t)
		if c.lanes == 16 {
			each(VXORPS, y, y, y)
			each(VSUBPS, e, y, s)
			each(VSCALEFPS, s, l.one, s)
			each(VSUBPS, l.one, s, f)
			each(VFMADD231PS, s, x, f)
		} else {
			each(VMOVAPS, c.operand(2), s)
			each(VSUBPS, e, s, s)
			each(VCVTPS2DQ, s, s)
			each(VPSLLD, Imm(23), s, s)
			each(VPADDD, l.one, s, s)
			quarter := c.operand(0.25)
			each(VMULPS, quarter, s, f)
			each(VSUBPS, l.one, f, f)
			each(VMULPS, quarter, x, y)
			each(VFMADD231PS, s, y, f)
		}
		l.sum(f, e, y, s)
		l.special(u, y, s, t)
		Comment("Where log(1+x) is not x.")
		each(VANDPS, magnitude, x, s)
		c.blendWhere(notLess, s, tiny, y, x, s)
	}
}
