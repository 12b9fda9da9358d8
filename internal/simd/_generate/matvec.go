package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// matVec writes the products of a matrix and a vector: four rows at a time, so
// that x is loaded once for them, in two registers each, for the latency.
func matVec() {
	matVecKernel(isa512)
	matVecKernel(isa2)
}

func matVecKernel(isa isa) {
	TEXT("matVec"+isa.name, NOSPLIT, "func(dst, h, x *float32, rows, columns int)")
	Pragma("noescape")
	Doc("matVec"+isa.name+" is, for rows a positive multiple of 4, columns > 0, and in another order,",
		"",
		"\tfor r := range rows {",
		"\t\tdst[r] = 0",
		"\t\tfor c := range columns {",
		"\t\t\tdst[r] += h[r*columns+c] * x[c]",
		"\t\t}",
		"\t}",
	)
	dst := Load(Param("dst"), GP64())
	x := Load(Param("x"), GP64())
	rows := Load(Param("rows"), GP64())
	columns := Load(Param("columns"), GP64())
	h := [4]Register{GP64(), GP64(), GP64(), GP64()}
	Load(Param("h"), h[0])
	rowBytes := GP64()
	LEAQ(Mem{Base: columns, Index: columns, Scale: 1}, rowBytes)
	ADDQ(rowBytes, rowBytes)
	mask := isa.tailMask(columns)
	Comment("Whole vectors before the last one, which may be part of one.")
	whole := GP64()
	LEAQ(Mem{Base: columns, Disp: -1}, whole)
	SHRQ(Imm(isa.log2lanes), whole)

	acc := [2][]VecPhysical{isa.regs[:4], isa.regs[4:8]}
	v, w := isa.regs[8], isa.regs[9]
	at, left := GP64(), GP64()

	Label("rows")
	for r := 1; r < 4; r++ {
		MOVQ(h[r-1], h[r])
		ADDQ(rowBytes, h[r])
	}
	for _, a := range isa.regs[:8] {
		isa.zero(a)
	}
	XORL(at.As32(), at.As32())
	MOVQ(whole, left)
	SUBQ(Imm(2), left)
	JL(LabelRef("single"))
	step := func(half int) {
		disp := half * isa.bytes()
		VMOVUPS(Mem{Base: x, Index: at, Scale: 1, Disp: disp}, v)
		for r := range h {
			VFMADD231PS(Mem{Base: h[r], Index: at, Scale: 1, Disp: disp}, v, acc[half][r])
		}
	}
	Label("pair")
	step(0)
	step(1)
	ADDQ(U32(uint32(2*isa.bytes())), at)
	SUBQ(Imm(2), left)
	JGE(LabelRef("pair"))
	Label("single")
	ADDQ(Imm(1), left)
	JL(LabelRef("tail"))
	step(0)
	ADDQ(U32(uint32(isa.bytes())), at)
	Label("tail")
	isa.loadTail(Mem{Base: x, Index: at, Scale: 1}, v, mask)
	for r := range h {
		isa.loadTail(Mem{Base: h[r], Index: at, Scale: 1}, w, mask)
		VFMADD231PS(w, v, acc[1][r])
	}

	Comment("Reduce the four rows to four lanes.")
	for r := range h {
		VADDPS(acc[1][r], acc[0][r], acc[0][r])
	}
	if isa.lanes == 16 {
		for r := range h {
			VEXTRACTF64X4(Imm(1), acc[0][r], acc[1][r].AsY())
			VADDPS(acc[1][r].AsY(), acc[0][r].AsY(), acc[0][r].AsY())
		}
	}
	VHADDPS(Y1, Y0, Y0)
	VHADDPS(Y3, Y2, Y2)
	VHADDPS(Y2, Y0, Y0)
	VEXTRACTF128(Imm(1), Y0, X1)
	VADDPS(X1, X0, X0)
	VMOVUPS(X0, Mem{Base: dst})
	ADDQ(Imm(16), dst)
	MOVQ(h[3], h[0])
	ADDQ(rowBytes, h[0])
	SUBQ(Imm(4), rows)
	JNE(LabelRef("rows"))
	VZEROUPPER()
	RET()
}
