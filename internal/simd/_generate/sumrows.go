package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const sumRowsSignature = "func(dst *float32, n int, w *float32, stride, step, ways int, digits *uint16, length, codes int) int"

// sumRows writes the two SumRows kernels. Each holds a block of columns in
// registers and goes through the rows once, so that every number of registers
// needs its own loop: a tree of compares picks it. They do one code after the
// other without a return between: the rows of the next are then on their way
// while those of the last are added.
func sumRows() {
	sumRowsKernel(isa512, 24)
	sumRowsKernel(isa2, 14)
}

func sumRowsKernel(isa isa, widest int) {
	TEXT("sumRows"+isa.name, NOSPLIT, sumRowsSignature)
	Pragma("noescape")
	Doc(
		fmt.Sprintf("sumRows%s is, for 1 to %d floats of dst, at least one code of at least one digit, and", isa.name, widest*isa.lanes),
		"step = K·stride (or 0 where all digits share one set of rows):",
		"",
		"\tfor code := range codes {",
		"\t\tfor i := range n {",
		"\t\t\tdst[code*n+i] = 0",
		"\t\t\tfor j := range length {",
		"\t\t\t\tc := int(digits[code*length+j])",
		"\t\t\t\tif c >= ways {",
		"\t\t\t\t\treturn code*length + j",
		"\t\t\t\t}",
		"\t\t\t\tdst[code*n+i] += w[j*step+c*stride+i]",
		"\t\t\t}",
		"\t\t}",
		"\t}",
		"\treturn -1",
	)
	dst := Load(Param("dst"), GP64())
	n := Load(Param("n"), GP64())
	stride := Load(Param("stride"), GP64())
	step := Load(Param("step"), GP64())
	ways := Load(Param("ways"), GP64())
	digits := Load(Param("digits"), GP64())
	length := Load(Param("length"), GP64())
	last := Load(Param("codes"), GP64())
	SHLQ(Imm(2), stride)
	SHLQ(Imm(2), step)
	SHLQ(Imm(1), length)
	IMULQ(length, last)
	ADDQ(digits, last)

	Comment("The last vector has 1 to all of its lanes in dst.")
	tail := isa.tailMask(n)
	vectors := GP64()
	LEAQ(Mem{Base: n, Disp: isa.lanes - 1}, vectors)
	SHRQ(Imm(isa.log2lanes), vectors)

	w, end, row := GP64(), GP64(), GP64()
	variant := func(count int) {
		acc := isa.vectors(count)
		codes, rows := fmt.Sprintf("codes%d", count), fmt.Sprintf("rows%d", count)
		Label(codes)
		Load(Param("w"), w)
		LEAQ(Mem{Base: digits, Index: length, Scale: 1}, end)
		for _, a := range acc {
			isa.zero(a)
		}
		Label(rows)
		MOVWQZX(Mem{Base: digits}, row)
		CMPQ(row, ways)
		JAE(LabelRef("bad"))
		IMULQ(stride, row)
		ADDQ(w, row)
		for i, a := range acc[:count-1] {
			VADDPS(Mem{Base: row, Disp: i * isa.bytes()}, a, a)
		}
		isa.addTail(Mem{Base: row, Disp: (count - 1) * isa.bytes()}, acc[count-1], tail)
		ADDQ(step, w)
		ADDQ(Imm(2), digits)
		CMPQ(digits, end)
		JNE(LabelRef(rows))
		for i, a := range acc[:count-1] {
			VMOVUPS(a, Mem{Base: dst, Disp: i * isa.bytes()})
		}
		isa.storeTail(acc[count-1], Mem{Base: dst, Disp: (count - 1) * isa.bytes()}, tail)
		LEAQ(Mem{Base: dst, Index: n, Scale: 4}, dst)
		CMPQ(digits, last)
		JNE(LabelRef(codes))
		JMP(LabelRef("done"))
	}
	choose(vectors, 1, widest, variant)

	Label("done")
	result := GP64()
	MOVQ(I64(-1), result)
	Store(result, ReturnIndex(0))
	VZEROUPPER()
	RET()

	Label("bad")
	start := Load(Param("digits"), GP64())
	SUBQ(start, digits)
	SHRQ(Imm(1), digits)
	Store(digits, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// choose writes code(lo), …, code(hi) and a tree of compares that runs the one
// for the number in x. Each must end in a jump.
func choose(x Register, lo, hi int, code func(int)) {
	if lo == hi {
		code(lo)
		return
	}
	middle := (lo + hi) / 2
	above := fmt.Sprintf("above%d", middle)
	CMPQ(x, Imm(uint64(middle)))
	JA(LabelRef(above))
	choose(x, lo, middle, code)
	Label(above)
	choose(x, middle+1, hi, code)
}
