package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const walkSignature = "func(walks *byte, n int, table *int16, ways, lanes, steps, rest, spread int)"

func walkDoc(name string) {
	Pragma("noescape")
	Doc(name+" is stepPortable. Walks take their steps in turns, so that one's",
		"search for its next change goes on while the next one's scores are loaded.")
}

// Offsets into Walk.
const (
	walkScores, walkCode, walkTabu, walkBest, walkLow, walkRise = 0, 8, 16, 24, 32, 40
	walkCost, walkBestCost, walkRandom, walkDigit, walkValue    = 48, 52, 56, 60, 64
	walkSize                                                    = 72
)

// walker has the registers of a kernel.
type walker struct {
	walk, at    GPVirtual // the walk, the step
	stride      GPVirtual // bytes from one value's scores to the next's
	digit, code GPVirtual // the digit that changes; where the codes are
	scores      GPVirtual
	gain, loss  GPVirtual // rows of g
	vector      int       // bytes
}

// steps goes through steps and walks; body does one step of one walk.
func (k *walker) steps(body func()) {
	k.walk, k.at, k.stride = GP64(), GP64(), GP64()
	Load(Param("lanes"), k.stride)
	SHLQ(Imm(1), k.stride)
	XORQ(k.at, k.at)
	left := GP64()
	Label("step")
	Load(Param("walks"), k.walk)
	Load(Param("n"), left)
	Label("walk")
	body()
	ADDQ(Imm(walkSize), k.walk)
	DECQ(left)
	JNZ(LabelRef("walk"))
	INCQ(k.at)
	steps := GP64()
	Load(Param("steps"), steps)
	CMPQ(k.at, steps)
	JLE(LabelRef("step"))
	VZEROUPPER()
	RET()
}

func (k *walker) field(offset int) Mem { return Mem{Base: k.walk, Disp: offset} }

// change does all of Walk.change but the update of the scores.
func (k *walker) change() {
	k.digit, k.code, k.scores, k.gain, k.loss = GP64(), GP64(), GP64(), GP64(), GP64()
	t := GP64()
	TESTQ(k.at, k.at)
	MOVL(k.field(walkDigit), k.digit.As32())
	JZ(LabelRef("first"))
	Comment("The digit rests.")
	random := GP32()
	MOVL(k.field(walkRandom), random)
	for _, shift := range []struct {
		by func(...Op)
		n  uint64
	}{{SHLL, 13}, {SHRL, 17}, {SHLL, 5}} {
		MOVL(random, t.As32())
		shift.by(Imm(shift.n), t.As32())
		XORL(t.As32(), random)
	}
	MOVL(random, k.field(walkRandom))
	SHRL(Imm(16), random)
	Load(Param("spread"), t)
	IMULL(random, t.As32())
	SHRL(Imm(16), t.As32())
	rest := GP64()
	Load(Param("rest"), rest)
	ADDQ(rest, t)
	ADDQ(k.at, t)
	MOVQ(k.field(walkTabu), rest)
	MOVW(t.As16(), Mem{Base: rest, Index: k.digit, Scale: 2})

	Label("first")
	Comment("The cost, the code, and the rows of g.")
	from, to := GP64(), GP64()
	MOVQ(k.field(walkCode), k.code)
	MOVWLZX(Mem{Base: k.code, Index: k.digit, Scale: 2}, from.As32())
	MOVL(k.field(walkValue), to.As32())
	MOVW(to.As16(), Mem{Base: k.code, Index: k.digit, Scale: 2})
	MOVQ(k.field(walkScores), k.scores)
	column, s := GP64(), GP32()
	LEAQ(Mem{Base: k.scores, Index: k.digit, Scale: 2}, column)
	MOVQ(to, t)
	IMULQ(k.stride, t)
	MOVWLSX(Mem{Base: column, Index: t, Scale: 1}, s)
	MOVQ(from, t)
	IMULQ(k.stride, t)
	MOVWLSX(Mem{Base: column, Index: t, Scale: 1}, t.As32())
	SUBL(t.As32(), s)
	ADDL(k.field(walkCost), s)
	MOVL(s, k.field(walkCost))

	ways, row := GP64(), GP64()
	Load(Param("ways"), ways)
	MOVQ(ways, row)
	IMULQ(k.stride, row)
	IMULQ(k.digit, ways)
	ADDQ(ways, to)
	ADDQ(ways, from)
	IMULQ(row, to)
	IMULQ(row, from)
	Load(Param("table"), k.gain)
	MOVQ(k.gain, k.loss)
	ADDQ(to, k.gain)
	ADDQ(from, k.loss)

	CMPL(s, k.field(walkBestCost))
	JGE(LabelRef("worse"))
	MOVL(s, k.field(walkBestCost))
	best, i := GP64(), GP64()
	MOVQ(k.field(walkBest), best)
	XORQ(i, i)
	Label("keep")
	VMOVDQU(Mem{Base: k.code, Index: i, Scale: 1}, Y0)
	VMOVDQU(Y0, Mem{Base: best, Index: i, Scale: 1})
	ADDQ(Imm(32), i)
	CMPQ(i, k.stride)
	JL(LabelRef("keep"))
	Label("worse")
}

