package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// transposes writes the kernels of Transpose. They take four columns of a
// vector's worth of rows at a time: four registers, of which each has four
// floats of every fourth row, so that transposing 4×4 floats within parts of
// 128 bits is all there is to do.
func transposes() {
	transposeKernel(isa512)
	transposeKernel(isa2)
}

func transposeKernel(isa isa) {
	TEXT("transpose"+isa.name, NOSPLIT, "func(dst *float32, dstStride int, src *float32, srcStride, columns int)")
	Pragma("noescape")
	Doc("transpose"+isa.name+" is, for columns a positive multiple of 4,", "",
		"\tfor c := range columns {",
		"\t\tfor r := range "+map[int]string{16: "16", 8: "8"}[isa.lanes]+" {",
		"\t\t\tdst[c*dstStride+r] = src[r*srcStride+c]",
		"\t\t}", "\t}")
	dst := Load(Param("dst"), GP64())
	dstStride := Load(Param("dstStride"), GP64())
	srcStride := Load(Param("srcStride"), GP64())
	columns := Load(Param("columns"), GP64())
	SHLQ(Imm(2), dstStride)
	SHLQ(Imm(2), srcStride)
	dst3, src3 := GP64(), GP64()
	LEAQ(Mem{Base: dstStride, Index: dstStride, Scale: 2}, dst3)
	LEAQ(Mem{Base: srcStride, Index: srcStride, Scale: 2}, src3)
	Comment("Rows 0, 4, 8 and 12.")
	fours := []Register{GP64(), GP64(), GP64(), GP64()}[:isa.lanes/4]
	Load(Param("src"), fours[0])
	for i := 1; i < len(fours); i++ {
		LEAQ(Mem{Base: fours[i-1], Index: srcStride, Scale: 4}, fours[i])
	}
	// row returns row r or column r after a pointer.
	row := func(base, stride, stride3 Register, r int) Mem {
		switch r {
		case 0:
			return Mem{Base: base}
		case 3:
			return Mem{Base: base, Index: stride3, Scale: 1}
		}
		return Mem{Base: base, Index: stride, Scale: uint8(r)}
	}
	a, b := isa.regs[0:4], isa.regs[4:8]
	Label("columns")
	for r := range 4 {
		VMOVUPS(row(fours[0], srcStride, src3, r), a[r].AsX())
		for part := 1; part < len(fours); part++ {
			m := row(fours[part], srcStride, src3, r)
			if isa.lanes == 16 {
				VINSERTF32X4(Imm(uint64(part)), m, a[r], a[r])
			} else {
				VINSERTF128(Imm(uint64(part)), m, a[r], a[r])
			}
		}
	}
	VUNPCKLPS(a[1], a[0], b[0])
	VUNPCKHPS(a[1], a[0], b[1])
	VUNPCKLPS(a[3], a[2], b[2])
	VUNPCKHPS(a[3], a[2], b[3])
	VUNPCKLPD(b[2], b[0], a[0])
	VUNPCKHPD(b[2], b[0], a[1])
	VUNPCKLPD(b[3], b[1], a[2])
	VUNPCKHPD(b[3], b[1], a[3])
	for c := range 4 {
		VMOVUPS(a[c], row(dst, dstStride, dst3, c))
	}
	LEAQ(Mem{Base: dst, Index: dstStride, Scale: 4}, dst)
	for _, p := range fours {
		ADDQ(Imm(16), p)
	}
	SUBQ(Imm(4), columns)
	JNE(LabelRef("columns"))
	VZEROUPPER()
	RET()
}
