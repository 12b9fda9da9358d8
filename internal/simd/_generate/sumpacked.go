package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

const sumPackedSignature = "func(dst *float32, n int, w *float32, stride, step, ways int, code *byte, size, width, length int) int"

// sumPacked writes the SumPacked kernels: SumRows with the digits shifted out of
// a register. Unpacked to memory first, they would be late: the sums of one
// code fill the processor's window, so that it cannot unpack the next one ahead.
// Where there are many codes, it is faster to unpack them all, then sum them all.
func sumPacked() {
	sumPackedKernel(isa512, 24)
	sumPackedKernel(isa2, 14)
}

func sumPackedKernel(isa isa, widest int) {
	TEXT("sumPacked"+isa.name, NOSPLIT, sumPackedSignature)
	Pragma("noescape")
	Doc(
		fmt.Sprintf("sumPacked%s is, for 1 to %d floats of dst, at least one digit of 1 to 16 bits,", isa.name, widest*isa.lanes),
		"a size of at least 8 bytes, and step = K·stride (or 0 where all digits share",
		"one set of rows):",
		"",
		"\tfor i := range dst {",
		"\t\tdst[i] = 0",
		"\t\tfor j := range length {",
		"\t\t\tc := code >> (j*width) & (1<<width - 1)",
		"\t\t\tif c >= ways {",
		"\t\t\t\treturn j",
		"\t\t\t}",
		"\t\t\tdst[i] += w[j*step+c*stride+i]",
		"\t\t}",
		"\t}",
		"\treturn -1",
	)
	n := Load(Param("n"), GP64())
	Comment("The last vector has 1 to all of its lanes in dst.")
	tail := isa.tailMask(n)
	vectors := GP64()
	LEAQ(Mem{Base: n, Disp: isa.lanes - 1}, vectors)
	SHRQ(Imm(isa.log2lanes), vectors)

	w := Load(Param("w"), GP64())
	stride := Load(Param("stride"), GP64())
	step := Load(Param("step"), GP64())
	ways := Load(Param("ways"), GP64())
	code := Load(Param("code"), GP64())
	last := Load(Param("size"), GP64())
	width := Load(Param("width"), GP64())
	left := GP64()
	Load(Param("length"), left)
	SHLQ(Imm(2), stride)
	SHLQ(Imm(2), step)
	SUBQ(Imm(8), last)
	bit := GP64()
	XORL(bit.As32(), bit.As32())

	digits, group, at, row := GP64(), GP64(), GP64(), GP64()
	variant := func(count int) {
		acc := isa.vectors(count)
		for _, a := range acc {
			isa.zero(a)
		}
		groups, rows := fmt.Sprintf("groups%d", count), fmt.Sprintf("rows%d", count)
		Label(groups)
		Comment("8 digits of up to 8 bits, or 4 of more, from the last 8 bytes where they are nearer.")
		MOVL(U32(8), group.As32())
		MOVL(U32(4), at.As32())
		CMPQ(width, Imm(8))
		CMOVQGT(at, group)
		CMPQ(group, left)
		CMOVQGT(left, group)
		SUBQ(group, left)
		MOVQ(bit, at)
		SHRQ(Imm(3), at)
		CMPQ(at, last)
		CMOVQGT(last, at)
		MOVQ(at, row)
		SHLQ(Imm(3), row)
		NEGQ(row)
		ADDQ(bit, row)
		SHRXQ(row, Mem{Base: code, Index: at, Scale: 1}, digits)
		MOVQ(group, at)
		IMULQ(width, at)
		ADDQ(at, bit)
		Label(rows)
		BZHIQ(width, digits, row)
		SHRXQ(width, digits, digits)
		CMPQ(row, ways)
		JAE(LabelRef("bad"))
		IMULQ(stride, row)
		ADDQ(w, row)
		for i, a := range acc[:count-1] {
			VADDPS(Mem{Base: row, Disp: i * isa.bytes()}, a, a)
		}
		isa.addTail(Mem{Base: row, Disp: (count - 1) * isa.bytes()}, acc[count-1], tail)
		ADDQ(step, w)
		DECQ(group)
		JNE(LabelRef(rows))
		TESTQ(left, left)
		JNE(LabelRef(groups))
		Load(Param("dst"), row)
		for i, a := range acc[:count-1] {
			VMOVUPS(a, Mem{Base: row, Disp: i * isa.bytes()})
		}
		isa.storeTail(acc[count-1], Mem{Base: row, Disp: (count - 1) * isa.bytes()}, tail)
		JMP(LabelRef("done"))
	}
	choose(vectors, 1, widest, variant)

	Label("done")
	MOVQ(I64(-1), row)
	Store(row, ReturnIndex(0))
	VZEROUPPER()
	RET()

	Label("bad")
	Load(Param("length"), row)
	SUBQ(left, row)
	SUBQ(group, row)
	Store(row, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
