package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// scan writes the scans of codes against tables. A lane is a row, so that each
// row's sum is in the order of its digits. Codes of 16 digits of 16 rows are
// transposed in registers: to words that hold four digits of one row each, 16
// rows to a register. A digit is shifted to the low end of its word and picks
// from its table: by permutation where the table fits one, two or four
// registers, since a gather is 16 loads.
func scan() {
	scanKernel("scan16AVX512", 1)
	scanKernel("scan32AVX512", 2)
	scanKernel("scan64AVX512", 4)
	scanKernel("scan256AVX512", 0)
	scanAVX2()
}

// scanner has the registers of a kernel. Sums of two groups of 16 rows go on at
// a time, for the latency of additions.
type scanner struct {
	registers int // of a table; 0 means gather

	ways, tables, table, codes, code, length, length3, left GPVirtual

	sums        [2]VecPhysical
	words       [2][4]VecPhysical
	pick, pick2 [2]VecPhysical
	table16     [4]VecPhysical // a table, by 16 floats
	highest     VecPhysical    // ways-1 in each byte
	low8        VecPhysical    // 255 in each word

	lanes   [4]OpmaskVirtual // lanes[l]: the words of 128-bit lane l, l > 0
	rest    OpmaskVirtual    // bytes of the digits of the last part of a row
	inTable [4]OpmaskVirtual // of a register that a table may not fill, the floats that are in it
	bad     OpmaskVirtual
}

