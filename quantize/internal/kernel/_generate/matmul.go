package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const matMulSignature = "func(c *float32, ldc int, a *float32, lda, rows int, panel *float32, depth int, alpha float32, add bool)"

func matMulDoc(name string) {
	Pragma("noescape")
	Doc(name+" is, with fused multiplications and additions,",
		"",
		"\tfor i := range rows {",
		"\t\tfor n := range 32 {",
		"\t\t\ts := 0",
		"\t\t\tfor t := range depth {",
		"\t\t\t\ts += a[i*lda+t] * panel[t*32+n]",
		"\t\t\t}",
		"\t\t\tc[i*ldc+n] = alpha*s, or += with add",
		"\t\t}",
		"\t}",
	)
}

// matMuls has the registers that both forms of the kernel use.
type matMuls struct {
	c, ldc, a, lda, lda3, rows, panel, depth, add GPVirtual
}

func newMatMuls() *matMuls {
	m := &matMuls{
		c: load("c"), ldc: load("ldc"), a: load("a"), lda: load("lda"), lda3: GP64(),
		rows: load("rows"), panel: load("panel"), depth: load("depth"), add: GP64(),
	}
	Load(Param("add"), m.add.As8())
	MOVBLZX(m.add.As8(), m.add.As32())
	SHLQ(Imm(2), m.ldc)
	SHLQ(Imm(2), m.lda)
	LEAQ(Mem{Base: m.lda, Index: m.lda, Scale: 2}, m.lda3)
	return m
}

// row returns the address of a[i, t] for i < 8, where at is a[0, t] and at4 is
// a[4, t].
func (m *matMuls) row(i int, at, at4 GPVirtual) Mem {
	base := at
	if i >= 4 {
		base = at4
	}
	switch i % 4 {
	case 1:
		return Mem{Base: base, Index: m.lda, Scale: 1}
	case 2:
		return Mem{Base: base, Index: m.lda, Scale: 2}
	case 3:
		return Mem{Base: base, Index: m.lda3, Scale: 1}
	}
	return Mem{Base: base}
}

// block writes the product of some rows of a: sums by row and vector of the
// panel.
func (m *matMuls) block(name string, rows int, sums [][]VecPhysical, zero func(VecPhysical), body func(row func(i int) Mem, panel GPVirtual), store func(sum VecPhysical, at Mem)) {
	SUBQ(Imm(uint64(rows)), m.rows)
	JL(LabelRef(name + "Done"))
	Label(name)
	for i := range rows {
		for _, s := range sums[i] {
			zero(s)
		}
	}
	at, at4, p, left := GP64(), GP64(), GP64(), GP64()
	MOVQ(m.a, at)
	if rows > 4 {
		LEAQ(Mem{Base: m.a, Index: m.lda, Scale: 4}, at4)
	}
	MOVQ(m.panel, p)
	MOVQ(m.depth, left)
	Label(name + "Depth")
	body(func(i int) Mem { return m.row(i, at, at4) }, p)
	ADDQ(Imm(4), at)
	if rows > 4 {
		ADDQ(Imm(4), at4)
	}
	ADDQ(Imm(128), p)
	DECQ(left)
	JNZ(LabelRef(name + "Depth"))
	for i := range rows {
		width := 128 / len(sums[i])
		for v, s := range sums[i] {
			store(s, Mem{Base: m.c, Disp: v * width})
		}
		ADDQ(m.ldc, m.c)
		ADDQ(m.lda, m.a)
	}
	SUBQ(Imm(uint64(rows)), m.rows)
	JGE(LabelRef(name))
	Label(name + "Done")
	ADDQ(Imm(uint64(rows)), m.rows)
}

func matMul512() {
	TEXT("matMulAVX512", NOSPLIT, matMulSignature)
	matMulDoc("matMulAVX512")
	m := newMatMuls()
	alpha, zero := Z31, Z30
	address, _ := Param("alpha").Resolve()
	VBROADCASTSS(address.Addr, alpha)
	VPXORD(zero, zero, zero)
	Comment("Lanes of c that are added to: all or none.")
	added := K()
	NEGQ(m.add)
	KMOVW(m.add.As32(), added)
	var sums [][]VecPhysical
	for i := range 8 {
		sums = append(sums, []VecPhysical{z(2 * i), z(2*i + 1)})
	}
	clear := func(s VecPhysical) { VPXORD(s, s, s) }
	store := func(s VecPhysical, at Mem) {
		VMOVUPS_Z(at, added, Z16)
		VFMADD231PS(s, alpha, Z16)
		VMOVUPS(Z16, at)
	}
	for _, rows := range []int{8, 1} {
		name := map[int]string{8: "eight", 1: "one"}[rows]
		m.block(name, rows, sums, clear, func(row func(int) Mem, panel GPVirtual) {
			VMOVUPS(Mem{Base: panel}, Z16)
			VMOVUPS(Mem{Base: panel, Disp: 64}, Z17)
			for i := range rows {
				x := z(18 + i)
				VBROADCASTSS(row(i), x)
				VFMADD231PS(Z16, x, sums[i][0])
				VFMADD231PS(Z17, x, sums[i][1])
			}
		}, store)
	}
	VZEROUPPER()
	RET()
}

func matMul2() {
	TEXT("matMulAVX2", NOSPLIT, matMulSignature)
	matMulDoc("matMulAVX2")
	m := newMatMuls()
	var sums [][]VecPhysical
	for i := range 3 {
		sums = append(sums, []VecPhysical{y(4 * i), y(4*i + 1), y(4*i + 2), y(4*i + 3)})
	}
	alpha, scratch := Y15, Y12
	address, _ := Param("alpha").Resolve()
	VBROADCASTSS(address.Addr, alpha)
	clear := func(s VecPhysical) { VXORPS(s, s, s) }
	stores := 0
	store := func(s VecPhysical, at Mem) {
		stores++
		skip := "stored" + string(rune('a'+stores))
		VXORPS(scratch, scratch, scratch)
		TESTQ(m.add, m.add)
		JZ(LabelRef(skip))
		VMOVUPS(at, scratch)
		Label(skip)
		VFMADD231PS(s, alpha, scratch)
		VMOVUPS(scratch, at)
	}
	for _, rows := range []int{3, 1} {
		name := map[int]string{3: "three", 1: "one"}[rows]
		m.block(name, rows, sums, clear, func(row func(int) Mem, panel GPVirtual) {
			for i := range rows {
				VBROADCASTSS(row(i), y(12+i))
			}
			for v := range 4 {
				for i := range rows {
					VFMADD231PS(Mem{Base: panel, Disp: 32 * v}, y(12+i), sums[i][v])
				}
			}
		}, store)
	}
	VZEROUPPER()
	RET()
}
