package gemm

import (
	"github.com/kdcode/kdcode/internal/parallel"
	"github.com/kdcode/kdcode/internal/simd"
)

const (
	// maxDepth is such that a panel of b, maxDepth×32 floats, fits the
	// first-level cache with room for a tile of a.
	maxDepth = 256
	// maxTiles bounds the floats of the packed tiles of a to what fits the
	// second-level cache beside a panel and a part of dst.
	maxTiles = 320 << 10
	// grainWork is the number of multiplications that a range of tiles has at
	// least: several times what it costs to have another processor do it.
	grainWork = 1 << 18
	// packWork is the same for floats to be packed.
	packWork = 1 << 14
	// directRows and directPanels are the most rows of dst for which b, and
	// panels of dst for which a, is read where it lies.
	directRows   = 48
	directPanels = 1
)

// A product is a call of Mul under way.
type product struct {
	dst, a Matrix
	b      right
	add    bool

	// The block under way: rows and depth of a, and whether it adds to dst.
	rows, depth span
	adds        bool
	tiles       tiles
	packed      []float32 // memory of the tiles

	// The steps of a block, bound once: they are passed to parallel.For.
	packTiles, mulTiles func(from, to int)
}

var products = freeList[product]{fresh: func() *product {
	p := new(product)
	p.packTiles, p.mulTiles = p.pack, p.multiply
	return p
}}

// A span is the indices from…to.
type span struct{ from, to int }

func (s span) len() int { return s.to - s.from }

// blocks returns how many blocks of at most size n has.
func blocks(n, size int) int { return (n + size - 1) / size }

// block returns block i of n cut into count blocks that are as equal as whole
// multiples of unit allow.
func block(i, n, count, unit int) span {
	size := blocks(blocks(n, count), unit) * unit
	return span{min(i*size, n), min((i+1)*size, n)}
}

// depthBlock returns block i of the depth.
func depthBlock(i, k int) span { return block(i, k, blocks(k, maxDepth), 1) }

func (p *product) mul(dst, a Matrix, b right, add bool) {
	p.dst, p.a, p.b, p.add = dst, a, b, add
	for d := range blocks(a.Cols, maxDepth) {
		p.depth = depthBlock(d, a.Cols)
		p.adds = add || d > 0
		count := blocks(a.Rows, p.maxRows())
		for r := range count {
			p.rows = block(r, a.Rows, count, tileRows())
			p.mulBlock()
		}
	}
	p.dst, p.a, p.b, p.tiles = Matrix{}, Matrix{}, right{}, tiles{}
}

// maxRows is how many rows of the block's depth fit the packed tiles.
func (p *product) maxRows() int {
	return max(maxTiles/(p.depth.len()*tileStep()), 1) * tileRows()
}

func (p *product) mulBlock() {
	count := blocks(p.rows.len(), tileRows())
	if blocks(p.dst.Cols, panel) <= directPanels {
		p.tiles = p.a.tiles(p.rows, p.depth)
	} else {
		p.tiles = packedTiles(p.memory(count*tileStep()*p.depth.len()), p.depth.len())
		parallel.For(count, 1+packWork/(p.depth.len()*tileStep()), p.packTiles)
	}
	work := p.depth.len() * min(tileRows(), p.rows.len()) * panel
	parallel.For(count*blocks(p.dst.Cols, panel), 1+grainWork/work, p.mulTiles)
}

// memory returns n floats for the packed tiles.
func (p *product) memory(n int) []float32 {
	if cap(p.packed) < n {
		p.packed = simd.AlignedFloats(n)
	}
	return p.packed[:n]
}

// pack packs tiles from…to of the block's rows of a.
func (p *product) pack(from, to int) {
	for t := from; t < to; t++ {
		row := p.rows.from + t*tileRows()
		width := min(tileRows(), p.rows.to-row)
		src := p.a.Data[row*p.a.RowStride+p.depth.from*p.a.ColStride:]
		pack(p.tiles.at(t), tileStep(), src, p.a.RowStride, p.a.ColStride, width, p.depth.len())
	}
}

// multiply does tiles from…to, counted through all tiles of the first panel,
// then through those of the next.
func (p *product) multiply(from, to int) {
	count := blocks(p.rows.len(), tileRows())
	buffer := panelBuffers.get()
	for from < to {
		col, tile := from/count*panel, from%count
		end := min(count, tile+to-from)
		width := min(panel, p.dst.Cols-col)
		b, bRow := p.b.panel(buffer, p.depth, col, width, p.dst.Rows)
		row := p.rows.from + tile*tileRows()
		rows := min(p.rows.from+end*tileRows(), p.rows.to) - row
		c := p.dst.Data[row*p.dst.RowStride+col:]
		mulPanel(c, p.dst.RowStride, p.tiles, tile, b, bRow, p.depth.len(), rows, width, p.adds)
		from += end - tile
	}
	panelBuffers.put(buffer)
}
