package gemm

import "github.com/kdcode/kdcode/internal/parallel"

const (
	// maxDepth is such that a packed tile of a and a panel of b fit the
	// first-level cache together.
	maxDepth = 256
	// maxRows and maxCols bound what is packed of a and b at a time.
	maxRows = 4096
	maxCols = 2048
	// groupPanels is how many panels are multiplied with one tile before the
	// next: as many as fit a part of the second-level cache.
	groupPanels = 8
	// grainWork is the number of multiplications that a range of a divided
	// product has at least: several times what dividing costs.
	grainWork = 1 << 18
	// packWork is the same for floats to be packed.
	packWork = 1 << 14
	// directRows is the most rows of dst for which b is read where it lies,
	// directPanels the most panels for which a is.
	directRows   = 48
	directPanels = 1
)

// A product is a call of Mul under way.
type product struct {
	dst, a Matrix
	b      operand
	add    bool

	// The block under way.
	c      Matrix
	left   left
	right  right
	adds   bool
	toPack int // tiles
	group  int // panels of a group

	// The steps of a block, bound once: they are passed to parallel.For.
	packBoth, mulTiles, mulGroups func(from, to int)
}

// An operand is b: a matrix, or the shape of one and what it was packed to.
type operand struct {
	Matrix
	packed []float32
}

var products = freeList[product]{fresh: newProduct}

func newProduct() *product {
	p := new(product)
	p.packBoth, p.mulGroups = p.pack, p.multiplyGroups
	p.mulTiles = func(from, to int) {
		for i := from; i < to; i++ {
			p.mulTile(i/p.left.tiles(), i%p.left.tiles())
		}
	}
	return p
}

// forget drops what belongs to the caller.
func (p *product) forget() {
	p.dst, p.a, p.b, p.c = Matrix{}, Matrix{}, operand{}, Matrix{}
	p.left.a, p.right.b, p.right.given = Matrix{}, Matrix{}, columns{}
}

// mul goes through the blocks. Those of depth are outermost: a block of a is
// packed once, one of b once for each block of rows.
func (p *product) mul() {
	m, k, n, wide := p.dst.Rows, p.a.Cols, p.dst.Cols, p.wide()
	for d := range blocks(k, maxDepth) {
		depth := block(d, k, maxDepth, 1)
		p.adds = p.add || d > 0
		for r := range blocks(m, maxRows) {
			rows := block(r, m, maxRows, 1)
			p.left.take(p.a.part(rows, depth), n > directPanels*shape.panel)
			if wide {
				p.mulWide(rows, depth)
				continue
			}
			for c := range blocks(n, maxCols) {
				cols := block(c, n, maxCols, shape.panel)
				p.takeRight(depth, cols)
				p.c = p.dst.part(rows, cols)
				p.mulBlock(c == 0)
			}
		}
	}
}

func (p *product) takeRight(depth, cols span) {
	if p.b.packed != nil {
		p.right.takePacked(packedPanels(p.b.packed, p.b.Cols, depth)[cols.from*depth.len():], depth.len(), cols.len())
		return
	}
	p.right.take(p.b.part(depth, cols), p.direct())
}

// direct reports whether b is read where it lies.
func (p *product) direct() bool { return p.b.ColStride == 1 && p.dst.Rows <= directRows }

// mulBlock packs what is to be packed of the block, the left-hand side only if
// it is a new one, and multiplies.
func (p *product) mulBlock(newLeft bool) {
	tiles, panels, depth := p.left.tiles(), p.right.panels(), p.right.b.Rows
	p.toPack = 0
	if p.left.packed && newLeft {
		p.toPack = tiles
	}
	parallel.For(p.toPack+panels-p.right.asIs, 1+packWork/(shape.panel*depth), p.packBoth)
	p.group = min(max(tiles*panels/(8*parallel.Threads()), 1), groupPanels)
	work := p.left.height * depth * p.group * shape.panel
	parallel.For(tiles*blocks(panels, p.group), 1+grainWork/work, p.mulTiles)
}

// pack packs tiles and panels from…to: first the tiles to be packed, then the
// panels.
func (p *product) pack(from, to int) {
	if from < p.toPack {
		p.left.pack(from, min(to, p.toPack))
	}
	if to > p.toPack {
		p.right.pack(max(from-p.toPack, 0), to-p.toPack)
	}
}

// mulTile multiplies a tile with a group of panels.
func (p *product) mulTile(group, tile int) {
	panels := span{group * p.group, min((group+1)*p.group, p.right.panels())}
	cols := span{panels.from * shape.panel, min(panels.to*shape.panel, p.c.Cols)}
	p.right.mul(p.c.part(p.left.at(tile), cols), p.left.tile(tile), panels, p.adds)
}
