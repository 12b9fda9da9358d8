package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func prefetchRows() {
	TEXT("prefetchRows", NOSPLIT, "func(src *byte, size int, rows *int, count int)")
	Pragma("noescape")
	Doc(
		"prefetchRows asks for the cache lines of the first and the last byte of count > 0 rows of size bytes.",
		"Addresses that are not mapped do no harm.",
	)
	src := Load(Param("src"), GP64())
	size := Load(Param("size"), GP64())
	rows := Load(Param("rows"), GP64())
	end := Load(Param("count"), GP64())
	LEAQ(Mem{Base: rows, Index: end, Scale: 8}, end)
	row := GP64()
	Label("rows")
	MOVQ(Mem{Base: rows}, row)
	IMULQ(size, row)
	ADDQ(src, row)
	PREFETCHT0(Mem{Base: row})
	PREFETCHT0(Mem{Base: row, Index: size, Scale: 1, Disp: -1})
	ADDQ(Imm(8), rows)
	CMPQ(rows, end)
	JNE(LabelRef("rows"))
	RET()
}
