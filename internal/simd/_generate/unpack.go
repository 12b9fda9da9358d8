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
	unpackVBMI()
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

// unpackVBMI writes the kernel for digits of up to 8 bits on processors with
// AVX-512 VBMI: 64 digits at a time, in three instructions. One brings the w
// bytes of each 8 digits to a word of 64 bits, one takes 8 bits of that from
// each digit's first one on, one clears the bits of the next digit.
func unpackVBMI() {
	TEXT("unpackVBMI", NOSPLIT, "func(dst *uint16, n int, src *byte, w, size int, rows *int, count int)")
	Pragma("noescape")
	Doc(
		"unpackVBMI unpacks n > 0 digits of 1 to 8 bits of each of count > 0 rows, whose places it is given, from",
		"rows of size bytes. It reads only the bytes of the digits, of which there may be fewer than 8:",
		"",
		"\tfor i, r := range rows {",
		"\t\tfor j := range n {",
		"\t\t\tdst[i*n+j] = (src[r*size:] >> (j*w)) & (1<<w - 1)",
		"\t\t}",
		"\t}",
	)
	dst := Load(Param("dst"), GP64())
	first := Load(Param("src"), GP64())
	w := GP64()
	Load(Param("w"), w)
	size := Load(Param("size"), GP64())
	rows := Load(Param("rows"), GP64())
	end := Load(Param("count"), GP64())
	LEAQ(Mem{Base: rows, Index: end, Scale: 8}, end)
	n, src := GP64(), GP64()

	table, t, ones := GP64(), GP64(), GP64()
	LEAQ(vbmiTable(), table)
	MOVQ(w, t)
	SHLQ(Imm(7), t)
	ADDQ(t, table)
	bytes, firsts, low := ZMM(), ZMM(), ZMM()
	VMOVDQU64(Mem{Base: table}, bytes)
	VPBROADCASTQ(Mem{Base: table, Disp: 64}, firsts)
	VPBROADCASTQ(Mem{Base: table, Disp: 72}, low)
	MOVQ(I32(-1), ones)
	row, words, k := ZMM(), ZMM(), K()
	// spread loads t bytes and spreads the digits in them to bytes.
	spread := func() {
		BZHIQ(t, ones, t)
		KMOVQ(t, k)
		VMOVDQU8_Z(Mem{Base: src}, k, row)
		VPERMB(row, bytes, row)
		VPMULTISHIFTQB(row, firsts, row)
		VPANDD(low, row, row)
		VPMOVZXBW(row.AsY(), words)
	}

	Label("rows")
	MOVQ(Mem{Base: rows}, src)
	IMULQ(size, src)
	ADDQ(first, src)
	Load(Param("n"), n)
	CMPQ(n, Imm(64))
	JL(LabelRef("rest"))
	Label("loop")
	LEAQ(Mem{Base: w, Index: w, Scale: 1}, t)
	SHLQ(Imm(2), t)
	spread()
	VMOVDQU64(words, Mem{Base: dst})
	VEXTRACTI64X4(Imm(1), row, row.AsY())
	VPMOVZXBW(row.AsY(), words)
	VMOVDQU64(words, Mem{Base: dst, Disp: 64})
	LEAQ(Mem{Base: src, Index: w, Scale: 8}, src)
	ADDQ(U32(128), dst)
	SUBQ(Imm(64), n)
	CMPQ(n, Imm(64))
	JGE(LabelRef("loop"))

	Label("rest")
	MOVQ(n, t)
	IMULQ(w, t)
	ADDQ(Imm(7), t)
	SHRQ(Imm(3), t)
	JE(LabelRef("next"))
	spread()
	Comment("What follows reads digits soon: whole stores forward to loads, masked ones do not.")
	CMPQ(n, Imm(32))
	JL(LabelRef("part"))
	VMOVDQU64(words, Mem{Base: dst})
	VEXTRACTI64X4(Imm(1), row, row.AsY())
	VPMOVZXBW(row.AsY(), words)
	ADDQ(Imm(64), dst)
	SUBQ(Imm(32), n)
	JE(LabelRef("next"))
	Label("part")
	BZHIQ(n, ones, t)
	KMOVD(t.As32(), k)
	VMOVDQU16(words, k, Mem{Base: dst})
	LEAQ(Mem{Base: dst, Index: n, Scale: 2}, dst)
	Label("next")
	ADDQ(Imm(8), rows)
	CMPQ(rows, end)
	JNE(LabelRef("rows"))
	VZEROUPPER()
	RET()
}

// vbmiTable is, at 128·w for w = 1 to 8: the 64 bytes of 8 words that hold 8
// digits each, the 8 bits at which the digits of a word begin, and 8 bytes of w
// ones.
func vbmiTable() Mem {
	m := GLOBL("vbmiTable", RODATA|NOPTR)
	for w := range 9 {
		for word := range 8 {
			var bytes uint64
			for b := range 8 {
				bytes |= uint64((word*w+b)%64) << (8 * b)
			}
			DATA(128*w+8*word, U64(bytes))
		}
		var firsts uint64
		for digit := range 8 {
			firsts |= uint64(digit*w) << (8 * digit)
		}
		DATA(128*w+64, U64(firsts))
		DATA(128*w+72, U64(0x0101010101010101*(1<<w-1)))
		for pad := 80; pad < 128; pad += 8 {
			DATA(128*w+pad, U64(0))
		}
	}
	return m
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
