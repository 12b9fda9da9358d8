package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// dot writes the kernels that reduce two vectors to a number.
func dot() {
	for _, isa := range []isa{isa512, isa2} {
		dotKernel(isa, "dot", "\ts += a[i] * b[i]", func(a Op, b, acc VecPhysical) {
			VFMADD231PS(a, b, acc)
		})
		dotKernel(isa, "squaredDistance", "\ts += (a[i] - b[i]) * (a[i] - b[i])", func(a Op, b, acc VecPhysical) {
			VSUBPS(a, b, b)
			VFMADD231PS(b, b, acc)
		})
	}
}

// dotKernel adds up term(a, b) in four registers, for its latency.
func dotKernel(isa isa, name, loop string, term func(a Op, b, acc VecPhysical)) {
	TEXT(name+isa.name, NOSPLIT, "func(a, b *float32, n int) float32")
	Pragma("noescape")
	Doc(name+isa.name+" is, in another order,", "", "\tfor i := range n {", "\t"+loop, "\t}", "\treturn s")
	a := Load(Param("a"), GP64())
	b := Load(Param("b"), GP64())
	n := Load(Param("n"), GP64())
	acc, x, y := isa.regs[:4], isa.regs[4:8], isa.regs[8]
	for _, v := range acc {
		isa.zero(v)
	}
	isa.strips("", n, []Register{a, b}, len(acc), func(v, at int) {
		VMOVUPS(Mem{Base: b, Disp: at}, x[v])
		term(Mem{Base: a, Disp: at}, x[v], acc[v])
	}, func(mask Op) {
		isa.loadTail(Mem{Base: b}, x[0], mask)
		isa.loadTail(Mem{Base: a}, y, mask)
		term(y, x[0], acc[1])
	})
	VADDPS(acc[1], acc[0], acc[0])
	VADDPS(acc[3], acc[2], acc[2])
	VADDPS(acc[2], acc[0], acc[0])
	if isa.lanes == 16 {
		VEXTRACTF64X4(Imm(1), Z0, Y1)
		VADDPS(Y1, Y0, Y0)
	}
	VEXTRACTF128(Imm(1), Y0, X1)
	VADDPS(X1, X0, X0)
	VHADDPS(X0, X0, X0)
	VHADDPS(X0, X0, X0)
	address, _ := ReturnIndex(0).Resolve()
	VMOVSS(X0, address.Addr)
	VZEROUPPER()
	RET()
}
