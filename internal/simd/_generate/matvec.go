package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// matVec writes the products of a matrix with a vector, and with three where
// there are registers for them. Four rows are done at a time, so that x is loaded
// once for them, in two registers for each vector, for the latency.
func matVec() {
	matVecKernel(isa512, 1)
	matVecKernel(isa512, 3)
	matVecKernel(isa2, 1)
}

// rowsTogether is how many rows are done at a time.
const rowsTogether = 4

func matVecKernel(isa isa, vectors int) {
	dst := matVecHead(isa, vectors)
	x := make([]Register, vectors)
	for i := range x {
		x[i] = GP64()
	}
	Load(Param("x"), x[0])
	rows := Load(Param("rows"), GP64())
	columns := Load(Param("columns"), GP64())
	var stride Register
	if vectors > 1 {
		stride = Load(Param("stride"), GP64())
		SHLQ(Imm(2), stride)
	}
	h := [rowsTogether]Register{GP64(), GP64(), GP64(), GP64()}
	Load(Param("h"), h[0])
	rowBytes := GP64()
	LEAQ(Mem{Base: columns, Index: columns, Scale: 1}, rowBytes)
	ADDQ(rowBytes, rowBytes)
	for i := 1; i < vectors; i++ {
		LEAQ(Mem{Base: x[i-1], Index: rowBytes, Scale: 1}, x[i])
	}
	mask := isa.tailMask(columns)
	Comment("Whole vectors before the last one, which may be part of one.")
	whole := columns
	DECQ(whole)
	SHRQ(Imm(isa.log2lanes), whole)

	sums := rowsTogether * vectors
	acc := [2][]VecPhysical{isa.regs[:sums], isa.regs[sums : 2*sums]}
	v, w := isa.regs[2*sums:2*sums+vectors], isa.regs[2*sums+vectors]
	at, left := GP64(), GP64()

	Label("rows")
	for r := 1; r < len(h); r++ {
		MOVQ(h[r-1], h[r])
		ADDQ(rowBytes, h[r])
	}
	for _, a := range isa.regs[:2*sums] {
		isa.zero(a)
	}
	XORL(at.As32(), at.As32())
	MOVQ(whole, left)
	SUBQ(Imm(2), left)
	JL(LabelRef("single"))
	step := func(half int) {
		disp := half * isa.bytes()
		for i := range x {
			VMOVUPS(Mem{Base: x[i], Index: at, Scale: 1, Disp: disp}, v[i])
		}
		for r := range h {
			row := Op(Mem{Base: h[r], Index: at, Scale: 1, Disp: disp})
			if vectors > 1 {
				VMOVUPS(row, w)
				row = w
			}
			for i := range x {
				VFMADD231PS(row, v[i], acc[half][i*len(h)+r])
			}
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
	for i := range x {
		isa.loadTail(Mem{Base: x[i], Index: at, Scale: 1}, v[i], mask)
	}
	for r := range h {
		isa.loadTail(Mem{Base: h[r], Index: at, Scale: 1}, w, mask)
		for i := range x {
			VFMADD231PS(w, v[i], acc[1][i*len(h)+r])
		}
	}

	Comment("Reduce the four rows to four lanes, of each vector.")
	for i := range acc[0] {
		VADDPS(acc[1][i], acc[0][i], acc[0][i])
	}
	if isa.lanes == 16 {
		for i := range acc[0] {
			VEXTRACTF64X4(Imm(1), acc[0][i], acc[1][i].AsY())
			VADDPS(acc[1][i].AsY(), acc[0][i].AsY(), acc[0][i].AsY())
		}
	}
	if vectors > 1 {
		MOVQ(dst, at)
	}
	for i := range x {
		a := acc[0][i*len(h):][:len(h)]
		VHADDPS(a[1].AsY(), a[0].AsY(), a[0].AsY())
		VHADDPS(a[3].AsY(), a[2].AsY(), a[2].AsY())
		VHADDPS(a[2].AsY(), a[0].AsY(), a[0].AsY())
		VEXTRACTF128(Imm(1), a[0].AsY(), a[1].AsX())
		VADDPS(a[1].AsX(), a[0].AsX(), a[0].AsX())
		if vectors == 1 {
			VMOVUPS(a[0].AsX(), Mem{Base: dst})
			break
		}
		VMOVUPS(a[0].AsX(), Mem{Base: at})
		ADDQ(stride, at)
	}
	ADDQ(Imm(16), dst)
	MOVQ(h[3], h[0])
	ADDQ(rowBytes, h[0])
	SUBQ(Imm(4), rows)
	JNE(LabelRef("rows"))
	VZEROUPPER()
	RET()
}

// matVecHead begins a kernel, and returns dst.
func matVecHead(isa isa, vectors int) Register {
	loop := []string{
		"",
		"\tfor r := range rows {",
		"\t\tdst[r] = 0",
		"\t\tfor c := range columns {",
		"\t\t\tdst[r] += h[r*columns+c] * x[c]",
		"\t\t}",
		"\t}",
	}
	if vectors == 1 {
		name := "matVec" + isa.name
		TEXT(name, NOSPLIT, "func(dst, h, x *float32, rows, columns int)")
		Pragma("noescape")
		Doc(append([]string{name + " is, for rows a positive multiple of 4, columns > 0, and in another order,"}, loop...)...)
	} else {
		name := "matVecThree" + isa.name
		TEXT(name, NOSPLIT, "func(dst, h, x *float32, rows, columns, stride int)")
		Pragma("noescape")
		Doc(name+" is matVec"+isa.name+" of three vectors, one after the other in x, to the same bits.",
			"Results are stride floats apart.")
	}
	return Load(Param("dst"), GP64())
}