func scanKernel(name string, registers int) {
	TEXT(name, NOSPLIT, "func(dst, tables *float32, ways int, codes *uint8, length, rows int) int")
	Pragma("noescape")
	bound := map[int]string{1: "1 to 16", 2: "17 to 32", 4: "33 to 64", 0: "1 to 256"}[registers]
	Doc(name+" is, for ways "+bound+", length > 0 and rows a positive multiple of 32",
		"(but where it returns i, for the block of 32 rows that i is in: its first row):",
		"",
		"\tfor i := range rows {",
		"\t\tdst[i] = 0",
		"\t\tfor j := range length {",
		"\t\t\tc := codes[i*length+j]",
		"\t\t\tif c >= ways {",
		"\t\t\t\treturn i",
		"\t\t\t}",
		"\t\t\tdst[i] += tables[j*ways+c]",
		"\t\t}",
		"\t}",
		"\treturn -1",
	)
	s := &scanner{
		registers: registers,
		ways:      GP64(), tables: GP64(), table: GP64(), codes: GP64(), code: GP64(),
		length: GP64(), length3: GP64(), left: GP64(),
		sums:    [2]VecPhysical{Z0, Z1},
		words:   [2][4]VecPhysical{{Z2, Z3, Z4, Z5}, {Z6, Z7, Z8, Z9}},
		pick:    [2]VecPhysical{Z10, Z11},
		pick2:   [2]VecPhysical{Z12, Z13},
		table16: [4]VecPhysical{Z16, Z17, Z18, Z19},
		highest: Z20,
		low8:    Z21,
		rest:    K(), bad: K(),
	}
	Load(Param("tables"), s.tables)
	Load(Param("ways"), s.ways)
	Load(Param("codes"), s.codes)
	Load(Param("length"), s.length)
	dst := Load(Param("dst"), GP64())
	end := Load(Param("rows"), GP64())
	LEAQ(Mem{Base: dst, Index: end, Scale: 4}, end)
	LEAQ(Mem{Base: s.length, Index: s.length, Scale: 2}, s.length3)

	t := GP64()
	LEAQ(Mem{Base: s.ways, Disp: -1}, t)
	VPBROADCASTB(t.As32(), s.highest)
	for l := 1; l < 4; l++ {
		s.lanes[l] = K()
		MOVL(U32(0xf<<(4*l)), t.As32())
		KMOVW(t.As32(), s.lanes[l])
	}
	Comment("The last digits of a row, fewer than 16.")
	ones := GP64()
	MOVQ(I32(-1), ones)
	MOVQ(s.length, t)
	ANDQ(Imm(15), t)
	BZHIQ(t, ones, t)
	KMOVW(t.As32(), s.rest)
	if registers == 0 {
		MOVL(U32(0xff), t.As32())
		VPBROADCASTD(t.As32(), s.low8)
	} else {
		Comment("The floats of a table in the registers that it may not fill.")
		BZHIQ(s.ways, ones, t)
		if filled := registers / 2; filled > 0 {
			SHRQ(Imm(uint64(16*filled)), t)
		}
		for r := registers / 2; r < registers; r++ {
			s.inTable[r] = K()
			KMOVW(t.As32(), s.inTable[r])
			if r+1 < registers {
				SHRQ(Imm(16), t)
			}
		}
	}
	SHLQ(Imm(2), s.ways)

	limit := GP64()
	if registers > 0 {
		Comment("The last table from which on 16 tables can be loaded by whole registers.")
		MOVQ(s.length, limit)
		SUBQ(Imm(15), limit)
		IMULQ(s.ways, limit)
		ADDQ(s.tables, limit)
		SUBQ(U32(uint32(64*registers)), limit)
	}

	Label("block")
	isa512.zero(s.sums[0])
	isa512.zero(s.sums[1])
	MOVQ(s.tables, s.table)
	MOVQ(s.codes, s.code)
	MOVQ(s.length, s.left)

	Label("part")
	row := GP64()
	MOVQ(s.code, row)
	CMPQ(s.left, Imm(16))
	JL(LabelRef("short"))
	s.load(row, false)
	Label("loaded")
	s.check()
	CMPQ(s.left, Imm(16))
	JL(LabelRef("careful"))
	if registers > 0 {
		CMPQ(s.table, limit)
		JG(LabelRef("careful"))
	}
	for digit := range 16 {
		s.add(digit, false)
	}
	ADDQ(Imm(16), s.code)
	SUBQ(Imm(16), s.left)
	JNE(LabelRef("part"))

	Label("store")
	VMOVUPS(s.sums[0], Mem{Base: dst})
	VMOVUPS(s.sums[1], Mem{Base: dst, Disp: 64})
	ADDQ(U32(128), dst)
	MOVQ(s.length, t)
	SHLQ(Imm(5), t)
	ADDQ(t, s.codes)
	CMPQ(dst, end)
	JNE(LabelRef("block"))
	MOVQ(I32(-1), t)
	Store(t, ReturnIndex(0))
	VZEROUPPER()
	RET()

	Label("short")
	s.load(row, true)
	JMP(LabelRef("loaded"))

	Comment("Digits of a last part that is short, or whose tables have to be loaded by parts.")
	Label("careful")
	for digit := range 16 {
		s.add(digit, true)
		DECQ(s.left)
		JE(LabelRef("store"))
	}
	ADDQ(Imm(16), s.code)
	JMP(LabelRef("part"))

	Label("bad")
	start := Load(Param("dst"), GP64())
	SUBQ(start, dst)
	SHRQ(Imm(2), dst)
	Store(dst, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// load transposes 16 digits of 32 rows to words, or, where it is short, those
// that are left of each. It moves row past them.
func (s *scanner) load(row GPVirtual, short bool) {
	part := X30
	for g := range 2 {
		four := [4]VecPhysical{Z22, Z23, Z24, Z25}
		for lane := range 4 {
			at := []Mem{
				{Base: row},
				{Base: row, Index: s.length, Scale: 1},
				{Base: row, Index: s.length, Scale: 2},
				{Base: row, Index: s.length3, Scale: 1},
			}
			for i, m := range at {
				switch {
				case short && lane == 0:
					VMOVDQU8_Z(m, s.rest, four[i].AsX())
				case short:
					VMOVDQU8_Z(m, s.rest, part)
					VINSERTI32X4(Imm(uint64(lane)), part, four[i], four[i])
				case lane == 0:
					VMOVDQU32(m, four[i].AsX())
				default:
					VBROADCASTI32X4(m, s.lanes[lane], four[i])
				}
			}
			LEAQ(Mem{Base: row, Index: s.length, Scale: 4}, row)
		}
		VPUNPCKLDQ(four[1], four[0], Z26)
		VPUNPCKHDQ(four[1], four[0], Z27)
		VPUNPCKLDQ(four[3], four[2], Z28)
		VPUNPCKHDQ(four[3], four[2], Z29)
		VPUNPCKLQDQ(Z28, Z26, s.words[g][0])
		VPUNPCKHQDQ(Z28, Z26, s.words[g][1])
		VPUNPCKLQDQ(Z29, Z27, s.words[g][2])
		VPUNPCKHQDQ(Z29, Z27, s.words[g][3])
	}
}

// check jumps to bad where one of the digits loaded is not below ways.
func (s *scanner) check() {
	w := s.words
	VPMAXUB(w[0][0], w[0][1], Z26)
	VPMAXUB(w[0][2], w[0][3], Z27)
	VPMAXUB(w[1][0], w[1][1], Z28)
	VPMAXUB(w[1][2], w[1][3], Z29)
	VPMAXUB(Z26, Z27, Z26)
	VPMAXUB(Z28, Z29, Z28)
	VPMAXUB(Z26, Z28, Z26)
	const greater = 6
	VPCMPUB(Imm(greater), s.highest, Z26, s.bad)
	KORTESTQ(s.bad, s.bad)
	JNE(LabelRef("bad"))
}

// add adds what the digit picks from its table, and goes on to the next table.
// Where it is careful it loads nothing past the table.
func (s *scanner) add(digit int, careful bool) {
	Comment(fmt.Sprintf("Digit %d.", digit))
	at := func(register int) Mem { return Mem{Base: s.table, Disp: 64 * register} }
	for r := range s.registers {
		if careful && s.inTable[r] != nil {
			VMOVUPS_Z(at(r), s.inTable[r], s.table16[r])
		} else {
			VMOVUPS(at(r), s.table16[r])
		}
	}
	for g := range 2 {
		word, shift := s.words[g][digit/4], uint64(digit%4*8)
		pick := s.pick[g]
		if shift == 0 {
			VMOVDQA32(word, pick)
		} else {
			VPSRLD(Imm(shift), word, pick)
		}
		switch s.registers {
		case 1:
			VPERMPS(s.table16[0], pick, pick)
		case 2:
			VPERMI2PS(s.table16[1], s.table16[0], pick)
		case 4:
			VMOVDQA32(pick, s.pick2[g])
			// Bit 5 goes to the sign, where a mask is made of it.
			VPSLLD(Imm(26), pick, Z30)
			VPMOVD2M(Z30, s.bad)
			VPERMI2PS(s.table16[1], s.table16[0], pick)
			VPERMI2PS(s.table16[3], s.table16[2], s.pick2[g])
			VMOVAPS(s.pick2[g], s.bad, pick)
		case 0:
			if shift < 24 {
				VPANDD(s.low8, pick, pick)
			}
			KXNORW(s.bad, s.bad, s.bad)
			isa512.zero(s.pick2[g])
			VGATHERDPS(Mem{Base: s.table, Index: pick, Scale: 4}, s.bad, s.pick2[g])
			pick = s.pick2[g]
		}
		VADDPS(pick, s.sums[g], s.sums[g])
	}
	ADDQ(s.ways, s.table)
}
