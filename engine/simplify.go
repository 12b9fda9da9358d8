package engine

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// graph is the main function of a computation while it is made simpler.
type graph struct {
	backend    *Backend
	parameters []*node
	outputs    []*node
	order      []*node       // what outputs need, operands first
	position   map[*node]int // in order
	instead    map[*node]*node
	known      map[string]*node
	fn         *function
	rank       int // of new nodes: that of the one they stand for
}

// simplify returns the graph of a function with common operations done away
// with or put in a form that kernels know.
func simplify(f *function) *graph {
	g := &graph{backend: f.builder.backend, parameters: f.parameters, fn: f,
		instead: map[*node]*node{}, known: map[string]*node{}}
	all := reachable(f.outputs)
	for _, n := range all {
		for _, x := range n.inputs {
			x.users++
		}
	}
	for _, n := range all {
		g.rank = n.id
		n.rank = n.id
		if len(n.closures) == 0 {
			n.inputs = g.now(n.inputs)
		}
		g.instead[n] = g.simpler(n)
	}
	g.outputs = g.now(f.outputs)
	g.reorder()
	return g
}

// now returns what stands for nodes.
func (g *graph) now(nodes []*node) []*node {
	all := make([]*node, len(nodes))
	for i, n := range nodes {
		all[i] = g.of(n)
	}
	return all
}

// of returns what stands for a node.
func (g *graph) of(n *node) *node {
	for {
		m := g.instead[n]
		if m == nil || m == n {
			return n
		}
		n = m
	}
}

// reorder finds the nodes that are needed, operands first.
func (g *graph) reorder() {
	g.order = nil
	seen := map[*node]bool{}
	var visit func(n *node)
	visit = func(n *node) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, x := range g.operands(n) {
			visit(x)
		}
		g.order = append(g.order, n)
	}
	for _, n := range g.outputs {
		visit(n)
	}
	g.position = make(map[*node]int, len(g.order))
	for i, n := range g.order {
		g.position[n] = i
	}
}

// operands returns what a node reads, captures of its closures included.
func (g *graph) operands(n *node) []*node {
	if len(n.closures) == 0 {
		return n.inputs
	}
	return g.now(n.operands())
}

// users counts how often each node is read.
func (g *graph) users() map[*node][]*node {
	users := map[*node][]*node{}
	for _, n := range g.order {
		for _, x := range g.operands(n) {
			users[x] = append(users[x], n)
		}
	}
	return users
}

// make returns a node in its simplest form.
func (g *graph) make(op compute.OpType, attrs any, shape shapes.Shape, inputs ...*node) *node {
	n := &node{op: op, attrs: attrs, shape: shape, inputs: inputs, fn: g.fn, rank: g.rank}
	n.id = g.fn.builder.nodes
	g.fn.builder.nodes++
	n.build = rebuild(n)
	return g.simpler(n)
}

func (g *graph) reshape(x *node, dims ...int) *node {
	return g.make(compute.OpTypeReshape, nil, shapes.Make(x.shape.DType, dims...), x)
}

// simpler applies rules until none does, and finds the node if there is an
// equal one.
func (g *graph) simpler(n *node) *node {
	if m := g.rule(n); m != n {
		return m
	}
	if key, ok := commonKey(n); ok {
		if m := g.known[key]; m != nil {
			return m
		}
		g.known[key] = n
	}
	return n
}

// commonKey identifies what a node computes. Of nodes whose attributes are
// hidden in how they are built nothing is known.
func commonKey(n *node) (string, bool) {
	if n.op == compute.OpTypeParameter || n.op == compute.OpTypeConstant {
		return "", false
	}
	if n.attrs == nil && !isElementwise(n.op) && n.op != compute.OpTypeReshape && n.op <= opCopy {
		return "", false
	}
	ids := make([]int, len(n.inputs))
	for i, x := range n.inputs {
		ids[i] = x.id
	}
	return fmt.Sprint(n.op, n.shape.DType, n.shape.Dimensions, ids, n.attrs), true
}

