package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The functions here go back to eˣ = 2ⁿ·eʳ with n whole and |r| ≤ ln 2 / 2, and
// a polynomial for eʳ-1 = r + r²·q(r).

// ln2 in two parts: n times the first is exact for |n| ≤ 512.
const (
	ln2High = 0.693145751953125
	ln2Low  = 1.42860682030941723212e-6
)

// expPolynomial is q, within 0.2 units of the last place of eʳ-1; found by
// Remez's exchange.
var expPolynomial = []float64{0.5, 0.16666542, 0.04166628, 0.008366644, 0.0013946552}

// shifter is 1.5·2²³ + 127: added to a small number it leaves in the lowest bits
// the number rounded, plus the bias of an exponent.
const shifter = 0x1.8p23 + 127

// An exponential holds the constants of eˣ.
type exponential struct {
	*constants
	log2e, shifter  VecPhysical
	ln2High, ln2Low Op
	polynomial      []Op
}

func newExponential(c *constants) exponential {
	e := exponential{constants: c}
	e.log2e, e.shifter = c.register(math.Log2E), c.register(shifter)
	e.ln2High, e.ln2Low = c.operand(ln2High), c.operand(ln2Low)
	e.polynomial = c.operands(expPolynomial...)
	return e
}

// split sets p to eʳ-1, n to n, and shifted to n behind the shifter. x and r are
// scratch then. x must be between -700 and 700, or NaN.
func (e exponential) split(x, p, n, shifted, r vec) {
	each(VMOVAPS, e.shifter, shifted)
	each(VFMADD231PS, e.log2e, x, shifted)
	each(VSUBPS, e.shifter, shifted, n)
	each(VMOVAPS, x, r)
	each(VFNMADD231PS, e.ln2High, n, r)
	each(VFNMADD231PS, e.ln2Low, n, r)
	horner(p, r, e.polynomial)
	each(VMULPS, r, r, x)
	each(VFMADD213PS, r, x, p)
}

// scale multiplies p by 2ⁿ for n from -151 to 129, to subnormals and infinity;
// both of n are as split leaves them, and scratch then.
func (e exponential) scale(p, n, shifted vec) {
	if e.lanes == 16 {
		each(VSCALEFPS, n, p, p)
		return
	}
	Comment("2ⁿ in two factors: it may not be a normal number.")
	each(VPSUBD, e.shifter, shifted, shifted)
	each(VPSRAD, Imm(1), shifted, n)
	each(VPSUBD, n, shifted, shifted)
	for _, part := range []vec{n, shifted} {
		each(VPADDD, e.operandBits(127), part, part)
		each(VPSLLD, Imm(23), part, part)
		each(VMULPS, part, p, p)
	}
}

// Bounds of x beyond which eˣ is 0 or infinite.
const (
	expLowest  = -104
	expHighest = 89
)

// expMap leaves NaN to the comparisons: they return their last operand.
func expMap(c *constants) func(v []vec) {
	lowest, highest, one := c.register(expLowest), c.register(expHighest), c.operand(1)
	e := newExponential(c)
	return func(v []vec) {
		x, p, n, shifted, r := v[0], v[1], v[2], v[3], v[4]
		each(VMAXPS, x, lowest, x)
		each(VMINPS, x, highest, x)
		e.split(x, p, n, shifted, r)
		each(VADDPS, one, p, p)
		e.scale(p, n, shifted)
		each(VMOVAPS, p, x)
	}
}

// expm1Map is 2·(2ⁿ⁻¹·(eʳ-1) + (2ⁿ⁻¹-½)): 2ⁿ may be infinite where the result is not.
func expm1Map(c *constants) func(v []vec) {
	lowest, highest := c.register(-20), c.register(expHighest)
	half, tiny, magnitude := c.operand(0.5), c.operand(0x1p-25), c.operandBits(0x7fffffff)
	bias := c.operandBits(1 << 23)
	e := newExponential(c)
	return func(v []vec) {
		x, p, n, shifted, r, power, before := v[0], v[1], v[2], v[3], v[4], v[5], v[6]
		each(VMOVAPS, x, before)
		each(VMAXPS, x, lowest, x)
		each(VMINPS, x, highest, x)
		e.split(x, p, n, shifted, r)
		each(VPSLLD, Imm(23), shifted, power)
		each(VPSUBD, bias, power, power)
		each(VSUBPS, half, power, n)
		each(VFMADD213PS, n, power, p)
		each(VADDPS, p, p, x)
		Comment("Where eˣ-1 = x.")
		each(VANDPS, magnitude, before, n)
		c.blendWhere(less, n, tiny, before, x, n)
	}
}

// tanhMap is e/(e+2) for e = e²ˣ-1.
func tanhMap(c *constants) func(v []vec) {
	highest, magnitude := c.register(20), c.operandBits(0x7fffffff)
	sign := c.operandBits(1 << 31)
	one, two := c.operand(1), c.operand(2)
	e := newExponential(c)
	return func(v []vec) {
		x, p, n, shifted, r, before := v[0], v[1], v[2], v[3], v[4], v[5]
		each(VANDPS, sign, x, before)
		each(VANDPS, magnitude, x, x)
		each(VADDPS, x, x, x)
		each(VMINPS, x, highest, x)
		e.split(x, p, n, shifted, r)
		power := shifted
		each(VPSLLD, Imm(23), shifted, power)
		each(VSUBPS, one, power, n)
		each(VFMADD213PS, n, power, p)
		each(VADDPS, two, p, n)
		each(VDIVPS, n, p, x)
		each(VORPS, before, x, x)
	}
}

// logisticMap is 1/(1+z) or z/(1+z), for z = e^-|x|.
func logisticMap(c *constants) func(v []vec) {
	lowest, one, sign := c.register(expLowest), c.register(1), c.operandBits(1<<31)
	e := newExponential(c)
	return func(v []vec) {
		x, p, n, shifted, r, before := v[0], v[1], v[2], v[3], v[4], v[5]
		each(VMOVAPS, x, before)
		each(VORPS, sign, x, x)
		each(VMAXPS, x, lowest, x)
		e.split(x, p, n, shifted, r)
		each(VADDPS, one, p, p)
		e.scale(p, n, shifted)
		each(VADDPS, one, p, n)
		each(VMOVAPS, one, x)
		c.blendNegative(before, p, x)
		each(VDIVPS, n, x, x)
	}
}
