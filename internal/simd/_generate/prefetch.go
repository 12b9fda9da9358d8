package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func prefetch() {
	TEXT("prefetch", NOSPLIT, "func(p *byte)")
	Pragma("noescape")
	Doc("prefetch asks for the cache line of p. An address that is not mapped does no harm.")
	p := Load(Param("p"), GP64())
	PREFETCHT0(Mem{Base: p})
	RET()
}
