package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// reductions writes the kernels that reduce one vector to a number.
func reductions() {
	for _, isa := range []isa{isa512, isa2} {
		sumKernel(isa)
		extremeKernel(isa, "max", math.Inf(-1), func(a, b, to Op) { VMAXPS(a, b, to) })
		extremeKernel(isa, "min", math.Inf(1), func(a, b, to Op) { VMINPS(a, b, to) })
		indexKernel(isa)
	}
}

// sumKernel adds up floats in four registers, for the latency of an addition.
func sumKernel(isa isa) {
	TEXT("sum"+isa.name, NOSPLIT, "func(x *float32, n int) float32")
	Pragma("noescape")
	Doc("sum"+isa.name+" is, in another order,", "", "\tfor i := range n {", "\t\ts += x[i]", "\t}", "\treturn s")
	x := Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	acc := isa.regs[:4]
	for _, v := range acc {
		isa.zero(v)
	}
	isa.strips("", n, []Register{x}, len(acc), func(v, at int) {
		VADDPS(Mem{Base: x, Disp: at}, acc[v], acc[v])
	}, func(mask Op) {
		isa.loadTail(Mem{Base: x}, isa.regs[4], mask)
		VADDPS(isa.regs[4], acc[1], acc[1])
	})
	isa.fold(acc, addLanes)
	storeFloat(X0)
	VZEROUPPER()
	RET()
}

// storeFloat stores the lowest lane as the result.
func storeFloat(x VecPhysical) {
	address, _ := ReturnIndex(0).Resolve()
	VMOVSS(x, address.Addr)
}

func addLanes(a, b, to Op) { VADDPS(a, b, to) }

// fold reduces all lanes of the first registers, a power of two of them, to the
// lowest lane of the first. The second is scratch.
func (s isa) fold(acc []VecPhysical, combine func(a, b, to Op)) {
	for n := len(acc) / 2; n > 0; n /= 2 {
		for i := range n {
			combine(acc[i+n], acc[i], acc[i])
		}
	}
	if s.lanes == 16 {
		VEXTRACTF64X4(Imm(1), Z0, Y1)
		combine(Y1, Y0, Y0)
	}
	VEXTRACTF128(Imm(1), Y0, X1)
	combine(X1, X0, X0)
	VPERMILPD(Imm(1), X0, X1)
	combine(X1, X0, X0)
	VMOVSHDUP(X0, X1)
	combine(X1, X0, X0)
}

// extremeKernel keeps the largest or smallest float in four registers. Those
// instructions drop a NaN of one side, so that it looks for them apart.
func extremeKernel(isa isa, name string, start float64, pick func(a, b, to Op)) {
	TEXT(name+isa.name, NOSPLIT, "func(x *float32, n int) float32")
	Pragma("noescape")
	Doc(name+isa.name+" is", "", "\tfor i := range n {", "\t\ts = "+name+"(s, x[i])", "\t}", "\treturn s")
	x := Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	acc, nan := isa.regs[:4], isa.regs[9]
	first := newConstants(isa, 10).register(start)
	isa.zero(nan)
	for _, v := range acc {
		VMOVAPS(first, v)
	}
	step := func(x, acc VecPhysical) {
		pick(x, acc, acc)
		if isa.lanes == 16 {
			k := K()
			VCMPPS(Imm(unordered), x, x, k)
			VMOVAPS(x, k, nan)
			return
		}
		VCMPPS(Imm(unordered), x, x, x)
		VORPS(x, nan, nan)
	}
	isa.strips("", n, []Register{x}, len(acc), func(v, at int) {
		VMOVUPS(Mem{Base: x, Disp: at}, isa.regs[4+v])
		step(isa.regs[4+v], acc[v])
	}, func(mask Op) {
		r := isa.regs[4]
		if isa.lanes == 16 {
			VMOVAPS(first, r)
			VMOVUPS(Mem{Base: x}, mask, r)
		} else {
			isa.loadTail(Mem{Base: x}, r, mask)
			VBLENDVPS(mask, r, first, r)
		}
		step(r, acc[0])
	})
	isa.fold(acc, pick)
	Comment("A NaN there was: adding up zeros and NaN finds it.")
	VMOVAPS(X0, X8)
	VMOVAPS(nan, isa.regs[0])
	isa.fold(isa.regs[:1], addLanes)
	VADDSS(X0, X8, X8)
	storeFloat(X8)
	VZEROUPPER()
	RET()
}

// indexKernel finds a float.
func indexKernel(isa isa) {
	TEXT("index"+isa.name, NOSPLIT, "func(x *float32, n int, a float32) int")
	Pragma("noescape")
	Doc("index"+isa.name+" is", "", "\tfor i := range n {", "\t\tif x[i] == a {", "\t\t\treturn i", "\t\t}", "\t}", "\treturn -1")
	x := Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	a := isa.regs[8]
	address, _ := Param("a").Resolve()
	VBROADCASTSS(address.Addr, a)
	start, bits := GP64(), GP32()
	MOVQ(x, start)
	look := func(m Op, mask Op) {
		if isa.lanes == 16 {
			k := K()
			if mask != nil {
				VCMPPS(Imm(equal), m, a, mask, k)
			} else {
				VCMPPS(Imm(equal), m, a, k)
			}
			KMOVW(k, bits)
		} else {
			VCMPPS(Imm(equal), m, a, isa.regs[0])
			if mask != nil {
				VANDPS(mask, isa.regs[0], isa.regs[0])
			}
			VMOVMSKPS(isa.regs[0], bits)
		}
		TESTL(bits, bits)
		JNE(LabelRef("found"))
	}
	isa.strips("", n, []Register{x}, 1, func(_, at int) {
		look(Mem{Base: x, Disp: at}, nil)
	}, func(mask Op) {
		isa.loadTail(Mem{Base: x}, isa.regs[1], mask)
		look(isa.regs[1], mask)
	})
	result := GP64()
	MOVQ(I64(-1), result)
	Store(result, ReturnIndex(0))
	VZEROUPPER()
	RET()

	Label("found")
	BSFL(bits, bits)
	SUBQ(start, x)
	SHRQ(Imm(2), x)
	ADDQ(x, bits.As64())
	Store(bits.As64(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}
