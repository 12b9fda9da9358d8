package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A tileKernel multiplies a few rows of a with columns of b, panel by panel of
// two vectors.
//
// It keeps the sums of a panel in registers, two or one for each row. A step of
// depth loads the vectors of b once and broadcasts one float of each row of a. Of
// 14 rows that is 16 loads for 28 multiplications, of 6 it is 8 for 12: fewer
// loads than the processor does in the time. Meanwhile the next panel comes to
// the second-level cache: the rows of a matrix that is not packed are too far
// apart for the processor to see what comes next.
type tileKernel struct {
	isa
	aRow, aRow3, aCol, c, b, cols GPVirtual
}

func mulTile(s isa) {
	name := "mulTile" + s.name
	TEXT(name, NOSPLIT, "func(c *float32, ldc int, a *float32, aRow, aCol int, b *float32, bRow, bPanel, depth, rows, cols int, adds bool)")
	Pragma("noescape")
	Doc(name+fmt.Sprintf(" is, with fused multiplications and additions, for depth, rows and cols > 0, rows ≤ %d,", s.rows),
		"",
		"\tfor i := range rows {",
		"\t\tfor j := range cols {",
		"\t\t\tsum := 0",
		"\t\t\tfor t := range depth {",
		fmt.Sprintf("\t\t\t\tsum += a[i*aRow+t*aCol] * b[j/%d*bPanel+t*bRow+j%%%d]", 2*s.lanes, 2*s.lanes),
		"\t\t\t}",
		"\t\t\tc[i*ldc+j] = sum, or += with adds",
		"\t\t}",
		"\t}",
		"",
		fmt.Sprintf("Of a panel's row it reads %d floats, or %d where c has no further columns.", 2*s.lanes, s.lanes),
	)
	maskTable = "tileMasks"
	k := &tileKernel{
		isa: s, c: load("c"), b: load("b"), cols: load("cols"),
		aRow: loadBytes("aRow"), aRow3: GP64(), aCol: loadBytes("aCol"),
	}
	LEAQ(Mem{Base: k.aRow, Index: k.aRow, Scale: 2}, k.aRow3)
	rows := load("rows")
	for r := s.rows; r > 1; r-- {
		CMPQ(rows, U8(r))
		JE(LabelRef(fmt.Sprintf("rows%d", r)))
	}
	for r := 1; r <= s.rows; r++ {
		k.panels(fmt.Sprintf("rows%d", r), r)
	}
}

// panels goes through the panels with so many rows, and returns.
func (k *tileKernel) panels(name string, rows int) {
	Label(name)
	CMPQ(k.cols, U8(k.lanes))
	JLE(LabelRef(name + "Half"))
	k.tile(name, rows, 2)
	panel := loadBytes("bPanel")
	ADDQ(panel, k.b)
	ADDQ(U32(2*k.bytes()), k.c)
	SUBQ(U8(2*k.lanes), k.cols)
	JG(LabelRef(name))
	VZEROUPPER()
	RET()
	Label(name + "Half")
	k.tile(name+"Half", rows, 1)
	VZEROUPPER()
	RET()
}

// tile multiplies the rows with the first vectors of a panel.
func (k *tileKernel) tile(name string, rows, vectors int) {
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
	k.prefetchC(rows, vectors)
	at := k.rowPointers(rows)
	bAt, bRow, next, left := GP64(), loadBytes("bRow"), loadBytes("bPanel"), load("depth")
	MOVQ(k.b, bAt)
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
	for line := 0; line < vectors*k.bytes(); line += 64 {
		PREFETCHT1(Mem{Base: bAt, Index: next, Scale: 1, Disp: line})
	}
	for _, p := range at {
		ADDQ(k.aCol, p)
	}
	ADDQ(bRow, bAt)
	DECQ(left)
	JNZ(LabelRef(name + "Depth"))
	k.store(name, rows, vectors, sum, free)
}

// prefetchC has the tile of c on its way while the sums are made.
func (k *tileKernel) prefetchC(rows, vectors int) {
	c, ldc := GP64(), loadBytes("ldc")
	MOVQ(k.c, c)
	for row := range rows {
		for line := 0; line < vectors*k.bytes(); line += 64 {
			PREFETCHT0(Mem{Base: c, Disp: line})
		}
		if row+1 < rows {
			ADDQ(ldc, c)
		}
	}
}

// rowPointers returns pointers to every fourth row of a.
func (k *tileKernel) rowPointers(rows int) []GPVirtual {
	at := []GPVirtual{load("a")}
	for len(at)*4 < rows {
		p := GP64()
		LEAQ(Mem{Base: at[len(at)-1], Index: k.aRow, Scale: 4}, p)
		at = append(at, p)
	}
	return at
}

// row returns where a row of a is.
func (k *tileKernel) row(at []GPVirtual, row int) Mem {
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
func (k *tileKernel) store(name string, rows, vectors int, sum func(row, v int) VecPhysical, free []VecPhysical) {
	ldc, adds, c := loadBytes("ldc"), GP64(), GP64()
	Load(Param("adds"), adds.As8())
	lanes := make([]Op, vectors)
	for v := range vectors {
		n := GP64()
		LEAQ(Mem{Base: k.cols, Disp: -v * k.lanes}, n)
		lanes[v] = k.mask(n, free[v])
	}
	each := func(do func(row, v int, at Mem)) {
		MOVQ(k.c, c)
		for row := range rows {
			for v := range vectors {
				do(row, v, Mem{Base: c, Disp: v * k.bytes()})
			}
			if row+1 < rows {
				ADDQ(ldc, c)
			}
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
