package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// scanAVX2 writes the scan for AVX2, which has no permutation of a table and
// has to gather. As in AVX-512 a lane is a row and a word holds four digits of
// it; two groups of 8 rows go on at a time.
func scanAVX2() {
	TEXT("scanAVX2", NOSPLIT, "func(dst, tables *float32, ways int, codes *uint8, length, rows int) int")
	Pragma("noescape")
	Doc("scanAVX2 is scan256AVX512 for length ≥ 4 and blocks of 16 rows.")
	tables := Load(Param("tables"), GP64())
	ways := Load(Param("ways"), GP64())
	codes := Load(Param("codes"), GP64())
	length := Load(Param("length"), GP64())
	dst := Load(Param("dst"), GP64())
	end := Load(Param("rows"), GP64())
	LEAQ(Mem{Base: dst, Index: end, Scale: 4}, end)
	length3, table, code, left, row, t := GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	LEAQ(Mem{Base: length, Index: length, Scale: 2}, length3)

	sums := [2]VecPhysical{Y0, Y1}
	words := [2]VecPhysical{Y2, Y3}
	pick := [2]VecPhysical{Y4, Y5}
	picked := [2]VecPhysical{Y6, Y7}
	all := [2]VecPhysical{Y8, Y9}
	highest, low8, shift := Y10, Y11, X12
	LEAQ(Mem{Base: ways, Disp: -1}, t)
	VMOVD(t.As32(), highest.AsX())
	VPBROADCASTB(highest.AsX(), highest)
	VPCMPEQD(low8, low8, low8)
	VPSRLD(Imm(24), low8, low8)
	SHLQ(Imm(2), ways)

	Label("block")
	isa2.zero(sums[0])
	isa2.zero(sums[1])
	MOVQ(tables, table)
	MOVQ(codes, code)
	MOVQ(length, left)
	VPXOR(shift, shift, shift)

	Label("part")
	MOVQ(code, row)
	for g := range words {
		for half, x := range []Register{words[g].AsX(), X13} {
			VMOVD(Mem{Base: row}, x)
			VPINSRD(Imm(1), Mem{Base: row, Index: length, Scale: 1}, x, x)
			VPINSRD(Imm(2), Mem{Base: row, Index: length, Scale: 2}, x, x)
			VPINSRD(Imm(3), Mem{Base: row, Index: length3, Scale: 1}, x, x)
			if g < 1 || half < 1 {
				LEAQ(Mem{Base: row, Index: length, Scale: 4}, row)
			}
		}
		VINSERTI128(Imm(1), X13, words[g], words[g])
		VPSRLD(shift, words[g], words[g])
	}
	VPMAXUB(words[0], words[1], Y13)
	VPMAXUB(highest, Y13, Y13)
	VPCMPEQB(highest, Y13, Y13)
	VPMOVMSKB(Y13, t.As32())
	CMPL(t.As32(), I8(-1))
	JNE(LabelRef("bad"))
	for digit := range 4 {
		for g := range words {
			if digit == 3 {
				VPSRLD(Imm(24), words[g], pick[g])
			} else {
				from := words[g]
				if digit > 0 {
					VPSRLD(Imm(uint64(8*digit)), words[g], pick[g])
					from = pick[g]
				}
				VPAND(low8, from, pick[g])
			}
			VPCMPEQD(all[g], all[g], all[g])
			isa2.zero(picked[g])
			VGATHERDPS(all[g], Mem{Base: table, Index: pick[g], Scale: 4}, picked[g])
			VADDPS(picked[g], sums[g], sums[g])
		}
		ADDQ(ways, table)
		DECQ(left)
		JE(LabelRef("store"))
	}
	ADDQ(Imm(4), code)
	CMPQ(left, Imm(4))
	JGE(LabelRef("part"))
	Comment("Fewer than four digits are left: load the last four of the row, and shift out those done.")
	MOVQ(left, t)
	SUBQ(Imm(4), t)
	ADDQ(t, code)
	NEGQ(t)
	SHLQ(Imm(3), t)
	VMOVQ(t, shift)
	JMP(LabelRef("part"))

	Label("store")
	VMOVUPS(sums[0], Mem{Base: dst})
	VMOVUPS(sums[1], Mem{Base: dst, Disp: 32})
	ADDQ(Imm(64), dst)
	MOVQ(length, t)
	SHLQ(Imm(4), t)
	ADDQ(t, codes)
	CMPQ(dst, end)
	JNE(LabelRef("block"))
	MOVQ(I32(-1), t)
	Store(t, ReturnIndex(0))
	VZEROUPPER()
	RET()

	Label("bad")
	start := Load(Param("dst"), GP64())
	SUBQ(start, dst)
	SHRQ(Imm(2), dst)
	Store(dst, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
