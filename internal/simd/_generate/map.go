package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A mapOp is a function of one float. code is called before the loop, where it
// may load constants, and what it returns for each vector of it, to change x.
// Where unroll is above 1, x is one of so many first registers and the others
// must not be used.
type mapOp struct {
	name   string
	unroll int
	code   func(c *constants) func(x VecPhysical)
}

// mapOps are in the order of the constants in package simd.
var mapOps = []mapOp{
	{"exp", 1, expMap},
	{"expm1", 1, expm1Map},
	{"log", 1, logMap},
	{"log1p", 1, log1pMap},
	{"tanh", 1, tanhMap},
	{"logistic", 1, logisticMap},
	{"sqrt", 4, func(*constants) func(x VecPhysical) {
		return func(x VecPhysical) { VSQRTPS(x, x) }
	}},
	{"rsqrt", 4, func(c *constants) func(x VecPhysical) {
		one := c.register(1)
		return func(x VecPhysical) { VSQRTPS(x, x); VDIVPS(x, one, x) }
	}},
	{"reciprocal", 4, func(c *constants) func(x VecPhysical) {
		one := c.register(1)
		return func(x VecPhysical) { VDIVPS(x, one, x) }
	}},
	{"neg", 4, func(c *constants) func(x VecPhysical) {
		sign := c.bits(1 << 31)
		return func(x VecPhysical) { VXORPS(sign, x, x) }
	}},
	{"abs", 4, func(c *constants) func(x VecPhysical) {
		magnitude := c.bits(0x7fffffff)
		return func(x VecPhysical) { VANDPS(magnitude, x, x) }
	}},
	{"sign", 1, signMap},
	{"floor", 4, roundMap(down)},
	{"ceil", 4, roundMap(up)},
	{"round", 4, roundMap(toEven)},
}

func roundMap(how uint64) func(c *constants) func(x VecPhysical) {
	return func(c *constants) func(x VecPhysical) {
		return func(x VecPhysical) { c.round(how, x, x) }
	}
}

// signMap is 0 for NaN, as for both zeros.
func signMap(c *constants) func(x VecPhysical) {
	one, minus := c.operand(1), c.operand(-1)
	return func(x VecPhysical) {
		zero, s, y := c.regs[1], c.regs[2], c.regs[3]
		c.zero(zero)
		c.zero(y)
		c.blend(c.compare(greater, x, zero, s), one, y)
		c.blend(c.compare(less, x, zero, s), minus, y)
		VMOVAPS(y, x)
	}
}

// maps writes the kernels of Map: one function a level, in which a tree of
// compares finds the loop.
func maps() {
	for _, isa := range []isa{isa512, isa2} {
		TEXT("map"+isa.name, NOSPLIT, "func(op int, dst, x *float32, n int)")
		Pragma("noescape")
		Doc("map"+isa.name+" is", "", "\tfor i := range n {", "\t\tdst[i] = op(x[i])", "\t}")
		op := Load(Param("op"), GP64())
		dst := Load(Param("dst"), GP64())
		x := Load(Param("x"), GP64())
		n := Load(Param("n"), GP64())
		choose(op, 0, len(mapOps)-1, func(i int) {
			mapLoop(isa, mapOps[i], dst, x, n)
			JMP(LabelRef("done"))
		})
		Label("done")
		VZEROUPPER()
		RET()
	}
}

func mapLoop(isa isa, op mapOp, dst, x, n Register) {
	Comment(fmt.Sprintf("dst[i] = %s(x[i])", op.name))
	code := op.code(newConstants(isa))
	isa.strips(op.name+"_", n, []Register{dst, x}, op.unroll, func(v, at int) {
		r := isa.regs[v]
		VMOVUPS(Mem{Base: x, Disp: at}, r)
		code(r)
		VMOVUPS(r, Mem{Base: dst, Disp: at})
	}, func(mask Op) {
		r := isa.regs[0]
		isa.loadTail(Mem{Base: x}, r, mask)
		code(r)
		isa.storeTail(r, Mem{Base: dst}, mask)
	})
}