// blocks goes through the vectors of digits. For each it updates scores, value
// by value, and then calls done with the offset of the vector's first digit in
// bytes.
func (k *walker) blocks(begin func(block GPVirtual), value func(), done func(block GPVirtual)) {
	block, left, scores, gain, loss := GP64(), GP64(), GP64(), GP64(), GP64()
	XORQ(block, block)
	Label("block")
	begin(block)
	MOVQ(k.scores, scores)
	MOVQ(k.gain, gain)
	MOVQ(k.loss, loss)
	ADDQ(block, scores)
	ADDQ(block, gain)
	ADDQ(block, loss)
	k.scores, scores = scores, k.scores
	k.gain, gain = gain, k.gain
	k.loss, loss = loss, k.loss
	step := func() {
		value()
		ADDQ(k.stride, k.scores)
		ADDQ(k.stride, k.gain)
		ADDQ(k.stride, k.loss)
	}
	Load(Param("ways"), left)
	SUBQ(Imm(4), left)
	JL(LabelRef("few"))
	Label("four")
	for range 4 {
		step()
	}
	SUBQ(Imm(4), left)
	JGE(LabelRef("four"))
	Label("few")
	ADDQ(Imm(4), left)
	JZ(LabelRef("updated"))
	Label("one")
	step()
	DECQ(left)
	JNZ(LabelRef("one"))
	Label("updated")
	k.scores, k.gain, k.loss = scores, gain, loss
	done(block)
	ADDQ(Imm(uint64(k.vector)), block)
	CMPQ(block, k.stride)
	JL(LabelRef("block"))
}

// smallest leaves the smallest of the words of an X register, all of them
// signed, in its lowest word; sign has 0x8000 in each word.
func smallest(x, sign VecPhysical) {
	VPXOR(sign, x, x)
	VPHMINPOSUW(x, x)
	VPXOR(sign, x, x)
}

