package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// isa is what differs between the two instruction sets.
type isa struct {
	name  string
	lanes int
	rows  int // of a tile
	regs  []VecPhysical
}

var (
	isa512 = isa{"AVX512", 16, 14, []VecPhysical{
		Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15,
		Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31,
	}}
	isa2 = isa{"AVX2", 8, 6, []VecPhysical{
		Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15,
	}}
)

func (s isa) bytes() int { return 4 * s.lanes }

func (s isa) zero(v VecPhysical) {
	if s.lanes == 16 {
		VPXORD(v, v, v)
		return
	}
	VXORPS(v, v, v)
}

// mask returns a mask of the first n lanes: all for n beyond them, none for n
// below 1. AVX2 has it in the register given. n stays what it is.
func (s isa) mask(n GPVirtual, inRegister VecPhysical) Op {
	count, zero, most := GP64(), GP64(), GP64()
	MOVQ(n, count)
	XORQ(zero, zero)
	CMPQ(count, zero)
	CMOVQLT(zero, count)
	MOVQ(I32(s.lanes), most)
	CMPQ(count, most)
	CMOVQGT(most, count) // BZHIQ looks at the lowest byte of it alone
	if s.lanes == 16 {
		bits, k := GP64(), K()
		MOVQ(I32(-1), bits)
		BZHIQ(count, bits, bits)
		KMOVW(bits.As32(), k)
		return k
	}
	table := GP64()
	NEGQ(count)
	LEAQ(laneMasks(), table)
	VMOVUPS(Mem{Base: table, Index: count, Scale: 4, Disp: 32}, inRegister)
	return inRegister
}

var masks *Mem

// laneMasks is 8 words of ones, then 8 of zeros: the 8 words from word 8-n on
// mask the first n lanes.
func laneMasks() Mem {
	if masks == nil {
		m := GLOBL(maskTable, RODATA|NOPTR)
		for i := range 16 {
			word := U32(0)
			if i < 8 {
				word = ^word
			}
			DATA(4*i, word)
		}
		masks = &m
	}
	return *masks
}

// maskTable is named after the kernel: data is static to a package, not a file.
var maskTable string

// loadMasked loads the masked lanes, the others zero.
func (s isa) loadMasked(m Mem, mask Op, v VecPhysical) {
	if s.lanes == 16 {
		VMOVUPS_Z(m, mask, v)
		return
	}
	VMASKMOVPS(m, mask, v)
}

func (s isa) storeMasked(v VecPhysical, mask Op, m Mem) {
	if s.lanes == 16 {
		VMOVUPS(v, mask, m)
		return
	}
	VMASKMOVPS(v, mask, m)
}
