package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const sumsSignature = "func(dst *uint16, tables, codes *uint8, length, blocks int)"

func sumsDoc(name, ways string) {
	Pragma("noescape")
	Doc(name+" is, for digits below "+ways+", length > 0 and blocks > 0,",
		"",
		"\tfor b := range blocks {",
		"\t\tfor i := range 64 {",
		"\t\t\tdst[64*b+i] = 0",
		"\t\t\tfor j := 0; j < length; j += 2 {",
		"\t\t\t\tx := tables[64*j+codes[64*(b*length+j)+Place(i)]]",
		"\t\t\t\tif j+1 < length {",
		"\t\t\t\t\tx += tables[64*(j+1)+codes[64*(b*length+j+1)+Place(i)]]",
		"\t\t\t\t}",
		"\t\t\t\tdst[64*b+i] += uint16(x)",
		"\t\t\t}",
		"\t\t}",
		"\t}",
	)
}

// Words of 16 bits are added as they are, which adds odd bytes to the upper
// halves; they are also shifted down, to add the odd bytes alone. What the upper
// halves came to is subtracted at the end.

// sumsVBMI writes the kernel for 64 bytes at a time. It does four blocks at
// once, so that a table is loaded once for all, then one by one.
func sumsVBMI() {
	TEXT("sumsVBMI", NOSPLIT, sumsSignature)
	sumsDoc("sumsVBMI", "64")
	dst, tables, codes := load("dst"), load("tables"), load("codes")
	length, blocks := load("length"), load("blocks")
	stride := GP64() // bytes of a block
	MOVQ(length, stride)
	SHLQ(Imm(6), stride)
	stride3 := GP64()
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, stride3)

	for _, group := range []int{4, 1} {
		name := fmt.Sprint(group)
		words := []VecPhysical{Z0, Z1, Z2, Z3}[:group]
		odds := []VecPhysical{Z4, Z5, Z6, Z7}[:group]
		first := []VecPhysical{Z8, Z9, Z10, Z11}[:group]
		second := []VecPhysical{Z12, Z13, Z14, Z15}[:group]
		table, code, left := GP64(), GP64(), GP64()
		at := func(b, disp int) Mem {
			return []Mem{
				{Base: code, Disp: disp},
				{Base: code, Index: stride, Scale: 1, Disp: disp},
				{Base: code, Index: stride, Scale: 2, Disp: disp},
				{Base: code, Index: stride3, Scale: 1, Disp: disp},
			}[b]
		}
		// pick looks a digit of all blocks up.
		pick := func(dst []VecPhysical, disp int) {
			VMOVDQU64(Mem{Base: table, Disp: disp}, Z16)
			for b := range dst {
				VMOVDQU64(at(b, disp), dst[b])
				VPERMB(Z16, dst[b], dst[b])
			}
		}
		add := func() {
			for b := range words {
				VPADDW(first[b], words[b], words[b])
				VPSRLW(Imm(8), first[b], first[b])
				VPADDW(first[b], odds[b], odds[b])
			}
		}

		Label("blocks" + name)
		SUBQ(Imm(uint64(group)), blocks)
		JL(LabelRef("end" + name))
		for b := range words {
			VPXORD(words[b], words[b], words[b])
			VPXORD(odds[b], odds[b], odds[b])
		}
		MOVQ(tables, table)
		MOVQ(codes, code)
		MOVQ(length, left)
		SUBQ(Imm(2), left)
		JL(LabelRef("last" + name))
		Label("pair" + name)
		pick(first, 0)
		pick(second, 64)
		for b := range words {
			VPADDB(second[b], first[b], first[b])
		}
		add()
		ADDQ(U32(128), table)
		ADDQ(U32(128), code)
		SUBQ(Imm(2), left)
		JGE(LabelRef("pair" + name))
		Label("last" + name)
		INCQ(left)
		JL(LabelRef("store" + name))
		pick(first, 0)
		add()
		Label("store" + name)
		for b := range words {
			VPSLLW(Imm(8), odds[b], first[b])
			VPSUBW(first[b], words[b], words[b])
			VMOVDQU64(words[b], Mem{Base: dst, Disp: 128 * b})
			VMOVDQU64(odds[b], Mem{Base: dst, Disp: 128*b + 64})
		}
		ADDQ(U32(uint32(128*group)), dst)
		if group == 4 {
			LEAQ(Mem{Base: codes, Index: stride, Scale: 4}, codes)
		} else {
			ADDQ(stride, codes)
		}
		JMP(LabelRef("blocks" + name))
		Label("end" + name)
		ADDQ(Imm(uint64(group)), blocks)
	}
	VZEROUPPER()
	RET()
}

