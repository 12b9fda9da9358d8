package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// unpack writes the kernels of internal/bitpack.
func unpack() {
	unpackKernel("unpackBytes", 8)
	unpackKernel("unpackWords", 4)
	cpuid()
}

func unpackKernel(name string, group int) {
	TEXT(name, NOSPLIT, "func(dst *uint16, n int, src *byte, length, w int)")
	Pragma("noescape")
	widths := "1 to 8"
	if group == 4 {
		widths = "9 to 16"
	}
	Doc(
		name+" unpacks n > 0 digits of "+widths+" bits from length ≥ 8 bytes:",
		"",
		"\tfor j := range dst {",
		"\t\tdst[j] = (src >> (j*w)) & (1<<w - 1)",
		"\t}",
	)
	dst := Load(Param("dst"), GP64())
	n := GP64()
	Load(Param("n"), n)
	src := Load(Param("src"), GP64())
	last := Load(Param("length"), GP64())
	w := Load(Param("w"), GP64())

	Comment("In each byte or word of the mask, the low w bits are set.")
	mask, ones := GP64(), GP64()
	MOVQ(I32(-1), ones)
	BZHIQ(w, ones, ones)
	if group == 8 {
		MOVQ(U64(0x0101010101010101), mask)
	} else {
		MOVQ(U64(0x0001000100010001), mask)
	}
	IMULQ(ones, mask)
	Comment("Groups of 8 digits are w bytes. First those with all their loads inside src.")
	LEAQ(Mem{Base: src, Index: last, Scale: 1, Disp: -8}, last)
	inside, second, half := last, GP64(), GP64()
	if group == 4 {
		Comment("Digits 4 to 7 begin w/2 bytes on, after half a byte where w is odd.")
		MOVQ(w, second)
		SHRQ(Imm(1), second)
		MOVQ(w, half)
		ANDQ(Imm(1), half)
		SHLQ(Imm(2), half)
		inside = GP64()
		MOVQ(last, inside)
		SUBQ(second, inside)
	}
	digits, x := GP64(), XMM()
	// widen turns digits, one a byte, into x, one a word.
	widen := func() {
		VMOVQ(digits, x)
		VPMOVZXBW(x, x)
	}
	SUBQ(Imm(8), n)
	JL(LabelRef("end"))
	Label("groups")
	CMPQ(src, inside)
	JA(LabelRef("end"))
	MOVQ(Mem{Base: src}, digits)
	PDEPQ(mask, digits, digits)
	if group == 8 {
		widen()
		VMOVDQU(x, Mem{Base: dst})
	} else {
		MOVQ(digits, Mem{Base: dst})
		SHRXQ(half, Mem{Base: src, Index: second, Scale: 1}, digits)
		PDEPQ(mask, digits, digits)
		MOVQ(digits, Mem{Base: dst, Disp: 8})
	}
	ADDQ(w, src)
	ADDQ(Imm(16), dst)
	SUBQ(Imm(8), n)
	JGE(LabelRef("groups"))

	Label("end")
	ADDQ(Imm(8), n)
	JE(LabelRef("done"))
	SUBQ(src, last)
	bit, at, shift := GP64(), GP64(), GP64()
	XORL(bit.As32(), bit.As32())
	SHLQ(Imm(map[int]uint64{8: 3, 4: 2}[group]), w)

	Comment("Then those at the end: where a load would leave src, the last 8 bytes, shifted.")
	Label("last")
	MOVQ(bit, at)
	SHRQ(Imm(3), at)
	CMPQ(at, last)
	CMOVQGT(last, at)
	MOVQ(at, shift)
	SHLQ(Imm(3), shift)
	NEGQ(shift)
	ADDQ(bit, shift)
	SHRXQ(shift, Mem{Base: src, Index: at, Scale: 1}, digits)
	PDEPQ(mask, digits, digits)
	ADDQ(w, bit)
	if group == 8 {
		widen()
	}
	SUBQ(Imm(uint64(group)), n)
	JL(LabelRef("part"))
	if group == 8 {
		VMOVDQU(x, Mem{Base: dst})
	} else {
		MOVQ(digits, Mem{Base: dst})
	}
	ADDQ(Imm(uint64(2*group)), dst)
	TESTQ(n, n)
	JNE(LabelRef("last"))
	RET()

	Label("part")
	if group == 8 {
		VMOVQ(x, digits)
		TESTL(U32(4), n.As32())
		JE(LabelRef("two"))
		MOVQ(digits, Mem{Base: dst})
		VPEXTRQ(Imm(1), x, digits)
		ADDQ(Imm(8), dst)
		Label("two")
	}
	TESTL(U32(2), n.As32())
	JE(LabelRef("one"))
	MOVL(digits.As32(), Mem{Base: dst})
	SHRQ(Imm(32), digits)
	ADDQ(Imm(4), dst)
	Label("one")
	TESTL(U32(1), n.As32())
	JE(LabelRef("done"))
	MOVW(digits.As16(), Mem{Base: dst})
	Label("done")
	RET()
}

// cpuid writes what tells a slow PDEP.
func cpuid() {
	TEXT("cpuid", NOSPLIT, "func() (vendor, signature uint32)")
	Doc("cpuid returns the first four letters of the vendor's name and the family, model and stepping.")
	XORL(EAX, EAX)
	XORL(ECX, ECX)
	CPUID()
	Store(EBX, Return("vendor"))
	MOVL(U32(1), EAX)
	XORL(ECX, ECX)
	CPUID()
	Store(EAX, Return("signature"))
	RET()
}