// rule returns what may stand for a node, or the node itself.
func (g *graph) rule(n *node) *node {
	if m := g.fold(n); m != n {
		return m
	}
	if n.op != compute.OpTypeParameter && n.op != compute.OpTypeConstant && n.shape.Ok() && n.shape.Size() == 0 {
		return g.constant(dtypes.MakeAnySlice(n.shape.DType, 0), n.shape)
	}
	switch n.op {
	case compute.OpTypeIdentity, compute.OpTypeSchedulingBarrier:
		return n.inputs[0]
	case opPick:
		if from := n.inputs[0]; from.op == compute.OpTypeOptimizationBarrier {
			return g.of(from.inputs[n.attrs.(pick)])
		}
	case compute.OpTypeOptimizationBarrier:
		if len(n.inputs) == 1 {
			return n.inputs[0]
		}
	case compute.OpTypeReshape:
		return g.reshapeRule(n)
	case compute.OpTypeTranspose:
		return g.transposeRule(n)
	case compute.OpTypeBroadcastInDim:
		if n.shape.Size() == n.inputs[0].shape.Size() {
			return g.reshape(n.inputs[0], n.shape.Dimensions...)
		}
	case compute.OpTypeConvertDType:
		return g.convertRule(n)
	case compute.OpTypeSlice:
		return g.sliceRule(n)
	case compute.OpTypePad:
		return g.padRule(n)
	case compute.OpTypeConcatenate:
		return g.concatRule(n)
	case compute.OpTypeFusedSoftmax:
		return g.softmaxRule(n)
	case compute.OpTypeReduceSum, compute.OpTypeReduceMax, compute.OpTypeReduceMin:
		return g.reduceRule(n)
	case compute.OpTypeDotGeneral:
		return g.dotRule(n)
	case compute.OpTypeGather:
		return g.gatherRule(n)
	case compute.OpTypeScatterSum:
		return g.scatterRule(n)
	case compute.OpTypeIota:
		return g.iotaRule(n)
	case compute.OpTypeAdd, compute.OpTypeSub, compute.OpTypeMul, compute.OpTypeDiv:
		return g.neutralRule(n)
	}
	return n
}

func (g *graph) reshapeRule(n *node) *node {
	x := n.inputs[0]
	switch {
	case n.shape.Equal(x.shape):
		return x
	case x.op == compute.OpTypeReshape:
		return g.reshape(x.inputs[0], n.shape.Dimensions...)
	}
	return n
}

// transposeRule drops transpositions of nothing, and takes those of products
// and of element-wise operations on smaller operands into their operands.
func (g *graph) transposeRule(n *node) *node {
	x, order := n.inputs[0], n.attrs.(axes)
	if keepsOrder(x.shape.Dimensions, order) {
		return g.reshape(x, n.shape.Dimensions...)
	}
	switch {
	case x.op == compute.OpTypeTranspose:
		inner := x.attrs.(axes)
		both := make(axes, len(order))
		for i, axis := range order {
			both[i] = inner[axis]
		}
		return g.make(compute.OpTypeTranspose, both, n.shape, x.inputs[0])
	case x.op == opMatMul && isSwap(order) && x.users < 2:
		swap := func(y *node) *node {
			return g.make(compute.OpTypeTranspose, order, shapes.Make(y.shape.DType, y.shape.Dimensions[1], y.shape.Dimensions[0]), y)
		}
		return g.matMul(swap(x.inputs[1]), swap(x.inputs[0]), n.shape.Dimensions, n.users)
	case isElementwise(x.op) && isFloat(x) && allSmaller(x):
		inputs := make([]*node, len(x.inputs))
		for i, y := range x.inputs {
			inputs[i] = y
			if y.shape.Rank() > 0 {
				dims := make([]int, len(order))
				for j, axis := range order {
					dims[j] = y.shape.Dimensions[axis]
				}
				inputs[i] = g.make(compute.OpTypeTranspose, order, shapes.Make(y.shape.DType, dims...), y)
			}
		}
		return g.make(x.op, x.attrs, n.shape, inputs...)
	}
	return n
}

// keepsOrder reports whether a transposition moves axes of size 1 alone.
func keepsOrder(dims []int, order axes) bool {
	last := -1
	for _, axis := range order {
		if dims[axis] == 1 {
			continue
		}
		if axis < last {
			return false
		}
		last = axis
	}
	return true
}

func isSwap(order axes) bool { return len(order) == 2 && order[0] == 1 }

func isFloat(n *node) bool { return n.shape.DType == dtypes.Float32 }

func allSmaller(n *node) bool {
	for _, x := range n.inputs {
		if !isFloat(x) || x.shape.Size() >= n.shape.Size() {
			return false
		}
	}
	return true
}

// convertRule drops conversions to the same type, and finds one-hot vectors:
// whether an index is equal to 0, 1, … of the last axis.
func (g *graph) convertRule(n *node) *node {
	x := n.inputs[0]
	if x.shape.DType == n.shape.DType {
		return x
	}
	if x.op != compute.OpTypeEqual || !isFloat(n) {
		return n
	}
	for i, count := range x.inputs {
		index := x.inputs[1-i]
		depth := n.shape.Dimensions[max(0, n.shape.Rank()-1):]
		if len(depth) == 1 && isCount(count, depth[0]) && index.shape.DType == dtypes.Int32 &&
			index.shape.Rank() == n.shape.Rank() && index.shape.Dimensions[n.shape.Rank()-1] == 1 && index.shape.Size() == n.shape.Size()/depth[0] && depth[0] > 1 {
			return g.make(opOneHot, oneHot{depth[0]}, n.shape, index)
		}
	}
	return n
}

