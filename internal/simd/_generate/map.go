package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A mapOp is a function of one float. code is called before the loop, where it
// may load constants. What it returns writes the code of some vectors: variables
// are theirs, and the first is x and the result.
type mapOp struct {
	name      string
	vectors   int // that AVX-512 works on at a time
	variables int // of each
	code      func(c *constants) func(variables []vec)
}

// mapOps are in the order of the constants in package simd.
var mapOps = []mapOp{
	{"exp", 2, 5, expMap},
	{"expm1", 2, 7, expm1Map},
	{"log", 2, 6, logMap},
	{"log1p", 2, 7, log1pMap},
	{"tanh", 2, 6, tanhMap},
	{"logistic", 2, 6, logisticMap},
	{"sqrt", 4, 1, func(*constants) func(v []vec) {
		return func(v []vec) { each(VSQRTPS, v[0], v[0]) }
	}},
	{"rsqrt", 4, 1, func(c *constants) func(v []vec) {
		one := c.register(1)
		return func(v []vec) {
			each(VSQRTPS, v[0], v[0])
			each(VDIVPS, v[0], one, v[0])
		}
	}},
	{"reciprocal", 4, 1, func(c *constants) func(v []vec) {
		one := c.register(1)
		return func(v []vec) { each(VDIVPS, v[0], one, v[0]) }
	}},
	{"neg", 4, 1, func(c *constants) func(v []vec) {
		sign := c.bits(1 << 31)
		return func(v []vec) { each(VXORPS, sign, v[0], v[0]) }
	}},
	{"abs", 4, 1, func(c *constants) func(v []vec) {
		magnitude := c.bits(0x7fffffff)
		return func(v []vec) { each(VANDPS, magnitude, v[0], v[0]) }
	}},
	{"sign", 4, 4, signMap},
	{"floor", 4, 1, roundMap(down)},
	{"ceil", 4, 1, roundMap(up)},
	{"round", 4, 1, roundMap(toEven)},
}

func roundMap(how uint64) func(c *constants) func(v []vec) {
	return func(c *constants) func(v []vec) {
		return func(v []vec) {
			each(func(o ...Op) { c.round(how, o[0], o[0]) }, v[0])
		}
	}
}

// signMap is 0 for NaN, as for both zeros.
func signMap(c *constants) func(v []vec) {
	one, minus := c.operand(1), c.operand(-1)
	return func(v []vec) {
		x, zero, y, s := v[0], v[1], v[2], v[3]
		each(VXORPS, zero, zero, zero)
		each(VXORPS, y, y, y)
		c.blendWhere(greater, x, zero, one, y, s)
		c.blendWhere(less, x, zero, minus, y, s)
		each(VMOVAPS, y, x)
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
	vectors := op.vectors
	if isa.lanes == 8 && op.variables > 1 {
		vectors = 1 // for want of registers
	}
	code := op.code(newConstants(isa, vectors*op.variables))
	isa.stripsTogether(op.name+"_", n, []step{{dst, 4}, {x, 4}}, vectors, func(vectors int) {
		variables := isa.variables(vectors, op.variables)
		for i, r := range variables[0] {
			VMOVUPS(Mem{Base: x, Disp: i * isa.bytes()}, r)
		}
		code(variables)
		for i, r := range variables[0] {
			VMOVUPS(r, Mem{Base: dst, Disp: i * isa.bytes()})
		}
	}, func(mask Op) {
		variables := isa.variables(1, op.variables)
		r := variables[0][0]
		isa.loadTail(Mem{Base: x}, r, mask)
		code(variables)
		isa.storeTail(r, Mem{Base: dst}, mask)
	})
}