func walk512() {
	numbers := counting("walkCounting")
	TEXT("walkAVX512", NOSPLIT, walkSignature)
	walkDoc("walkAVX512")
	low, low2, now, code, value, one, s, highest, least, at, sign := z(0), z(1), z(2), z(3), z(4), z(5), z(6), z(7), z(8), z(9), z(10)
	columns, sixteen, values := z(11), z(12), z(13)
	others, resting := K(), K()
	t := GP64()
	broadcast := func(x uint32, v Op) {
		MOVL(U32(x), t.As32())
		VPBROADCASTW(t.As32(), v)
	}
	broadcast(1, one)
	broadcast(0x7fff, highest)
	broadcast(0x8000, sign)
	MOVL(U32(16), t.As32())
	VPBROADCASTD(t.As32(), sixteen)
	Comment("Where 16 values of a digit are.")
	Load(Param("lanes"), t)
	SHLQ(Imm(1), t)
	VPBROADCASTD(t.As32(), columns)
	VPMULLD(numbers, columns, columns)

	k := &walker{vector: 64}
	k.steps(func() {
		k.change()
		VMOVDQA64(highest, least)
		VPBROADCASTW(k.at.As32(), at)
		parity := 0
		k.blocks(func(block GPVirtual) {
			VMOVDQU64(Mem{Base: k.code, Index: block, Scale: 1}, code)
			VMOVDQA64(highest, low)
			VMOVDQA64(highest, low2)
			VPXORQ(value, value, value)
			VPXORQ(now, now, now)
		}, func() {
			VMOVDQU64(Mem{Base: k.gain}, s)
			VPSUBSW(Mem{Base: k.loss}, s, s)
			VPADDSW(Mem{Base: k.scores}, s, s)
			VMOVDQU64(s, Mem{Base: k.scores})
			VPCMPW(Imm(4), code, value, others)
			VPADDW(one, value, value)
			l := []VecPhysical{low, low2}[parity%2]
			parity++
			VPMINSW(s, l, others, l)
			VPBLENDMW(now, s, others, now)
		}, func(block GPVirtual) {
			r := GP64()
			VPMINSW(low2, low, low)
			MOVQ(k.field(walkLow), r)
			VMOVDQU64(low, Mem{Base: r, Index: block, Scale: 1})
			VPSUBSW(now, low, low)
			MOVQ(k.field(walkTabu), r)
			VMOVDQU64(Mem{Base: r, Index: block, Scale: 1}, s)
			VPCMPGTW(at, s, resting)
			VMOVDQU16(highest, resting, low)
			MOVQ(k.field(walkRise), r)
			VMOVDQU64(low, Mem{Base: r, Index: block, Scale: 1})
			VPMINSW(low, least, least)
		})

		VEXTRACTI64X4(Imm(1), least, low.AsY())
		VPMINSW(low.AsY(), least.AsY(), least.AsY())
		VEXTRACTI128(Imm(1), least.AsY(), low.AsX())
		VPMINSW(low.AsX(), least.AsX(), least.AsX())
		smallest(vecX(least), vecX(sign))
		VPBROADCASTW(least.AsX(), least)
		Comment("The first digit with that rise.")
		rise, digit, found := GP64(), GP64(), GP64()
		MOVQ(k.field(walkRise), rise)
		XORQ(digit, digit)
		Label("digit")
		VPCMPEQW(Mem{Base: rise, Index: digit, Scale: 2}, least, others)
		KMOVD(others, found.As32())
		ADDQ(Imm(32), digit)
		TESTL(found.As32(), found.As32())
		JZ(LabelRef("digit"))
		TZCNTL(found.As32(), found.As32())
		LEAQ(Mem{Base: digit, Index: found, Scale: 1, Disp: -32}, digit)
		MOVL(digit.As32(), k.field(walkDigit))

		Comment("The first other value with the smallest score, 32 values at a time.")
		lows, column := GP64(), GP64()
		MOVQ(k.field(walkLow), lows)
		MOVWLZX(Mem{Base: lows, Index: digit, Scale: 2}, found.As32())
		SHLL(Imm(16), found.As32())
		VPBROADCASTD(found.As32(), low)
		MOVWLZX(Mem{Base: k.code, Index: digit, Scale: 2}, found.As32())
		VPBROADCASTD(found.As32(), code)
		MOVQ(k.field(walkScores), column)
		LEAQ(Mem{Base: column, Index: digit, Scale: 2}, column)
		VMOVDQU32(numbers, values)
		left, count := GP64(), GP64()
		Load(Param("ways"), left)
		MOVQ(k.stride, digit)
		SHLQ(Imm(4), digit)
		Label("value")
		thirtyTwo, inside := GP64(), GP64()
		MOVQ(U32(32), thirtyTwo)
		MOVQ(left, count)
		CMPQ(count, thirtyTwo)
		CMOVQGT(thirtyTwo, count)
		MOVQ(I32(-1), inside)
		BZHIQ(count, inside, inside)
		masks := []OpmaskVirtual{K(), K()}
		for half, gathered := range []VecPhysical{s, now} {
			KMOVW(inside.As32(), resting)
			VPXORD(gathered, gathered, gathered)
			VPCMPD(Imm(4), code, values, resting, others)
			VPGATHERDD(Mem{Base: column, Index: columns, Scale: 1}, resting, gathered)
			VPSLLD(Imm(16), gathered, gathered)
			VPCMPEQD(low, gathered, others, masks[half])
			VPADDD(sixteen, values, values)
			ADDQ(digit, column)
			SHRQ(Imm(16), inside)
		}
		KMOVW(masks[0], found.As32())
		KMOVW(masks[1], count.As32())
		SHLL(Imm(16), count.As32())
		ORL(count.As32(), found.As32())
		SUBQ(Imm(32), left)
		TESTL(found.As32(), found.As32())
		JZ(LabelRef("value"))
		TZCNTL(found.As32(), found.As32())
		Comment("ways - 32 - left values were passed over.")
		Load(Param("ways"), count)
		SUBQ(left, count)
		LEAQ(Mem{Base: count, Index: found, Scale: 1, Disp: -32}, count)
		MOVL(count.As32(), k.field(walkValue))
	})
}

