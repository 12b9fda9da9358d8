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
	SUBQ(Imm(8), last)
	groupBits := w
	SHLQ(Imm(map[int]uint64{8: 3, 4: 2}[group]), groupBits)

	at, bit, shift, digits := GP64(), GP64(), GP64(), GP64()
	XORL(bit.As32(), bit.As32())

	// next loads the group that begins at bit, or the last 8 bytes of src
	// where fewer follow, and spreads its digits to bytes or words.
	next := func() {
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
		ADDQ(groupBits, bit)
	}
	x := XMM()

	SUBQ(Imm(uint64(group)), n)
	JL(LabelRef("rest"))
	Label("groups")
	next()
	if group == 8 {
		VMOVQ(digits, x)
		VPMOVZXBW(x, x)
		VMOVDQU(x, Mem{Base: dst})
	} else {
		MOVQ(digits, Mem{Base: dst})
	}
	ADDQ(Imm(uint64(2*group)), dst)
	SUBQ(Imm(uint64(group)), n)
	JGE(LabelRef("groups"))

	Label("rest")
	ADDQ(Imm(uint64(group)), n)
	JE(LabelRef("done"))
	next()
	if group == 8 {
		VMOVQ(digits, x)
		VPMOVZXBW(x, x)
		VMOVQ(x, digits)
		TESTL(U32(4), n.As32())
		JE(LabelRef("two"))
		MOVQ(digits, Mem{Base: dst})
		VPEXTRQ(Imm(1), x, digits)
		ADDQ(Imm(8), dst)
	}
	Label("two")
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
