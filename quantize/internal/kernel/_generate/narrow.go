package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const narrowSignature = "func(dst *int16, src *float32, scale float32, n int)"

func narrowDoc(name string) {
	Pragma("noescape")
	Doc(name+" is, for n a positive multiple of 16,",
		"",
		"\tfor i := range n {",
		"\t\tdst[i] = int16(round(max(-32767, min(32767, src[i]*scale))))",
		"\t}",
	)
}

const (
	plus32767  = 0x46fffe00
	minus32767 = 0xc6fffe00
)

func narrow512() {
	TEXT("narrowAVX512", NOSPLIT, narrowSignature)
	narrowDoc("narrowAVX512")
	dst, src, n := load("dst"), load("src"), load("n")
	scale, high, low, x := Z0, Z1, Z2, Z3
	address, _ := Param("scale").Resolve()
	VBROADCASTSS(address.Addr, scale)
	t := GP32()
	MOVL(U32(plus32767), t)
	VPBROADCASTD(t, high)
	MOVL(U32(minus32767), t)
	VPBROADCASTD(t, low)
	Label("loop")
	VMULPS(Mem{Base: src}, scale, x)
	VMINPS(x, high, x)
	VMAXPS(x, low, x)
	VCVTPS2DQ(x, x)
	VPMOVSDW(x, Mem{Base: dst})
	ADDQ(Imm(64), src)
	ADDQ(Imm(32), dst)
	SUBQ(Imm(16), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

func narrow2() {
	TEXT("narrowAVX2", NOSPLIT, narrowSignature)
	narrowDoc("narrowAVX2")
	dst, src, n := load("dst"), load("src"), load("n")
	scale, high, low := Y0, Y1, Y2
	address, _ := Param("scale").Resolve()
	VBROADCASTSS(address.Addr, scale)
	t := GP32()
	constant := func(x uint32, v Op) {
		MOVL(U32(x), t)
		VMOVD(t, X3)
		VPBROADCASTD(X3, v)
	}
	constant(plus32767, high)
	constant(minus32767, low)
	Label("loop")
	for i, x := range []VecPhysical{Y4, Y5} {
		VMULPS(Mem{Base: src, Disp: 32 * i}, scale, x)
		VMINPS(x, high, x)
		VMAXPS(x, low, x)
		VCVTPS2DQ(x, x)
	}
	VPACKSSDW(Y5, Y4, Y4)
	VPERMQ(Imm(0xd8), Y4, Y4)
	VMOVDQU(Y4, Mem{Base: dst})
	ADDQ(Imm(64), src)
	ADDQ(Imm(32), dst)
	SUBQ(Imm(16), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