func vecX(v VecPhysical) VecPhysical { return v.AsX().(VecPhysical) }

func walk2() {
	TEXT("walkAVX2", NOSPLIT, walkSignature)
	walkDoc("walkAVX2")
	low, now, code, value, one, s, highest, least, at, sign, same, other := y(0), y(1), y(2), y(3), y(4), y(5), y(6), y(7), y(8), y(9), y(10), y(11)
	t := GP64()
	broadcast := func(x uint32, v Op) {
		MOVL(U32(x), t.As32())
		VMOVD(t.As32(), X15)
		VPBROADCASTW(X15, v)
	}
	broadcast(1, one)
	broadcast(0x7fff, highest)
	broadcast(0x8000, sign)

	k := &walker{vector: 32}
	k.steps(func() {
		k.change()
		VMOVDQA(highest, least)
		VMOVD(k.at.As32(), X15)
		VPBROADCASTW(X15, at)
		k.blocks(func(block GPVirtual) {
			VMOVDQU(Mem{Base: k.code, Index: block, Scale: 1}, code)
			VMOVDQA(highest, low)
			VPXOR(value, value, value)
			VPXOR(now, now, now)
		}, func() {
			VMOVDQU(Mem{Base: k.gain}, s)
			VPSUBSW(Mem{Base: k.loss}, s, s)
			VPADDSW(Mem{Base: k.scores}, s, s)
			VMOVDQU(s, Mem{Base: k.scores})
			VPCMPEQW(code, value, same)
			VPADDW(one, value, value)
			VPBLENDVB(same, highest, s, other)
			VPMINSW(other, low, low)
			VPBLENDVB(same, s, now, now)
		}, func(block GPVirtual) {
			r := GP64()
			MOVQ(k.field(walkLow), r)
			VMOVDQU(low, Mem{Base: r, Index: block, Scale: 1})
			VPSUBSW(now, low, low)
			MOVQ(k.field(walkTabu), r)
			VMOVDQU(Mem{Base: r, Index: block, Scale: 1}, s)
			VPCMPGTW(at, s, same)
			VPBLENDVB(same, highest, low, low)
			MOVQ(k.field(walkRise), r)
			VMOVDQU(low, Mem{Base: r, Index: block, Scale: 1})
			VPMINSW(low, least, least)
		})

		VEXTRACTI128(Imm(1), least, low.AsX())
		VPMINSW(low.AsX(), least.AsX(), least.AsX())
		smallest(vecX(least), vecX(sign))
		VPBROADCASTW(least.AsX(), least)
		Comment("The first digit with that rise.")
		rise, digit, found := GP64(), GP64(), GP64()
		MOVQ(k.field(walkRise), rise)
		XORQ(digit, digit)
		Label("digit")
		VPCMPEQW(Mem{Base: rise, Index: digit, Scale: 2}, least, same)
		VPMOVMSKB(same, found.As32())
		ADDQ(Imm(16), digit)
		TESTL(found.As32(), found.As32())
		JZ(LabelRef("digit"))
		TZCNTL(found.As32(), found.As32())
		SHRL(Imm(1), found.As32())
		LEAQ(Mem{Base: digit, Index: found, Scale: 1, Disp: -16}, digit)
		MOVL(digit.As32(), k.field(walkDigit))

		Comment("The first other value with the smallest score.")
		lows, column, wanted, taken := GP64(), GP64(), GP64(), GP64()
		MOVQ(k.field(walkLow), lows)
		MOVWLZX(Mem{Base: lows, Index: digit, Scale: 2}, wanted.As32())
		MOVWLZX(Mem{Base: k.code, Index: digit, Scale: 2}, taken.As32())
		MOVQ(k.field(walkScores), column)
		LEAQ(Mem{Base: column, Index: digit, Scale: 2}, column)
		MOVQ(I32(-1), found)
		Label("value")
		INCQ(found)
		MOVWLZX(Mem{Base: column}, lows.As32())
		ADDQ(k.stride, column)
		CMPL(lows.As32(), wanted.As32())
		JNE(LabelRef("value"))
		CMPL(found.As32(), taken.As32())
		JE(LabelRef("value"))
		MOVL(found.As32(), k.field(walkValue))
	})
}
