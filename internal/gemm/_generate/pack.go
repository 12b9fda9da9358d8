package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// packAcross copies rows, of which each piece goes to another place. It goes
// along a row before the next, as the row lies in memory.
func packAcross(s isa) {
	name := "packAcross" + s.name
	TEXT(name, NOSPLIT, "func(dst *float32, step, next int, src *float32, along, piece, pieces, rest, depth int)")
	Pragma("noescape")
	Doc(name+fmt.Sprintf(" is, for depth > 0, 0 < piece ≤ %d and rest < piece,", 2*s.lanes),
		"",
		"\tfor t := range depth {",
		"\t\tfor i := range pieces*piece + rest {",
		"\t\t\tdst[i/piece*next+t*step+i%piece] = src[t*along+i]",
		"\t\t}",
		"\t}",
		"",
		fmt.Sprintf("After the floats of a piece it writes zeros: up to %d floats, or to %d where a piece is longer.", s.lanes, 2*s.lanes),
	)
	maskTable = "packMasks"
	piece := load("piece")
	CMPQ(piece, U8(s.lanes))
	JG(LabelRef("two"))
	s.copyPieces("one", piece, 1)
	Label("two")
	s.copyPieces("two", piece, 2)
}

// copyPieces copies pieces of so many vectors, and returns.
func (s isa) copyPieces(name string, piece GPVirtual, vectors int) {
	dst, step, next, src, along := load("dst"), loadBytes("step"), loadBytes("next"), load("src"), loadBytes("along")
	rest, depth := load("rest"), load("depth")
	whole, part := make([]Op, vectors), make([]Op, vectors)
	for v := range vectors {
		n := GP64()
		LEAQ(Mem{Base: piece, Disp: -v * s.lanes}, n)
		whole[v] = s.mask(n, s.regs[12+v])
		LEAQ(Mem{Base: rest, Disp: -v * s.lanes}, n)
		part[v] = s.mask(n, s.regs[14+v])
	}
	bytes := GP64()
	MOVQ(piece, bytes)
	SHLQ(U8(2), bytes)
	to, from, left := GP64(), GP64(), GP64()
	copy := func(masks []Op) {
		for v, mask := range masks {
			s.loadMasked(Mem{Base: from, Disp: v * s.bytes()}, mask, s.regs[v])
			VMOVUPS(s.regs[v], Mem{Base: to, Disp: v * s.bytes()})
		}
	}

	Label(name + "Row")
	MOVQ(dst, to)
	MOVQ(src, from)
	Load(Param("pieces"), left)
	TESTQ(left, left)
	JZ(LabelRef(name + "Rest"))
	Label(name + "Piece")
	copy(whole)
	ADDQ(bytes, from)
	ADDQ(next, to)
	DECQ(left)
	JNZ(LabelRef(name + "Piece"))
	Label(name + "Rest")
	TESTQ(rest, rest)
	JZ(LabelRef(name + "Next"))
	copy(part)
	Label(name + "Next")
	ADDQ(along, src)
	ADDQ(step, dst)
	DECQ(depth)
	JNZ(LabelRef(name + "Row"))
	VZEROUPPER()
	RET()
}

