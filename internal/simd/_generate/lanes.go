package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The methods here are instructions that the two sets spell differently, and
// constants. AVX-512 keeps constants in the highest registers, AVX2 in memory but
// for a few.

// A vec is the same variable of several vectors that a kernel works on at a
// time: with the instructions of one between those of the others, the
// processor does not have to look far ahead for one that need not wait.
type vec []VecPhysical

// each writes an instruction once for each vector. Arguments are vecs, or
// operands that all vectors share.
func each(instruction func(...Op), arguments ...any) {
	vectors := 1
	for _, a := range arguments {
		if v, ok := a.(vec); ok {
			vectors = len(v)
		}
	}
	for i := range vectors {
		var list []Op
		for _, a := range arguments {
			if v, ok := a.(vec); ok {
				list = append(list, v[i])
			} else {
				list = append(list, a.(Op))
			}
		}
		instruction(list...)
	}
}

// variables returns count vecs of so many vectors each, in registers from 0 on.
func (s isa) variables(vectors, count int) []vec {
	list := make([]vec, count)
	for i := range list {
		for v := range vectors {
			list[i] = append(list[i], s.regs[i*vectors+v])
		}
	}
	return list
}

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
	free   int // the highest register that holds none
	values int // so many registers, from 0 on, are not for constants
	held   map[uint32]VecPhysical
}

// newConstants returns constants of a kernel that uses so many registers for
// values.
func newConstants(s isa, values int) *constants {
	free := len(s.regs) - 1
	if s.lanes == 8 {
		free = 13 // 14 and 15 are for tails
	}
	return &constants{s, free, values, map[uint32]VecPhysical{}}
}

// register returns one with x in all lanes, loaded here.
func (c *constants) register(x float64) VecPhysical { return c.bits(math.Float32bits(float32(x))) }

func (c *constants) bits(bits uint32) VecPhysical {
	r, ok := c.held[bits]
	if !ok {
		if c.free < c.values {
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
func horner(p, x vec, coefficients []Op) {
	last := len(coefficients) - 1
	each(VMOVAPS, coefficients[last], p)
	for i := last - 1; i >= 0; i-- {
		each(VFMADD213PS, coefficients[i], x, p)
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

// blendWhere sets dst to x where a ⋈ b. scratch is for AVX2, and may be a.
func (s isa) blendWhere(predicate uint64, a vec, b any, x any, dst, scratch vec) {
	if s.lanes == 16 {
		each(func(o ...Op) {
			k := K()
			VCMPPS(Imm(predicate), o[1], o[0], k)
			VMOVAPS(o[2], k, o[3])
		}, a, b, x, dst)
		return
	}
	each(func(o ...Op) {
		VCMPPS(Imm(predicate), o[1], o[0], o[4])
		VBLENDVPS(o[4], o[2], o[3], o[3])
	}, a, b, x, dst, scratch)
}

// blendNegative sets dst to x where sign's sign bit is set.
func (s isa) blendNegative(sign, x, dst vec) {
	if s.lanes == 16 {
		each(func(o ...Op) {
			k := K()
			VPMOVD2M(o[0], k)
			VMOVAPS(o[1], k, o[2])
		}, sign, x, dst)
		return
	}
	each(func(o ...Op) { VBLENDVPS(o[0], o[1], o[2], o[2]) }, sign, x, dst)
}

// The roundings of round.
const (
	toEven = 0x8
	down   = 0x9
	up     = 0xa
)

func (s isa) round(how uint64, x, dst Op) {
	if s.lanes == 16 {
		VRNDSCALEPS(Imm(how), x, dst)
		return
	}
	VROUNDPS(Imm(how), x, dst)
}
