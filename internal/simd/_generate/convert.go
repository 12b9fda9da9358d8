package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// conversions are kernels that make floats of another type, a vector at a time.
// They leave the last elements, fewer than a vector, to the caller.
var conversions = []struct {
	name, from string
	bytes      int // of an element of x
	code       func(s isa, x Mem, to VecPhysical)
	avx512     bool // only there
}{
	{"fromInt32", "int32", 4, func(s isa, x Mem, to VecPhysical) { VCVTDQ2PS(x, to) }, false},
	{"fromUint32", "uint32", 4, fromUint32, false},
	{"fromInt64", "int64", 8, fromInt64, true},
	{"fromBool", "bool", 1, func(s isa, x Mem, to VecPhysical) {
		VPMOVZXBD(x, to)
		VCVTDQ2PS(to, to)
	}, false},
}

// fromUint32 is upper·2¹⁶ + lower in AVX2: the fused addition rounds once.
func fromUint32(s isa, x Mem, to VecPhysical) {
	if s.lanes == 16 {
		VCVTUDQ2PS(x, to)
		return
	}
	upper := Y14
	VMOVDQU(x, to)
	VPSRLD(Imm(16), to, upper)
	VPSLLD(Imm(16), to, to)
	VPSRLD(Imm(16), to, to)
	VCVTDQ2PS(upper, upper)
	VCVTDQ2PS(to, to)
	VFMADD231PS(number(0x47800000), upper, to)
}

func fromInt64(_ isa, x Mem, to VecPhysical) {
	upper := Z14
	VCVTQQ2PS(x, to.AsY())
	VCVTQQ2PS(x.Offset(64), upper.AsY())
	VINSERTF64X4(Imm(1), upper.AsY(), to, to)
}

func convert() {
	for _, isa := range []isa{isa512, isa2} {
		for _, c := range conversions {
			if c.avx512 && isa.lanes == 8 {
				continue
			}
			TEXT(c.name+isa.name, NOSPLIT, fmt.Sprintf("func(dst *float32, x *%s, n int)", c.from))
			Pragma("noescape")
			Doc(c.name+isa.name+" is", "", fmt.Sprintf("\tfor i := range n &^ %d {", isa.lanes-1), "\t\tdst[i] = float32(x[i])", "\t}")
			dst := Load(Param("dst"), GP64())
			x := Load(Param("x"), GP64())
			n := Load(Param("n"), GP64())
			isa.stripsOf("", n, []step{{dst, 4}, {x, c.bytes}}, 4, func(v int) {
				c.code(isa, Mem{Base: x, Disp: v * isa.lanes * c.bytes}, isa.regs[v])
				VMOVUPS(isa.regs[v], Mem{Base: dst, Disp: v * isa.bytes()})
			}, nil)
			VZEROUPPER()
			RET()
		}
	}
}