// packAlong transposes vectors that lie along the depth, four steps at a time:
// it gathers rows j, j+4, j+8… into the quarters of register j, whose
// 4×4 blocks it then transposes.
func packAlong(s isa) {
	name := "packAlong" + s.name
	TEXT(name, NOSPLIT, "func(dst *float32, step int, src *float32, across, width, depth int)")
	Pragma("noescape")
	Doc(name+fmt.Sprintf(" is, for depth ≥ 4 and 0 < width ≤ %d,", s.lanes),
		"",
		"\tfor t := range depth {",
		fmt.Sprintf("\t\tfor i := range %d {", s.lanes),
		"\t\t\tdst[t*step+i] = src[min(i, width-1)*across+t]",
		"\t\t}",
		"\t}",
	)
	dst, step, src, across := load("dst"), loadBytes("step"), load("src"), loadBytes("across")
	width, depth := load("width"), load("depth")
	CMPQ(width, U8(s.lanes))
	JL(LabelRef("few"))

	across3 := GP64()
	LEAQ(Mem{Base: across, Index: across, Scale: 2}, across3)
	fours := []GPVirtual{src}
	for range s.lanes/4 - 1 {
		p := GP64()
		LEAQ(Mem{Base: fours[len(fours)-1], Index: across, Scale: 4}, p)
		fours = append(fours, p)
	}
	s.transpose("all", dst, step, depth, func(i int) Mem {
		switch m := (Mem{Base: fours[i/4]}); i % 4 {
		case 1:
			return Mem{Base: m.Base, Index: across, Scale: 1}
		case 2:
			return Mem{Base: m.Base, Index: across, Scale: 2}
		case 3:
			return Mem{Base: m.Base, Index: across3, Scale: 1}
		default:
			return m
		}
	}, func(bytes GPVirtual) {
		for _, p := range fours {
			ADDQ(bytes, p)
		}
	})

	Label("few")
	Comment("The places of the rows; those past the last are it again.")
	places := AllocLocal(8 * s.lanes)
	for i := range s.lanes {
		MOVQ(src, places.Offset(8*i))
		if i+1 < s.lanes {
			next := GP64()
			LEAQ(Mem{Base: src, Index: across, Scale: 1}, next)
			CMPQ(width, U8(i+1))
			CMOVQGT(next, src)
		}
	}
	at := GP64()
	XORQ(at, at)
	s.transpose("some", dst, step, depth, func(i int) Mem {
		p := GP64()
		MOVQ(places.Offset(8*i), p)
		return Mem{Base: p, Index: at, Scale: 1}
	}, func(bytes GPVirtual) { ADDQ(bytes, at) })
}

// transpose goes through the depth, of which the last four steps may overlap
// those before, and returns.
func (s isa) transpose(name string, dst, step, depth GPVirtual, row func(i int) Mem, advance func(bytes GPVirtual)) {
	steps, four, step3 := GP64(), GP64(), GP64()
	MOVQ(U32(4), four)
	LEAQ(Mem{Base: step, Index: step, Scale: 2}, step3)
	Label(name)
	r := s.regs
	for j := range 4 {
		VMOVUPS(row(j), r[j].AsX())
		for quarter := 1; quarter < s.lanes/4; quarter++ {
			if s.lanes == 16 {
				VINSERTF32X4(U8(quarter), row(4*quarter+j), r[j], r[j])
			} else {
				VINSERTF128(U8(quarter), row(4*quarter+j), r[j], r[j])
			}
		}
	}
	VUNPCKLPS(r[1], r[0], r[4])
	VUNPCKHPS(r[1], r[0], r[5])
	VUNPCKLPS(r[3], r[2], r[6])
	VUNPCKHPS(r[3], r[2], r[7])
	VUNPCKLPD(r[6], r[4], r[0])
	VUNPCKHPD(r[6], r[4], r[1])
	VUNPCKLPD(r[7], r[5], r[2])
	VUNPCKHPD(r[7], r[5], r[3])
	VMOVUPS(r[0], Mem{Base: dst})
	VMOVUPS(r[1], Mem{Base: dst, Index: step, Scale: 1})
	VMOVUPS(r[2], Mem{Base: dst, Index: step, Scale: 2})
	VMOVUPS(r[3], Mem{Base: dst, Index: step3, Scale: 1})
	Comment("Four further, or as many as are left.")
	SUBQ(U8(4), depth)
	JZ(LabelRef(name + "Done"))
	MOVQ(four, steps)
	CMPQ(depth, steps)
	CMOVQLT(depth, steps)
	CMOVQLT(four, depth)
	bytes := GP64()
	MOVQ(steps, bytes)
	IMULQ(step, bytes)
	ADDQ(bytes, dst)
	MOVQ(steps, bytes)
	SHLQ(U8(2), bytes)
	advance(bytes)
	JMP(LabelRef(name))
	Label(name + "Done")
	VZEROUPPER()
	RET()
}
