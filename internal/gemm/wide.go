package gemm

import "github.com/kdcode/kdcode/internal/parallel"

// wideGroups is how many groups of panels there are for each processor in a
// product that is divided by columns alone: so many that it matters little who
// does the last one.
const wideGroups = 8

// wide reports whether the columns are enough to be divided alone. Each group of
// panels is then packed by whoever multiplies it, and is still in its second-level
// cache: nobody waits for all of b to be packed.
func (p *product) wide() bool {
	return p.b.packed == nil && !p.direct() && p.dst.Cols >= wideGroups*parallel.Threads()*groupPanels*shape.panel
}

// mulWide multiplies the rows of the left-hand side with all columns of b.
func (p *product) mulWide(rows, depth span) {
	all := span{0, p.dst.Cols}
	p.right.b, p.c = p.b.part(depth, all), p.dst.part(rows, all)
	p.toPack = 0
	if p.left.packed {
		p.toPack = p.left.tiles()
	}
	parallel.For(p.toPack, 1+packWork/(shape.step*depth.len()), p.packBoth)
	parallel.For(blocks(p.right.panels(), groupPanels), 1, p.mulGroups)
}

// scratch is the memory of one group of panels.
type scratch struct{ floats []float32 }

var scratches = freeList[scratch]{fresh: func() *scratch { return new(scratch) }}

// multiplyGroups packs groups from…to and multiplies them with all tiles.
func (p *product) multiplyGroups(from, to int) {
	depth := p.right.b.Rows
	s := scratches.get()
	defer scratches.put(s)
	s.floats = atLeast(s.floats, groupPanels*shape.panel*depth)
	b := columns{data: s.floats, row: shape.panel, panel: shape.panel * depth}
	for g := from; g < to; g++ {
		panels := span{g * groupPanels, min((g+1)*groupPanels, p.right.panels())}
		packPanels(b.data, p.right.b, panels)
		cols := span{panels.from * shape.panel, min(panels.to*shape.panel, p.c.Cols)}
		for t := range p.left.tiles() {
			mulTile(p.c.part(p.left.at(t), cols), p.left.tile(t), b, depth, p.adds)
		}
	}
}
