package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A panelKernel multiplies tiles of a, tile by tile, with the columns of a panel
// that two vectors hold.
//
// A tile keeps its sums in registers, two or one for each row. A step of depth
// loads the vectors of b once and broadcasts one float of each row of a. Of 14
// rows that is 16 loads for 28 multiplications, of 6 it is 8 for 12: fewer loads
// than the processor does in the time.
type panelKernel struct {
	isa
	a, aRow, aRow3, aCol, c, rows GPVirtual
	width                         GPVirtual
}

func mulPanel(s isa) {
	name := "mulPanel" + s.name
	TEXT(name, NOSPLIT, "func(c *float32, ldc int, a *float32, aRow, aCol, aTile int, b *float32, bRow, depth, rows, width int, adds bool)")
	Pragma("noescape")
	Doc(name+fmt.Sprintf(" is, with fused multiplications and additions, for rows, depth and width > 0, width ≤ %d,", 2*s.lanes),
		"",
		"\tfor i := range rows {",
		"\t\tfor j := range width {",
		"\t\t\tsum := 0",
		"\t\t\tfor t := range depth {",
		fmt.Sprintf("\t\t\t\tsum += a[i/%d*aTile+i%%%d*aRow+t*aCol] * b[t*bRow+j]", s.rows, s.rows),
		"\t\t\t}",
		"\t\t\tc[i*ldc+j] = sum, or += with adds",
		"\t\t}",
		"\t}",
		"",
		fmt.Sprintf("It reads %d floats of a row of b where width is at most that, else %d.", s.lanes, 2*s.lanes),
	)
	maskTable = "panelMasks"
	k := &panelKernel{
		isa: s, c: load("c"), a: load("a"), aRow: loadBytes("aRow"), aRow3: GP64(),
		aCol: loadBytes("aCol"), rows: load("rows"), width: load("width"),
	}
	LEAQ(Mem{Base: k.aRow, Index: k.aRow, Scale: 2}, k.aRow3)
	CMPQ(k.width, U8(s.lanes))
	JLE(LabelRef("narrow"))
	k.panel("wide", 2)
	Label("narrow")
	k.panel("narrow", 1)
}

// panel does all rows with so many vectors of columns, and returns.
func (k *panelKernel) panel(name string, vectors int) {
	CMPQ(k.rows, U8(k.isa.rows))
	JL(LabelRef(name + "Rest"))
	Label(name + "Tiles")
	k.tile(name, k.isa.rows, vectors)
	tile := loadBytes("aTile")
	ADDQ(tile, k.a)
	SUBQ(U8(k.isa.rows), k.rows)
	CMPQ(k.rows, U8(k.isa.rows))
	JGE(LabelRef(name + "Tiles"))
	Label(name + "Rest")
	for rows := k.isa.rows - 1; rows > 0; rows-- {
		CMPQ(k.rows, U8(rows))
		JE(LabelRef(fmt.Sprintf("%s%d", name, rows)))
	}
	VZEROUPPER()
	RET()
	for rows := k.isa.rows - 1; rows > 0; rows-- {
		Label(fmt.Sprintf("%s%d", name, rows))
		k.tile(fmt.Sprintf("%s%d", name, rows), rows, vectors)
		VZEROUPPER()
		RET()
	}
}

// tile multiplies one tile and leaves c at the row after it.
func (k *panelKernel) tile(name string, rows, vectors int) {
	sum := func(row, v int) VecPhysical { return k.regs[row*vectors+v] }
	free := k.regs[rows*vectors:]
	b, x := free[:vectors], k.regs[len(k.regs)-2:]
	if len(free) < vectors+2 {
		panic("a tile needs more registers than there are")
	}
	for row := range rows {
		for v := range vectors {
			k.zero(sum(row, v))
		}
	}
	at := k.rowPointers(rows)
	bAt, bRow, left := load("b"), loadBytes("bRow"), load("depth")
	Label(name + "Depth")
	for v := range vectors {
		VMOVUPS(Mem{Base: bAt, Disp: v * k.bytes()}, b[v])
	}
	for row := range rows {
		VBROADCASTSS(k.row(at, row), x[row%2])
		for v := range vectors {
			VFMADD231PS(b[v], x[row%2], sum(row, v))
		}
	}
	for _, p := range at {
		ADDQ(k.aCol, p)
	}
	ADDQ(bRow, bAt)
	DECQ(left)
	JNZ(LabelRef(name + "Depth"))
	k.store(name, rows, vectors, sum, free)
}

// rowPointers returns pointers to every fourth row of a tile.
func (k *panelKernel) rowPointers(rows int) []GPVirtual {
	var at []GPVirtual
	for row := 0; row < rows; row += 4 {
		p := GP64()
		if row == 0 {
			MOVQ(k.a, p)
		} else {
			LEAQ(Mem{Base: at[len(at)-1], Index: k.aRow, Scale: 4}, p)
		}
		at = append(at, p)
	}
	return at
}

// row returns where a row of the tile lies.
func (k *panelKernel) row(at []GPVirtual, row int) Mem {
	m := Mem{Base: at[row/4]}
	switch row % 4 {
	case 1:
		m.Index, m.Scale = k.aRow, 1
	case 2:
		m.Index, m.Scale = k.aRow, 2
	case 3:
		m.Index, m.Scale = k.aRow3, 1
	}
	return m
}

// store writes the sums to c, or adds them.
func (k *panelKernel) store(name string, rows, vectors int, sum func(row, v int) VecPhysical, free []VecPhysical) {
	ldc, adds := loadBytes("ldc"), GP64()
	Load(Param("adds"), adds.As8())
	lanes := make([]Op, vectors)
	for v := range vectors {
		n := GP64()
		LEAQ(Mem{Base: k.width, Disp: -v * k.lanes}, n)
		lanes[v] = k.mask(n, free[v])
	}
	each := func(do func(row, v int, at Mem)) {
		for row := range rows {
			for v := range vectors {
				do(row, v, Mem{Base: k.c, Disp: v * k.bytes()})
			}
			ADDQ(ldc, k.c)
		}
	}
	TESTB(adds.As8(), adds.As8())
	JZ(LabelRef(name + "Set"))
	old := k.regs[len(k.regs)-2:]
	each(func(row, v int, at Mem) {
		k.loadMasked(at, lanes[v], old[v])
		VADDPS(old[v], sum(row, v), sum(row, v))
		k.storeMasked(sum(row, v), lanes[v], at)
	})
	JMP(LabelRef(name + "Stored"))
	Label(name + "Set")
	each(func(row, v int, at Mem) { k.storeMasked(sum(row, v), lanes[v], at) })
	Label(name + "Stored")
}
