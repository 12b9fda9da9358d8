package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

const argminSignature = "func(dst *int32, scores *float32, ld int, bias *float32, ways, rows int)"

func argminDoc(name string) {
	Pragma("noescape")
	Doc(name+" is, for ways a positive multiple of 16 and rows > 0,",
		"",
		"\tfor i := range rows {",
		"\t\tbest, at := +Inf, 0",
		"\t\tfor k := range ways {",
		"\t\t\tif s := scores[i*ld+k] + bias[k]; s < best {",
		"\t\t\t\tbest, at = s, k",
		"\t\t\t}",
		"\t\t}",
		"\t\tdst[i] = at",
		"\t}",
	)
}

// counting returns the numbers 0 to 15, under a name of its own in each file.
func counting(name string) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 16 {
		DATA(4*i, U32(uint32(i)))
	}
	return m
}

const infinity = 0x7f800000

func argmin512(numbers Mem) {
	TEXT("argminAVX512", NOSPLIT, argminSignature)
	argminDoc("argminAVX512")
	dst, scores, ld, bias := load("dst"), load("scores"), load("ld"), load("bias")
	ways, rows := load("ways"), load("rows")
	SHLQ(Imm(2), ld)
	SHLQ(Imm(2), ways)
	best, at, s, k, sixteen, inf, first, all := z(0), z(1), z(2), z(3), z(4), z(5), z(6), z(7)
	t := GP32()
	MOVL(U32(16), t)
	VPBROADCASTD(t, sixteen)
	MOVL(U32(infinity), t)
	VPBROADCASTD(t, inf)
	MOVL(I32(0x7fffffff), t)
	VPBROADCASTD(t, all)
	VMOVDQU32(numbers, first)
	smaller := K()

	Label("row")
	VMOVAPS(inf, best)
	VPXORD(at, at, at)
	VMOVDQA32(first, k)
	i := GP64()
	XORQ(i, i)
	Label("ways")
	VMOVUPS(Mem{Base: scores, Index: i, Scale: 1}, s)
	VADDPS(Mem{Base: bias, Index: i, Scale: 1}, s, s)
	Comment("s < best")
	VCMPPS(Imm(1), best, s, smaller)
	VMOVAPS(s, smaller, best)
	VMOVDQA32(k, smaller, at)
	VPADDD(sixteen, k, k)
	ADDQ(Imm(64), i)
	CMPQ(i, ways)
	JL(LabelRef("ways"))

	Comment("The smallest of the lanes, then the first value among lanes that have it.")
	VSHUFF64X2(Imm(0x4e), best, best, s)
	VMINPS(s, best, s)
	VSHUFF64X2(Imm(0xb1), s, s, k)
	VMINPS(k, s, s)
	VPERMILPS(Imm(0x4e), s, k)
	VMINPS(k, s, s)
	VPERMILPS(Imm(0xb1), s, k)
	VMINPS(k, s, s)
	VCMPPS(Imm(0), s, best, smaller)
	VMOVDQA32(all, s)
	VMOVDQA32(at, smaller, s)
	VSHUFF64X2(Imm(0x4e), s, s, k)
	VPMINSD(k, s, s)
	VSHUFF64X2(Imm(0xb1), s, s, k)
	VPMINSD(k, s, s)
	VPERMILPS(Imm(0x4e), s, k)
	VPMINSD(k, s, s)
	VPERMILPS(Imm(0xb1), s, k)
	VPMINSD(k, s, s)
	VMOVD(s.AsX(), Mem{Base: dst})
	ADDQ(Imm(4), dst)
	ADDQ(ld, scores)
	DECQ(rows)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

func argmin2(numbers Mem) {
	TEXT("argminAVX2", NOSPLIT, argminSignature)
	argminDoc("argminAVX2")
	dst, scores, ld, bias := load("dst"), load("scores"), load("ld"), load("bias")
	ways, rows := load("ways"), load("rows")
	SHLQ(Imm(2), ld)
	SHLQ(Imm(2), ways)
	best, at, s, k, eight, inf, first, all, smaller := y(0), y(1), y(2), y(3), y(4), y(5), y(6), y(7), y(8)
	t := GP32()
	constant := func(x uint32, v Op) {
		MOVL(U32(x), t)
		VMOVD(t, y(9).AsX())
		VPBROADCASTD(y(9).AsX(), v)
	}
	constant(8, eight)
	constant(infinity, inf)
	constant(0x7fffffff, all)
	VMOVDQU(numbers, first)

	Label("row")
	VMOVAPS(inf, best)
	VPXOR(at, at, at)
	VMOVDQA(first, k)
	i := GP64()
	XORQ(i, i)
	Label("ways")
	VMOVUPS(Mem{Base: scores, Index: i, Scale: 1}, s)
	VADDPS(Mem{Base: bias, Index: i, Scale: 1}, s, s)
	VCMPPS(Imm(1), best, s, smaller)
	VBLENDVPS(smaller, s, best, best)
	VBLENDVPS(smaller, k, at, at)
	VPADDD(eight, k, k)
	ADDQ(Imm(32), i)
	CMPQ(i, ways)
	JL(LabelRef("ways"))

	Comment("The smallest of the lanes, then the first value among lanes that have it.")
	VPERM2F128(Imm(1), best, best, s)
	VMINPS(s, best, s)
	VPERMILPS(Imm(0x4e), s, k)
	VMINPS(k, s, s)
	VPERMILPS(Imm(0xb1), s, k)
	VMINPS(k, s, s)
	VCMPPS(Imm(0), s, best, smaller)
	VBLENDVPS(smaller, at, all, s)
	VPERM2F128(Imm(1), s, s, k)
	VPMINSD(k, s, s)
	VPERMILPS(Imm(0x4e), s, k)
	VPMINSD(k, s, s)
	VPERMILPS(Imm(0xb1), s, k)
	VPMINSD(k, s, s)
	VMOVD(s.AsX(), Mem{Base: dst})
	ADDQ(Imm(4), dst)
	ADDQ(ld, scores)
	DECQ(rows)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}
