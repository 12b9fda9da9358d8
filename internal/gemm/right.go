package gemm

// right is the right-hand side of a block: columns of b, in panels. Some may be
// multiplied where they lie, the first ones; the others are packed.
type right struct {
	b      Matrix
	asIs   int     // panels not to be packed
	given  columns // those
	own    columns // the others
	memory []float32
}

// take makes columns of b the right-hand side: packed, or with direct where they
// lie. A last panel that is not whole is packed in any case: kernels read all its
// columns.
func (r *right) take(b Matrix, direct bool) {
	r.b, r.asIs, r.given = b, 0, columns{}
	if direct {
		r.asIs = b.Cols / shape.panel
		r.given = columns{data: b.Data, row: b.RowStride, panel: shape.panel}
	}
	r.memory = atLeast(r.memory, (r.panels()-r.asIs)*shape.panel*b.Rows)
	r.own = columns{data: r.memory, row: shape.panel, panel: shape.panel * b.Rows}
}

// takePacked makes panels that were packed before the right-hand side.
func (r *right) takePacked(data []float32, depth, cols int) {
	r.b = Matrix{Rows: depth, Cols: cols}
	r.asIs = r.panels()
	r.given = columns{data: data, row: shape.panel, panel: shape.panel * depth}
}

func (r *right) panels() int { return blocks(r.b.Cols, shape.panel) }

// pack packs panels from…to of those that do not lie as they are.
func (r *right) pack(from, to int) {
	packPanels(r.own.from(from).data, r.b, span{r.asIs + from, r.asIs + to})
}

// packPanels packs some panels of b.
func packPanels(dst []float32, b Matrix, panels span) {
	part := b.cols(span{panels.from * shape.panel, min(panels.to*shape.panel, b.Cols)})
	layout := layout{piece: shape.panel, next: shape.panel * b.Rows, step: shape.panel}
	pack(dst, layout, part.Data, part.ColStride, part.RowStride, part.Cols, part.Rows)
}

// mul multiplies a tile with panels from…to; c has their columns.
func (r *right) mul(c Matrix, a rows, panels span, adds bool) {
	if lie := min(panels.to, r.asIs); panels.from < lie {
		cols := min(c.Cols, (lie-panels.from)*shape.panel)
		mulTile(c.cols(span{0, cols}), a, r.given.from(panels.from), r.b.Rows, adds)
		if lie == panels.to {
			return
		}
		c, panels.from = c.cols(span{cols, c.Cols}), lie
	}
	mulTile(c, a, r.own.from(panels.from-r.asIs), r.b.Rows, adds)
}
