package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// chainVectors are the values that go through a chain together.
const chainVectors = 8

// chains writes the kernels of Chain: a link after the other on values that stay
// in registers. A tree of compares finds the code of a link. All strips take the
// same way through it, so that the processor knows the way ahead.
func chains() {
	for _, isa := range []isa{isa512, isa2} {
		TEXT("chain"+isa.name, NOSPLIT, "func(dst, x *float32, ops *int, ys **float32, links, n int)")
		Pragma("noescape")
		Doc(
			fmt.Sprintf("chain%s is, for links > 0 and n > 0, a multiple of %d,", isa.name, chainVectors*isa.lanes),
			"", "\tfor i := range n {", "\t\tv := x[i]", "\t\tfor l := range links {", "\t\t\tv = o[l](v, ys[l][i])", "\t\t}", "\t\tdst[i] = v", "\t}", "",
			"where ops[l] is 4·o[l], and 2 more where operands are swapped, 1 more where",
			"ys[l] is one float.",
		)
		dst := Load(Param("dst"), GP64())
		x := Load(Param("x"), GP64())
		ops := Load(Param("ops"), GP64())
		ys := Load(Param("ys"), GP64())
		links := Load(Param("links"), GP64())
		n := Load(Param("n"), GP64())
		Comment("From here on n and the place are in bytes.")
		SHLQ(Imm(2), n)
		at := GP64()
		XORQ(at, at)

		Label("strip")
		for v := range chainVectors {
			VMOVUPS(isa.inStrip(x, at, v), isa.regs[v])
		}
		link, op, y := GP64(), GP64(), GP64()
		XORQ(link, link)
		Label("link")
		MOVQ(Mem{Base: ops, Index: link, Scale: 8}, op)
		MOVQ(Mem{Base: ys, Index: link, Scale: 8}, y)
		choose(op, 0, 4*len(zipOps)-1, func(i int) {
			chainOp(isa, zipOps[i/4], i&2 != 0, i&1 != 0, y, at)
			JMP(LabelRef("next"))
		})
		Label("next")
		INCQ(link)
		CMPQ(link, links)
		JNE(LabelRef("link"))
		for v := range chainVectors {
			VMOVUPS(isa.regs[v], isa.inStrip(dst, at, v))
		}
		ADDQ(U32(uint32(chainVectors*isa.bytes())), at)
		CMPQ(at, n)
		JNE(LabelRef("strip"))
		VZEROUPPER()
		RET()
	}
}

// inStrip returns where vector v is of the strip that begins at bytes.
func (s isa) inStrip(base, at Register, v int) Mem {
	return Mem{Base: base, Index: at, Scale: 1, Disp: v * s.bytes()}
}

// chainOp writes the code of a link.
func chainOp(isa isa, op zipOp, swap, single bool, y, at Register) {
	loaded, scratch, one := isa.regs[8], isa.regs[10], isa.regs[12]
	if single {
		VBROADCASTSS(Mem{Base: y}, one)
	}
	for v := range chainVectors {
		value, operand := isa.regs[v], one
		if !single {
			VMOVUPS(isa.inStrip(y, at, v), loaded)
			operand = loaded
		}
		if !swap {
			op.code(isa, value, operand, scratch)
			continue
		}
		if single {
			VMOVAPS(one, loaded)
		}
		op.code(isa, loaded, value, scratch)
		VMOVAPS(loaded, value)
	}
}
