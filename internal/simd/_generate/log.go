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

// A logarithm holds the constants of log x in a kernel of one vector at a time.
type logarithm struct {
	*constants
	one, half, infinity VecPhysical
	ln2High, ln2Low     Op
	polynomial          []Op
}

func newLogarithm(c *constants) logarithm {
	l := logarithm{constants: c}
	l.one, l.half, l.infinity = c.register(1), c.register(0.5), c.register(math.Inf(1))
	l.ln2High, l.ln2Low = c.operand(ln2High), c.operand(ln2Low)
	l.polynomial = c.operands(logPolynomial...)
	return l
}

// exponent sets e to e, of a number above 0 that is finite. The others are
// scratch, but m, which is 1+f.
func (l logarithm) exponent(x, e, m, s VecPhysical) {
	if l.lanes == 16 {
		VGETMANTPS(Imm(0xb), x, m) // from 3/4 to 3/2; NaN where x is negative
		VGETEXPPS(x, e)
		VGETEXPPS(m, s)
		VSUBPS(s, e, e)
		return
	}
	Comment("Subnormal numbers are made normal.")
	s2 := l.regs[7]
	VCMPPS(Imm(less), number(1<<23), x, s)
	VMULPS(l.operand(0x1p23), x, m)
	VBLENDVPS(s, m, x, m)
	VANDPS(l.operand(23), s, s)
	VPSUBD(l.operandBits(math.Float32bits(0.75)), m, e)
	VPSRAD(Imm(23), e, e)
	VPSLLD(Imm(23), e, s2)
	VPSUBD(s2, m, m)
	VCVTDQ2PS(e, e)
	VSUBPS(s, e, e)
}

// sum sets y to log(1+f) + e·ln 2. p is scratch.
func (l logarithm) sum(f, e, y, p VecPhysical) {
	horner(p, f, l.polynomial)
	VFMSUB213PS(l.half, f, p)
	VMULPS(f, f, y)
	VMULPS(p, y, y)
	VFMADD231PS(l.ln2Low, e, y)
	VADDPS(f, y, y)
	VFMADD231PS(l.ln2High, e, y)
}

// special sets y to what log x is where x is 0, infinite or no number, and, in
// AVX2, negative: exponent leaves NaN there in AVX-512.
func (l logarithm) special(x, y, s VecPhysical) {
	l.blend(l.compare(notLess, x, l.infinity, s), x, y)
	l.zero(s)
	if l.lanes == 16 {
		l.blend(l.compare(equal, x, s, s), l.operand(math.Inf(-1)), y)
		return
	}
	negative := l.regs[7]
	VCMPPS(Imm(less), s, x, negative)
	VORPS(negative, y, y)
	VCMPPS(Imm(equal), s, x, s)
	VBLENDVPS(s, l.operand(math.Inf(-1)), y, y)
}

func logMap(c *constants) func(x VecPhysical) {
	l := newLogarithm(c)
	if c.lanes == 16 {
		c.operand(math.Inf(-1))
	}
	return func(x VecPhysical) {
		e, f, y, s := c.regs[1], c.regs[2], c.regs[3], c.regs[4]
		l.exponent(x, e, f, s)
		VSUBPS(l.one, f, f)
		l.sum(f, e, y, s)
		l.special(x, y, s)
		VMOVAPS(y, x)
	}
}

// log1pMap takes e from 1+x, and f = x·2⁻ᵉ + (2⁻ᵉ-1), where only the last
// addition rounds. AVX2 takes 2²⁻ᵉ and x/4: 2⁻ᵉ may not be a normal number.
func log1pMap(c *constants) func(x VecPhysical) {
	l := newLogarithm(c)
	tiny, magnitude := c.operand(0x1p-25), c.operandBits(0x7fffffff)
	if c.lanes == 16 {
		c.operand(math.Inf(-1))
	}
	return func(x VecPhysical) {
		e, f, y, s, u := c.regs[1], c.regs[2], c.regs[3], c.regs[4], c.regs[5]
		VADDPS(l.one, x, u)
		l.exponent(u, e, f, s)
		if c.lanes == 16 {
			c.zero(y)
			VSUBPS(e, y, s)
			VSCALEFPS(s, l.one, s)
			VSUBPS(l.one, s, f)
			VFMADD231PS(s, x, f)
		} else {
			VMOVAPS(c.operand(2), s)
			VSUBPS(e, s, s)
			VCVTPS2DQ(s, s)
			VPSLLD(Imm(23), s, s)
			VPADDD(l.one, s, s)
			quarter := c.operand(0.25)
			VMULPS(quarter, s, f)
			VSUBPS(l.one, f, f)
			VMULPS(quarter, x, y)
			VFMADD231PS(s, y, f)
		}
		l.sum(f, e, y, s)
		l.special(u, y, s)
		Comment("Where log(1+x) = x.")
		VANDPS(magnitude, x, s)
		c.blend(c.compare(notLess, s, tiny, s), y, x)
	}
}
