package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// elementwise writes the kernels that change dst float by float. They round
// after every operation, as the portable loops do: a fused multiply-add would
// gain nothing, since stores bound them.
func elementwise() {
	for _, isa := range []isa{isa512, isa2} {
		addKernel(isa)
		axpyKernel(isa)
	}
}

func addKernel(isa isa) {
	TEXT("add"+isa.name, NOSPLIT, "func(dst, x *float32, n int)")
	Pragma("noescape")
	Doc("add"+isa.name+" is", "", "\tfor i := range n {", "\t\tdst[i] += x[i]", "\t}")
	dst := Load(Param("dst"), GP64())
	x := Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	isa.strips("", n, []Register{dst, x}, 4, func(v, at int) {
		r := isa.regs[v]
		VMOVUPS(Mem{Base: x, Disp: at}, r)
		VADDPS(Mem{Base: dst, Disp: at}, r, r)
		VMOVUPS(r, Mem{Base: dst, Disp: at})
	}, func(mask Op) {
		r, d := isa.regs[0], isa.regs[1]
		isa.loadTail(Mem{Base: x}, r, mask)
		isa.loadTail(Mem{Base: dst}, d, mask)
		VADDPS(d, r, r)
		isa.storeTail(r, Mem{Base: dst}, mask)
	})
	VZEROUPPER()
	RET()
}

func axpyKernel(isa isa) {
	TEXT("axpy"+isa.name, NOSPLIT, "func(dst *float32, a float32, x *float32, n int)")
	Pragma("noescape")
	Doc("axpy"+isa.name+" is", "", "\tfor i := range n {", "\t\tdst[i] += float32(a * x[i])", "\t}")
	dst := Load(Param("dst"), GP64())
	x := Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	a := isa.regs[8]
	address, _ := Param("a").Resolve()
	VBROADCASTSS(address.Addr, a)
	isa.strips("", n, []Register{dst, x}, 4, func(v, at int) {
		r := isa.regs[v]
		VMULPS(Mem{Base: x, Disp: at}, a, r)
		VADDPS(Mem{Base: dst, Disp: at}, r, r)
		VMOVUPS(r, Mem{Base: dst, Disp: at})
	}, func(mask Op) {
		r, d := isa.regs[0], isa.regs[1]
		isa.loadTail(Mem{Base: x}, r, mask)
		isa.loadTail(Mem{Base: dst}, d, mask)
		VMULPS(r, a, r)
		VADDPS(d, r, r)
		isa.storeTail(r, Mem{Base: dst}, mask)
	})
	VZEROUPPER()
	RET()
}
