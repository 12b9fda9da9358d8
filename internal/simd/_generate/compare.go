package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// compareOps are in the order of the constants in package simd.
var compareOps = []struct {
	name      string
	operator  string
	predicate uint64
}{
	{"equal", "==", equal},
	{"notEqual", "!=", notEqual},
	{"less", "<", less},
	{"lessEqual", "<=", lessEqual},
	{"greater", ">", greater},
	{"greaterEqual", ">=", greaterEqual},
}

// compares writes the kernels of Compare and Select. AVX2 has no masks of
// bytes: it leaves the last floats, fewer than eight, to the caller.
func compares() {
	for _, isa := range []isa{isa512, isa2} {
		compareKernel(isa)
		selectKernel(isa)
	}
}

func compareKernel(isa isa) {
	TEXT("compare"+isa.name, NOSPLIT, "func(op int, dst *bool, x, y *float32, n int)")
	Pragma("noescape")
	Doc("compare"+isa.name+" is, for op = 3·o and, where x or y is one float, 3·o+2 or 3·o+1,",
		"", "\tfor i := range "+isa.done()+" {", "\t\tdst[i] = o(x[i], y[i])", "\t}")
	op := Load(Param("op"), GP64())
	dst := Load(Param("dst"), GP64())
	x := Load(Param("x"), GP64())
	y := Load(Param("y"), GP64())
	n := Load(Param("n"), GP64())
	ones := isa.regs[11]
	VBROADCASTSS(number(0x01010101), ones)
	choose(op, 0, 3*len(compareOps)-1, func(i int) {
		c, form := compareOps[i/3], i%3
		index := forms[form].index
		Comment(fmt.Sprintf("dst[i] = x[%s] %s y[%s]", index[0], c.operator, index[1]))
		o := isa.newOperands(form, x, y)
		var tail func(mask Op)
		if isa.lanes == 16 {
			tail = func(mask Op) {
				isa.compareBytes(c.predicate, o.loadTail(0, isa.regs[0], mask), o.loadTail(1, isa.regs[4], mask), isa.regs[8], ones)
				VMOVDQU8(isa.regs[8].AsX(), mask, Mem{Base: dst})
			}
		}
		isa.stripsOf(c.name+"_"+forms[form].name+"_", n, append(o.steps(), step{dst, 1}), 4, func(v int) {
			to := isa.regs[8]
			isa.compareBytes(c.predicate, o.load(0, v, isa.regs[v]), o.load(1, v, isa.regs[4+v]), to, ones)
			at := Mem{Base: dst, Disp: v * isa.lanes}
			if isa.lanes == 16 {
				VMOVDQU(to.AsX(), at)
			} else {
				VMOVQ(to.AsX(), at)
			}
		}, tail)
		JMP(LabelRef("done"))
	})
	Label("done")
	VZEROUPPER()
	RET()
}

// done says in a comment's loop how far a kernel goes.
func (s isa) done() string {
	if s.lanes == 16 {
		return "n"
	}
	return "n &^ 7"
}

// compareBytes sets the lowest bytes of to to 1 or 0.
func (s isa) compareBytes(predicate uint64, x, y, to, ones VecPhysical) {
	if s.lanes == 16 {
		k := K()
		VCMPPS(Imm(predicate), y, x, k)
		VMOVDQU8_Z(ones.AsX(), k, to.AsX())
		return
	}
	VCMPPS(Imm(predicate), y, x, to)
	high := Y14
	VEXTRACTF128(Imm(1), to, high.AsX())
	VPACKSSDW(high.AsX(), to.AsX(), to.AsX())
	VPACKSSWB(to.AsX(), to.AsX(), to.AsX())
	VPAND(ones.AsX(), to.AsX(), to.AsX())
}

func selectKernel(isa isa) {
	TEXT("select"+isa.name, NOSPLIT, "func(form int, dst *float32, mask *bool, x, y *float32, n int)")
	Pragma("noescape")
	Doc("select"+isa.name+" is, for form = 0 and, where x, y or both are one float, 2, 1 or 3,",
		"", "\tfor i := range "+isa.done()+" {", "\t\tdst[i] = y[i]", "\t\tif mask[i] {", "\t\t\tdst[i] = x[i]", "\t\t}", "\t}")
	form := Load(Param("form"), GP64())
	dst := Load(Param("dst"), GP64())
	mask := Load(Param("mask"), GP64())
	x := Load(Param("x"), GP64())
	y := Load(Param("y"), GP64())
	n := Load(Param("n"), GP64())
	choose(form, 0, len(forms)-1, func(form int) {
		o := isa.newOperands(form, x, y)
		steps := append(o.steps(), step{dst, 4}, step{mask, 1})
		name := "select_" + forms[form].name + "_"
		if isa.lanes == 16 {
			isa.stripsOf(name, n, steps, 4, func(v int) {
				k, bytes := K(), isa.regs[8].AsX()
				VMOVDQU(Mem{Base: mask, Disp: v * isa.lanes}, bytes)
				VPTESTMB(bytes, bytes, k)
				to := isa.regs[v]
				VBLENDMPS(o.load(0, v, isa.regs[4+v]), o.load(1, v, to), k, to)
				VMOVUPS(to, Mem{Base: dst, Disp: v * isa.bytes()})
			}, func(lanes Op) {
				k, bytes := K(), isa.regs[8].AsX()
				VMOVDQU8_Z(Mem{Base: mask}, lanes, bytes)
				VPTESTMB(bytes, bytes, k)
				to := isa.regs[0]
				VBLENDMPS(o.loadTail(0, isa.regs[4], lanes), o.loadTail(1, to, lanes), k, to)
				VMOVUPS(to, lanes, Mem{Base: dst})
			})
		} else {
			zero := isa.regs[11]
			isa.zero(zero)
			isa.stripsOf(name, n, steps, 4, func(v int) {
				words, to := isa.regs[8], isa.regs[v]
				VPMOVZXBD(Mem{Base: mask, Disp: v * isa.lanes}, words)
				VPCMPEQD(zero, words, words)
				VBLENDVPS(words, o.load(1, v, isa.regs[4+v]), o.load(0, v, to), to)
				VMOVUPS(to, Mem{Base: dst, Disp: v * isa.bytes()})
			}, nil)
		}
		JMP(LabelRef("done"))
	})
	Label("done")
	VZEROUPPER()
	RET()
}
