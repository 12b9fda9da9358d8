package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const aboveSignature = "func(dst *uint64, sums *uint16, x *float32, a, b float32, words int)"

func aboveDoc(name string) {
	Pragma("noescape")
	Doc(name+" is, for words > 0, without fusing the product and the sum,",
		"",
		"\tfor w := range words {",
		"\t\tdst[w] = 0",
		"\t\tfor i := range 64 {",
		"\t\t\tif !(float32(sums[64*w+i]) < a*x[64*w+i]+b) {",
		"\t\t\t\tdst[w] |= 1 << i",
		"\t\t\t}",
		"\t\t}",
		"\t}",
	)
}

const notLess = 5 // true where one is not a number, too

func above512() {
	TEXT("aboveAVX512", NOSPLIT, aboveSignature)
	aboveDoc("aboveAVX512")
	dst, sums, x, words := load("dst"), load("sums"), load("x"), load("words")
	a, b := Z0, Z1
	VBROADCASTSS(NewParamAddr("a", 24), a)
	VBROADCASTSS(NewParamAddr("b", 28), b)
	Label("word")
	for part := range 4 {
		s, bound, k := []VecPhysical{Z2, Z3, Z4, Z5}[part], []VecPhysical{Z6, Z7, Z8, Z9}[part], K()
		VPMOVZXWD(Mem{Base: sums, Disp: 32 * part}, s)
		VCVTDQ2PS(s, s)
		VMULPS(Mem{Base: x, Disp: 64 * part}, a, bound)
		VADDPS(b, bound, bound)
		VCMPPS(Imm(notLess), bound, s, k)
		KMOVW(k, Mem{Base: dst, Disp: 2 * part})
	}
	ADDQ(Imm(8), dst)
	ADDQ(U32(128), sums)
	ADDQ(U32(256), x)
	DECQ(words)
	JNE(LabelRef("word"))
	VZEROUPPER()
	RET()
}

func above2() {
	TEXT("aboveAVX2", NOSPLIT, aboveSignature)
	aboveDoc("aboveAVX2")
	dst, sums, x, words := load("dst"), load("sums"), load("x"), load("words")
	a, b := Y0, Y1
	VBROADCASTSS(NewParamAddr("a", 24), a)
	VBROADCASTSS(NewParamAddr("b", 28), b)
	bits := GP32()
	Label("word")
	for part := range 8 {
		s, bound := []VecPhysical{Y2, Y3, Y4, Y5}[part%4], []VecPhysical{Y6, Y7, Y8, Y9}[part%4]
		VPMOVZXWD(Mem{Base: sums, Disp: 16 * part}, s)
		VCVTDQ2PS(s, s)
		VMULPS(Mem{Base: x, Disp: 32 * part}, a, bound)
		VADDPS(b, bound, bound)
		VCMPPS(Imm(notLess), bound, s, s)
		VMOVMSKPS(s, bits)
		MOVB(bits.As8(), Mem{Base: dst, Disp: part})
	}
	ADDQ(Imm(8), dst)
	ADDQ(U32(128), sums)
	ADDQ(U32(256), x)
	DECQ(words)
	JNE(LabelRef("word"))
	VZEROUPPER()
	RET()
}
