package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The methods here are instructions that the two sets spell differently, and
// constants. Kernels of floats use registers 0 to 7 for values; AVX-512 keeps
// constants in the highest ones, AVX2 in memory but for a few.

// numbers are the constants written so far, by their bits.
var numbers = map[uint32]Mem{}

// number returns where the float with these bits is, 8 times.
func number(bits uint32) Mem {
	m, ok := numbers[bits]
	if !ok {
		m = GLOBL(fmt.Sprintf("number%08x", bits), RODATA|NOPTR)
		for i := range 8 {
			DATA(4*i, U32(bits))
		}
		numbers[bits] = m
	}
	return m
}

// constants hands out a kernel's constants.
type constants struct {
	isa
	free int // the highest register that holds none
	held map[uint32]VecPhysical
}

func newConstants(s isa) *constants {
	free := len(s.regs) - 1
	if s.lanes == 8 {
		free = 13 // 14 and 15 are for tails
	}
	return &constants{s, free, map[uint32]VecPhysical{}}
}

// register returns one with x in all lanes, loaded here.
func (c *constants) register(x float64) VecPhysical { return c.bits(math.Float32bits(float32(x))) }

func (c *constants) bits(bits uint32) VecPhysical {
	r, ok := c.held[bits]
	if !ok {
		if c.free < 8 {
			panic("no registers left for constants")
		}
		r = c.regs[c.free]
		c.free--
		VBROADCASTSS(number(bits), r)
		c.held[bits] = r
	}
	return r
}

// operand returns x as the last operand of an instruction (the first one in
// Go's order), which may be memory.
func (c *constants) operand(x float64) Op { return c.operandBits(math.Float32bits(float32(x))) }

func (c *constants) operandBits(bits uint32) Op {
	if c.lanes == 16 {
		return c.bits(bits)
	}
	if r, ok := c.held[bits]; ok {
		return r
	}
	return number(bits)
}

// operands returns several.
func (c *constants) operands(x ...float64) []Op {
	var list []Op
	for _, x := range x {
		list = append(list, c.operand(x))
	}
	return list
}

// horner evaluates the polynomial with these coefficients, the lowest first, at
// x to p.
func horner(p, x VecPhysical, coefficients []Op) {
	last := len(coefficients) - 1
	VMOVAPS(coefficients[last], p)
	for i := last - 1; i >= 0; i-- {
		VFMADD213PS(coefficients[i], x, p)
	}
}

// Predicates of compare, which signal nothing.
const (
	equal        = 0x00
	less         = 0x11
	lessEqual    = 0x12
	unordered    = 0x03
	notEqual     = 0x04
	notLess      = 0x15
	greaterEqual = 0x1d
	greater      = 0x1e
)

// compare returns a mask of the lanes where a ⋈ b: scratch in AVX2.
func (s isa) compare(predicate uint64, a VecPhysical, b Op, scratch VecPhysical) Op {
	if s.lanes == 16 {
		k := K()
		VCMPPS(Imm(predicate), b, a, k)
		return k
	}
	VCMPPS(Imm(predicate), b, a, scratch)
	return scratch
}

// blend sets dst to x where the mask is set.
func (s isa) blend(mask Op, x Op, dst VecPhysical) {
	if s.lanes == 16 {
		VMOVAPS(x, mask, dst)
		return
	}
	VBLENDVPS(mask, x, dst, dst)
}

// blendNegative sets dst to x where sign's sign bit is set.
func (s isa) blendNegative(sign VecPhysical, x Op, dst VecPhysical) {
	if s.lanes == 16 {
		k := K()
		VPMOVD2M(sign, k)
		VMOVAPS(x, k, dst)
		return
	}
	VBLENDVPS(sign, x, dst, dst)
}

// The roundings of round.
const (
	toEven = 0x8
	down   = 0x9
	up     = 0xa
)

func (s isa) round(how uint64, x, dst VecPhysical) {
	if s.lanes == 16 {
		VRNDSCALEPS(Imm(how), x, dst)
		return
	}
	VROUNDPS(Imm(how), x, dst)
}
