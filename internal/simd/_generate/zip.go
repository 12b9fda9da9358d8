package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A zipOp is a function of two floats. code sets x to x ∘ y; s is scratch. y is
// not memory.
type zipOp struct {
	name string
	code func(s isa, x, y, scratch VecPhysical)
}

// zipOps are in the order of the constants in package simd.
var zipOps = []zipOp{
	{"add", func(_ isa, x, y, _ VecPhysical) { VADDPS(y, x, x) }},
	{"sub", func(_ isa, x, y, _ VecPhysical) { VSUBPS(y, x, x) }},
	{"mul", func(_ isa, x, y, _ VecPhysical) { VMULPS(y, x, x) }},
	{"div", func(_ isa, x, y, _ VecPhysical) { VDIVPS(y, x, x) }},
	{"max", func(s isa, x, y, scratch VecPhysical) { s.extreme(false, x, y, scratch) }},
	{"min", func(s isa, x, y, scratch VecPhysical) { s.extreme(true, x, y, scratch) }},
}

// extreme sets x to the larger or smaller of x and y: NaN where one is, and with
// -0 below 0.
func (s isa) extreme(smaller bool, x, y, scratch VecPhysical) {
	if s.lanes == 16 {
		imm := uint64(5)
		if smaller {
			imm = 4
		}
		k := K()
		VCMPPS(Imm(unordered), y, x, k)
		VRANGEPS(Imm(imm), y, x, scratch)
		VADDPS(y, x, k, scratch)
		VMOVAPS(scratch, x)
		return
	}
	nan := Y14
	VCMPPS(Imm(unordered), y, x, nan)
	if smaller {
		VMINPS(y, x, scratch)
		VMINPS(x, y, x)
		VORPS(scratch, x, x)
	} else {
		VMAXPS(y, x, scratch)
		VMAXPS(x, y, x)
		VANDPS(scratch, x, x)
	}
	Comment("All ones are a NaN.")
	VORPS(nan, x, x)
}

// The forms of two operands: vectors, or the same float in all lanes. Only Select
// has the last one.
var forms = []struct {
	name   string
	vector [2]bool
	index  [2]string // in the comment's loop
}{
	{"both", [2]bool{true, true}, [2]string{"i", "i"}},
	{"right", [2]bool{true, false}, [2]string{"i", "0"}},
	{"left", [2]bool{false, true}, [2]string{"0", "i"}},
	{"none", [2]bool{false, false}, [2]string{"0", "0"}},
}

// operands are the two of a zip or a comparison, in one of the forms. Scalars
// stay in registers 12 and 13.
type operands struct {
	isa
	pointer [2]Register
	vector  [2]bool
}

func (s isa) newOperands(form int, x, y Register) operands {
	o := operands{s, [2]Register{x, y}, forms[form].vector}
	for i, vector := range o.vector {
		if !vector {
			VBROADCASTSS(Mem{Base: o.pointer[i]}, s.regs[12+i])
		}
	}
	return o
}

// steps returns the pointers that move.
func (o operands) steps() []step {
	var list []step
	for i, vector := range o.vector {
		if vector {
			list = append(list, step{o.pointer[i], 4})
		}
	}
	return list
}

// load returns the registers of operand i, of vector v: in to, or the scalar's.
func (o operands) load(i, v int, to VecPhysical) VecPhysical {
	if !o.vector[i] {
		return o.regs[12+i]
	}
	VMOVUPS(Mem{Base: o.pointer[i], Disp: v * o.bytes()}, to)
	return to
}

func (o operands) loadTail(i int, to VecPhysical, mask Op) VecPhysical {
	if !o.vector[i] {
		return o.regs[12+i]
	}
	o.isa.loadTail(Mem{Base: o.pointer[i]}, to, mask)
	return to
}

// own returns from in a register that may be changed.
func (o operands) own(from, to VecPhysical) VecPhysical {
	if from != to {
		VMOVAPS(from, to)
	}
	return to
}

// zips writes the kernels of Zip: one function a level, in which a tree of
// compares finds the loop.
func zips() {
	for _, isa := range []isa{isa512, isa2} {
		TEXT("zip"+isa.name, NOSPLIT, "func(op int, dst, x, y *float32, n int)")
		Pragma("noescape")
		Doc("zip"+isa.name+" is, for op = 3·o and, where x or y is one float, 3·o+2 or 3·o+1,", "", "\tfor i := range n {", "\t\tdst[i] = o(x[i], y[i])", "\t}")
		op := Load(Param("op"), GP64())
		dst := Load(Param("dst"), GP64())
		x := Load(Param("x"), GP64())
		y := Load(Param("y"), GP64())
		n := Load(Param("n"), GP64())
		choose(op, 0, 3*len(zipOps)-1, func(i int) {
			zipLoop(isa, zipOps[i/3], i%3, dst, x, y, n)
			JMP(LabelRef("done"))
		})
		Label("done")
		VZEROUPPER()
		RET()
	}
}

func zipLoop(isa isa, op zipOp, form int, dst, x, y, n Register) {
	index := forms[form].index
	Comment(fmt.Sprintf("dst[i] = %s(x[%s], y[%s])", op.name, index[0], index[1]))
	o := isa.newOperands(form, x, y)
	code := func(a, b, to VecPhysical) {
		op.code(isa, o.own(a, to), b, isa.regs[10])
	}
	isa.stripsOf(op.name+"_"+forms[form].name+"_", n, append(o.steps(), step{dst, 4}), 4, func(v int) {
		to := isa.regs[v]
		code(o.load(0, v, to), o.load(1, v, isa.regs[4+v]), to)
		VMOVUPS(to, Mem{Base: dst, Disp: v * isa.bytes()})
	}, func(mask Op) {
		to := isa.regs[0]
		// The mask may be register 15, and 14 scratch.
		code(o.loadTail(0, to, mask), o.loadTail(1, isa.regs[4], mask), to)
		isa.storeTail(to, Mem{Base: dst}, mask)
	})
}