// isCount reports whether a node is 0, 1, … n-1 along the last axis and
// repeated along the others.
func isCount(n *node, size int) bool {
	for n.op == compute.OpTypeReshape || n.op == compute.OpTypeBroadcastInDim {
		if last := n.shape.Rank() - 1; last < 0 || n.shape.Dimensions[last] != size {
			return false
		}
		if b, ok := n.attrs.(broadcast); ok && (len(b.axes) == 0 || b.axes[len(b.axes)-1] != n.shape.Rank()-1) {
			return false
		}
		n = n.inputs[0]
	}
	c, ok := n.attrs.(constant)
	if !ok || n.shape.Size() != size {
		return false
	}
	values, ok := c.flat.([]int32)
	for i, v := range values {
		if int(v) != i {
			return false
		}
	}
	return ok
}

// sliceRule drops slices of everything, and takes those of one operand of a
// concatenation to it, through transpositions.
func (g *graph) sliceRule(n *node) *node {
	x, s := n.inputs[0], n.attrs.(slice)
	if n.shape.Equal(x.shape) {
		return x
	}
	if x.op == compute.OpTypeTranspose {
		return g.sliceOfTranspose(n, x, s)
	}
	if x.op != compute.OpTypeConcatenate || slices.ContainsFunc(s.strides, func(d int) bool { return d > 1 }) {
		return n
	}
	axis, start := x.attrs.(concat).axis, 0
	for _, part := range x.inputs {
		size := part.shape.Dimensions[axis]
		if s.starts[axis] >= start && s.limits[axis] <= start+size {
			of := slice{slices.Clone(s.starts), slices.Clone(s.limits), nil}
			of.starts[axis] -= start
			of.limits[axis] -= start
			return g.make(compute.OpTypeSlice, of, n.shape, part)
		}
		start += size
	}
	return n
}

// sliceOfTranspose transposes the slice of what x transposes.
func (g *graph) sliceOfTranspose(n, x *node, s slice) *node {
	order, rank := x.attrs.(axes), n.shape.Rank()
	of := slice{make([]int, rank), make([]int, rank), make([]int, rank)}
	dims := make([]int, rank)
	for i, axis := range order {
		of.starts[axis], of.limits[axis], of.strides[axis], dims[axis] = s.starts[i], s.limits[i], 1, n.shape.Dimensions[i]
		if i < len(s.strides) {
			of.strides[axis] = s.strides[i]
		}
	}
	part := g.make(compute.OpTypeSlice, of, shapes.Make(n.shape.DType, dims...), x.inputs[0])
	return g.make(compute.OpTypeTranspose, order, n.shape, part)
}

// padRule makes concatenations of paddings at the ends.
func (g *graph) padRule(n *node) *node {
	x, fill := n.inputs[0], n.inputs[1]
	if x.shape.DType.IsPacked() || slices.ContainsFunc(n.attrs.(pad), func(a compute.PadAxis) bool {
		return a.Interior != 0 || a.Start < 0 || a.End < 0
	}) {
		return n
	}
	for axis, a := range n.attrs.(pad) {
		filled := func(size int) *node {
			dims := slices.Clone(x.shape.Dimensions)
			dims[axis] = size
			return g.make(compute.OpTypeBroadcastInDim, broadcast{}, shapes.Make(x.shape.DType, dims...), fill)
		}
		if a.Start+a.End > 0 {
			dims := slices.Clone(x.shape.Dimensions)
			dims[axis] += a.Start + a.End
			x = g.make(compute.OpTypeConcatenate, concat{axis}, shapes.Make(x.shape.DType, dims...), filled(a.Start), x, filled(a.End))
		}
	}
	return x
}

func (g *graph) concatRule(n *node) *node {
	axis := n.attrs.(concat).axis
	var inputs []*node
	for _, x := range n.inputs {
		if x.shape.Dimensions[axis] > 0 {
			inputs = append(inputs, x)
		}
	}
	switch {
	case len(inputs) == 1:
		return inputs[0]
	case len(inputs) < len(n.inputs) && len(inputs) > 0:
		return g.make(compute.OpTypeConcatenate, n.attrs, n.shape, inputs...)
	}
	return n
}

// softmaxRule takes a softmax along the last axis to its parts: the loop that
// they are fused to does all of them row by row, and what gradients need of
// them with it.
func (g *graph) softmaxRule(n *node) *node {
	x, axis := n.inputs[0], n.attrs.(softmax).axis
	if axis < 0 {
		axis += n.shape.Rank()
	}
	if !isFloat(n) || axis != n.shape.Rank()-1 || n.shape.Size() == 0 {
		return n
	}
	col := slices.Clone(n.shape.Dimensions)
	col[axis] = 1
	reduce := func(op compute.OpType, x *node) *node {
		return g.reshape(g.make(op, axes{axis}, shapes.Make(dtypes.Float32, col[:axis]...), x), col...)
	}
	e := g.make(compute.OpTypeExp, nil, n.shape, g.make(compute.OpTypeSub, nil, n.shape, x, reduce(compute.OpTypeReduceMax, x)))
	return g.make(compute.OpTypeDiv, nil, n.shape, e, reduce(compute.OpTypeReduceSum, e))
}