// sumsAVX2 writes the kernel for 32 bytes at a time and tables of so many
// registers of 16 bytes: a shuffle of each, chosen from by bits 4 and 5 of the
// digits. A block is done in two halves at once.
func sumsAVX2(registers int) {
	name := fmt.Sprintf("sums%dAVX2", 16*registers)
	TEXT(name, NOSPLIT, sumsSignature)
	sumsDoc(name, fmt.Sprint(16*registers))
	dst, tables, code := load("dst"), load("tables"), load("codes")
	length, blocks := load("length"), load("blocks")
	table, left := GP64(), GP64()
	words, odds := []VecPhysical{Y0, Y1}, []VecPhysical{Y2, Y3}
	first, second := []VecPhysical{Y4, Y5}, []VecPhysical{Y6, Y7}
	parts := []VecPhysical{Y8, Y9, Y10, Y11}[:registers]
	digits, other, bit := Y12, Y13, Y14

	// raise brings bit n of the digits to the top of their bytes; choose takes b
	// instead of a where it is set.
	raise := func(n int) { VPSLLW(Imm(uint64(7-n)), digits, bit) }
	choose := func(b, a VecPhysical) { VPBLENDVB(bit, b, a, a) }
	pick := func(dst []VecPhysical, disp int) {
		for r := range parts {
			VBROADCASTI128(Mem{Base: table, Disp: disp + 16*r}, parts[r])
		}
		for half := range dst {
			VMOVDQU(Mem{Base: code, Disp: disp + 32*half}, digits)
			VPSHUFB(digits, parts[0], dst[half])
			if registers > 1 {
				raise(4)
				VPSHUFB(digits, parts[1], other)
				choose(other, dst[half])
			}
			if registers > 2 {
				VPSHUFB(digits, parts[2], other)
				VPSHUFB(digits, parts[3], Y15)
				choose(Y15, other)
				raise(5)
				choose(other, dst[half])
			}
		}
	}
	add := func() {
		for half := range words {
			VPADDW(first[half], words[half], words[half])
			VPSRLW(Imm(8), first[half], first[half])
			VPADDW(first[half], odds[half], odds[half])
		}
	}

	Label("blocks")
	for half := range words {
		VPXOR(words[half], words[half], words[half])
		VPXOR(odds[half], odds[half], odds[half])
	}
	MOVQ(tables, table)
	MOVQ(length, left)
	SUBQ(Imm(2), left)
	JL(LabelRef("last"))
	Label("pair")
	pick(first, 0)
	pick(second, 64)
	for half := range words {
		VPADDB(second[half], first[half], first[half])
	}
	add()
	ADDQ(U32(128), table)
	ADDQ(U32(128), code)
	SUBQ(Imm(2), left)
	JGE(LabelRef("pair"))
	Label("last")
	INCQ(left)
	JL(LabelRef("store"))
	pick(first, 0)
	add()
	ADDQ(Imm(64), code)
	Label("store")
	for half := range words {
		VPSLLW(Imm(8), odds[half], first[half])
		VPSUBW(first[half], words[half], words[half])
		VMOVDQU(words[half], Mem{Base: dst, Disp: 32 * half})
		VMOVDQU(odds[half], Mem{Base: dst, Disp: 64 + 32*half})
	}
	ADDQ(U32(128), dst)
	DECQ(blocks)
	JNE(LabelRef("blocks"))
	VZEROUPPER()
	RET()
}
