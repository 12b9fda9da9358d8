package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// isa is what differs between the two instruction sets in kernels that are
// otherwise the same.
type isa struct {
	name      string
	lanes     int
	log2lanes uint64
	regs      []VecPhysical
}

var (
	isa512 = isa{"AVX512", 16, 4, []VecPhysical{
		Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15,
		Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31,
	}}
	isa2 = isa{"AVX2", 8, 3, []VecPhysical{
		Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15,
	}}
)

func (s isa) bytes() int { return 4 * s.lanes }

// vectors returns the first count registers. AVX2's last two are the mask of
// the tail and a scratch register.
func (s isa) vectors(count int) []VecPhysical { return s.regs[:count] }

func (s isa) zero(v VecPhysical) {
	if s.lanes == 16 {
		VPXORD(v, v, v)
		return
	}
	VXORPS(v, v, v)
}

// tailMask returns a mask of the lanes of the last of n > 0 floats' vectors:
// all of them where n is a multiple of the vector.
func (s isa) tailMask(n Register) Op {
	last := GP64()
	LEAQ(Mem{Base: n, Disp: -1}, last)
	ANDQ(Imm(uint64(s.lanes-1)), last)
	return s.maskOfLast(last)
}

// maskOfLast returns a mask of lanes 0…last.
func (s isa) maskOfLast(last GPVirtual) Op {
	if s.lanes == 16 {
		bits, k := GP64(), K()
		INCQ(last)
		MOVQ(I32(-1), bits)
		BZHIQ(last, bits, bits)
		KMOVW(bits.As32(), k)
		return k
	}
	NEGQ(last)
	table := GP64()
	LEAQ(tailMasks(), table)
	VMOVUPS(Mem{Base: table, Index: last, Scale: 4, Disp: 28}, Y15)
	return Y15
}

// addTail adds the masked lanes of m to v.
func (s isa) addTail(m Mem, v VecPhysical, mask Op) {
	if s.lanes == 16 {
		VADDPS(m, v, mask, v)
		return
	}
	VMASKMOVPS(m, mask, Y14)
	VADDPS(Y14, v, v)
}

func (s isa) storeTail(v VecPhysical, m Mem, mask Op) {
	if s.lanes == 16 {
		VMOVUPS(v, mask, m)
		return
	}
	VMASKMOVPS(v, mask, m)
}

var masks *Mem

// tailMasks is 8 words of ones, then 7 of zeros: the 8 words from word 7-last
// on mask lanes 0…last.
func tailMasks() Mem {
	if masks == nil {
		m := GLOBL("tailMasks", RODATA|NOPTR)
		for i := range 15 {
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

// loadTail loads the masked lanes of m to v, the others zero.
func (s isa) loadTail(m Mem, v VecPhysical, mask Op) {
	if s.lanes == 16 {
		VMOVUPS_Z(m, mask, v)
		return
	}
	VMASKMOVPS(m, mask, v)
}

// strips goes through n floats at each of the pointers: first so many vectors
// at a time, then one, then the lanes that are left. body does vector v of a
// strip, which begins at bytes after each pointer; tail does the rest. Labels
// begin with name, for functions that hold several such loops.
func (s isa) strips(name string, n Register, pointers []Register, unroll int, body func(v, at int), tail func(mask Op)) {
	var steps []step
	for _, p := range pointers {
		steps = append(steps, step{p, 4})
	}
	s.stripsOf(name, n, steps, unroll, func(v int) { body(v, v*s.bytes()) }, tail)
}

// step is a pointer that moves by so many bytes a float.
type step struct {
	pointer Register
	bytes   int
}

// stripsOf is strips where elements are of several sizes. Without a tail, the
// lanes that are left are not done.
func (s isa) stripsOf(name string, n Register, steps []step, unroll int, body func(v int), tail func(mask Op)) {
	s.stripsTogether(name, n, steps, unroll, func(vectors int) {
		for v := range vectors {
			body(v)
		}
	}, tail)
}

// stripsTogether is stripsOf where body does all vectors of a strip.
func (s isa) stripsTogether(name string, n Register, steps []step, unroll int, body func(vectors int), tail func(mask Op)) {
	advance := func(vectors int) {
		for _, p := range steps {
			ADDQ(U32(uint32(vectors*s.lanes*p.bytes)), p.pointer)
		}
		SUBQ(U32(uint32(vectors*s.lanes)), n)
	}
	SUBQ(U32(uint32(unroll*s.lanes)), n)
	if unroll > 1 {
		JL(LabelRef(name + "few"))
		Label(name + "strip")
		body(unroll)
		advance(unroll)
		JGE(LabelRef(name + "strip"))
		Label(name + "few")
		ADDQ(U32(uint32((unroll-1)*s.lanes)), n)
	}
	JL(LabelRef(name + "rest"))
	Label(name + "one")
	body(1)
	advance(1)
	JGE(LabelRef(name + "one"))

	Label(name + "rest")
	if tail != nil {
		ADDQ(U32(uint32(s.lanes-1)), n)
		JL(LabelRef(name + "done"))
		Comment("n is now the last lane.")
		last := GP64()
		MOVQ(n, last)
		tail(s.maskOfLast(last))
	}
	Label(name + "done")
}