// reduceRule brings reductions to one range of axes: trailing ones, leading
// ones, or some in the middle.
func (g *graph) reduceRule(n *node) *node {
	x, over := n.inputs[0], slices.Clone(n.attrs.(axes))
	if !isFloat(n) || n.shape.Size() == 0 || x.shape.Size() == 0 {
		return n
	}
	if len(over) == 0 {
		for i := range x.shape.Rank() {
			over = append(over, i)
		}
	}
	slices.Sort(over)
	over = slices.DeleteFunc(over, func(axis int) bool { return x.shape.Dimensions[axis] == 1 })
	if len(over) == 0 {
		return g.reshape(x, n.shape.Dimensions...)
	}
	// Axes of size 1 between those reduced count as reduced.
	first, last := over[0], over[len(over)-1]
	split := -1
	for axis := first; axis <= last; axis++ {
		if !slices.Contains(over, axis) && x.shape.Dimensions[axis] > 1 {
			split = axis
		}
	}
	if split < 0 {
		dims := x.shape.Dimensions
		three := []int{product(dims[:first]), product(dims[first : last+1]), product(dims[last+1:])}
		if slices.Equal(dims, three) && slices.Equal(n.attrs.(axes), axes{1}) {
			return n
		}
		r := g.make(n.op, axes{1}, shapes.Make(dtypes.Float32, three[0], three[2]), g.reshape(x, three...))
		return g.reshape(r, n.shape.Dimensions...)
	}
	// The trailing ones first: they leave less to do.
	var trailing, dims []int
	for i, d := range x.shape.Dimensions {
		if i > split && slices.Contains(over, i) {
			trailing = append(trailing, i)
		} else {
			dims = append(dims, d)
		}
	}
	leading := slices.DeleteFunc(slices.Clone(over), func(axis int) bool { return axis > split })
	r := g.make(n.op, axes(trailing), shapes.Make(dtypes.Float32, dims...), x)
	return g.reshape(g.make(n.op, axes(leading), g.without(r.shape, leading), r), n.shape.Dimensions...)
}

func (g *graph) without(s shapes.Shape, over []int) shapes.Shape {
	var dims []int
	for i, d := range s.Dimensions {
		if !slices.Contains(over, i) {
			dims = append(dims, d)
		}
	}
	return shapes.Make(s.DType, dims...)
}

// iotaRule makes a constant of the counted axis alone.
func (g *graph) iotaRule(n *node) *node {
	axis := n.attrs.(iota_).axis
	size := n.shape.Dimensions[axis]
	var flat any
	switch n.shape.DType {
	case dtypes.Int32:
		flat = count[int32](size)
	case dtypes.Int64:
		flat = count[int64](size)
	case dtypes.Float32:
		flat = count[float32](size)
	default:
		return n
	}
	c := g.make(compute.OpTypeConstant, constant{flat}, shapes.Make(n.shape.DType, size))
	return g.make(compute.OpTypeBroadcastInDim, broadcast{[]int{axis}}, n.shape, c)
}

func count[T int32 | int64 | float32](n int) []T {
	c := make([]T, n)
	for i := range c {
		c[i] = T(i)
	}
	return c
}

// neutralRule drops additions of 0 and multiplications by 1.
func (g *graph) neutralRule(n *node) *node {
	if !isFloat(n) {
		return n
	}
	neutral := float32(0)
	if n.op == compute.OpTypeMul || n.op == compute.OpTypeDiv {
		neutral = 1
	}
	x, y := n.inputs[0], n.inputs[1]
	if v, ok := splat(y); ok && v == neutral && x.shape.Equal(n.shape) {
		return x
	}
	if n.op == compute.OpTypeAdd || n.op == compute.OpTypeMul {
		if v, ok := splat(x); ok && v == neutral && y.shape.Equal(n.shape) {
			return y
		}
	}
	return n
}

// splat returns the one value of a constant that is the same everywhere.
func splat(n *node) (float32, bool) {
	for n.op == compute.OpTypeReshape || n.op == compute.OpTypeBroadcastInDim {
		n = n.inputs[0]
	}
	c, ok := n.attrs.(constant)
	if !ok || n.shape.Size() != 1 {
		return 0, false
	}
	values, ok := c.flat.([]float32)
	if !ok {
		return 0, false
	}
	return values[0], true
}
