package engine

import (
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// Graphs of small whole numbers: no operation rounds them, in whatever order sums
// are added up, so that anything may be computed of anything, and results are
// equal or wrong. The other growers leave comparisons of sums out, for instance.

var (
	wholeTypes = []dtypes.DType{dtypes.Float32, dtypes.Float32, dtypes.Float32, dtypes.Int32, dtypes.Int64, dtypes.Uint32, dtypes.Uint64, dtypes.Float64}

	wholeUnaries = []func(compute.Function, compute.Value) (compute.Value, error){
		compute.Function.Neg, compute.Function.Abs, compute.Function.Sign, compute.Function.Floor, compute.Function.Ceil,
		compute.Function.Round, compute.Function.Identity,
	}
	wholeComparers = []func(compute.Function, compute.Value, compute.Value) (compute.Value, error){
		compute.Function.Equal, compute.Function.NotEqual, compute.Function.LessThan, compute.Function.LessOrEqual,
		compute.Function.GreaterThan, compute.Function.GreaterOrEqual,
	}
	logicals = []func(compute.Function, compute.Value, compute.Value) (compute.Value, error){
		compute.Function.LogicalAnd, compute.Function.LogicalOr, compute.Function.LogicalXor,
	}
	bitwise = []func(compute.Function, compute.Value, compute.Value) (compute.Value, error){
		compute.Function.BitwiseAnd, compute.Function.BitwiseOr, compute.Function.BitwiseXor,
	}
)

// growWhole adds an operation on whole numbers.
func (g *grower) growWhole() {
	g.whole = true
	v := g.values[g.rng.IntN(len(g.values))]
	s := g.shape(v)
	isBool := s.DType == dtypes.Bool
	switch g.rng.IntN(25) {
	case 0:
		g.convertWhole(v, s)
	case 1, 2:
		if isBool {
			g.keep(g.f.LogicalNot(v))
		} else if op := g.rng.IntN(len(wholeUnaries)); s.DType.IsFloat() || op < 1 && !s.DType.IsUnsigned() {
			g.keep(wholeUnaries[op](g.f, v))
		}
	case 3, 4, 5, 6:
		x, y := v, g.operand(s)
		if g.rng.IntN(2) == 0 {
			x, y = y, x
		}
		switch {
		case isBool:
			g.keep(logicals[g.rng.IntN(len(logicals))](g.f, x, y))
		case s.DType.IsInt() && g.rng.IntN(3) == 0:
			g.keep(g.small(must(bitwise[g.rng.IntN(len(bitwise))](g.f, x, y))), nil)
		default:
			g.keep(g.small(must(binaries[g.rng.IntN(len(binaries))](g.f, x, y))), nil)
		}
	case 7, 8:
		if !isBool {
			g.keep(wholeComparers[g.rng.IntN(len(wholeComparers))](g.f, v, g.operand(s)))
		}
	case 9:
		g.choose(v, s)
	case 10, 11:
		if !isBool && s.Size() > 0 {
			over := g.rng.Perm(s.Rank())[:g.rng.IntN(s.Rank()+1)]
			g.keep(g.small(must(reducers[g.rng.IntN(len(reducers))](g.f, v, over...))), nil)
		}
	case 12:
		g.keep(g.f.Transpose(v, g.rng.Perm(s.Rank())...))
	case 13:
		g.keep(g.f.Reshape(v, g.otherDims(s)...))
	case 14:
		g.slice(v, s)
	case 15:
		if s.Rank() < 5 {
			g.broadcast(v, s)
		}
	case 16:
		if s.Rank() > 0 && s.Size() < 1<<12 {
			g.keep(g.f.Concatenate(g.rng.IntN(s.Rank()), v, g.same(v, s), v))
		}
	case 17:
		g.dotWhole(v, s)
	case 18:
		g.byIndexWhole(v, s)
	case 19:
		g.hotWhole(v, s)
	case 20:
		if s.DType == dtypes.Float32 && s.Rank() > 0 && s.Size() > 0 {
			t := []dtypes.DType{dtypes.Int32, dtypes.Int32, dtypes.Int64}[g.rng.IntN(3)]
			g.keep(g.small(must(g.f.ArgMinMax(v, g.rng.IntN(s.Rank()), t, g.rng.IntN(2) == 0))), nil)
		}
	case 21:
		t := []dtypes.DType{dtypes.Float32, dtypes.Int32, dtypes.Int64}[g.rng.IntN(3)]
		if s.Rank() > 0 {
			g.keep(g.small(must(g.f.Iota(shapes.Make(t, s.Dimensions...), g.rng.IntN(s.Rank())))), nil)
		}
	case 22:
		g.parameter(shapes.Make(dtypes.Float32, s.Dimensions...))
	case 23:
		g.delegatedWhole(v, s)
	case 24:
		if s.DType == dtypes.Float32 && !g.special { // docs/engine.md: zeros that are known are not multiplied
			g.pad(v, s)
		}
	}
}

// delegatedWhole goes through operations that have no kernels, some with closures.
func (g *grower) delegatedWhole(v compute.Value, s shapes.Shape) {
	if s.Rank() == 0 || s.Size() == 0 || s.DType == dtypes.Bool {
		return
	}
	axis := g.rng.IntN(s.Rank())
	switch g.rng.IntN(4) {
	case 0:
		g.keep(g.f.Reverse(v, axis))
	case 1:
		g.keep(g.small(must(g.f.CumSum(v, axis, compute.CumSumOptions{}))), nil)
	case 2:
		if g.special { // in which order would NaNs be?
			return
		}
		less := must(g.f.Closure())
		x, y := must(less.Parameter("x", shapes.Make(s.DType), nil)), must(less.Parameter("y", shapes.Make(s.DType), nil))
		returning(less, must(less.LessThan(x, y)))
		g.keep(must(g.f.Sort(less, axis, true, v))[0], nil)
	case 3:
		other, condition := g.same(v, s), must(g.f.LessThan(must(g.f.ReduceMax(v)), g.number(s.DType, 3)))
		yes, no := must(g.f.Closure()), must(g.f.Closure())
		out := must(g.f.If(condition, returning(yes, must(yes.Max(v, other))), returning(no, must(no.Min(v, other)))))
		g.keep(out[0], nil)
	}
}

// growSpecial is growWhole with infinities and NaNs among the inputs.
func (g *grower) growSpecial() {
	g.special = true
	g.growWhole()
}

// small keeps numbers from -8 to 8, or from 0 to 8.
func (g *grower) small(v compute.Value) compute.Value {
	t := g.shape(v).DType
	low := g.number(t, -8)
	if t.IsUnsigned() {
		low = g.number(t, 0)
	}
	if g.rng.IntN(2) == 0 {
		return must(g.f.Max(low, must(g.f.Min(v, g.number(t, 8)))))
	}
	return must(g.f.Clamp(low, v, g.number(t, 8)))
}

// number returns a constant.
func (g *grower) number(t dtypes.DType, x int32) compute.Value {
	c := must(g.f.Constant([]int32{x}))
	if t == dtypes.Int32 {
		return c
	}
	return must(g.f.ConvertDType(c, t))
}

func (g *grower) convertWhole(v compute.Value, s shapes.Shape) {
	t := wholeTypes[g.rng.IntN(len(wholeTypes))]
	if t == s.DType {
		return
	}
	if t.IsUnsigned() && s.DType != dtypes.Bool && !s.DType.IsUnsigned() {
		v = must(g.f.Abs(must(g.f.Max(v, g.number(s.DType, 0))))) // no negative numbers
	}
	g.keep(g.f.ConvertDType(v, t))
}

// operand returns something to combine with a value of that shape: any that fits,
// a number, or a part of one of that shape, which is then repeated.
func (g *grower) operand(s shapes.Shape) compute.Value {
	fits := func(t shapes.Shape) bool {
		if t.DType != s.DType || t.Rank() != s.Rank() && t.Rank() > 0 {
			return false
		}
		for i, d := range t.Dimensions {
			if d != s.Dimensions[i] && (d != 1 || s.Size() == 0) {
				return false
			}
		}
		return true
	}
	switch v := g.pick(fits); {
	case v != nil && g.rng.IntN(4) > 0:
		return v
	case s.DType != dtypes.Bool && g.rng.IntN(2) == 0:
		return g.number(s.DType, int32(g.rng.IntN(3)))
	}
	v := g.same(nil, s)
	if v == nil {
		return must(g.f.ConvertDType(g.number(dtypes.Int32, 1), s.DType))
	}
	starts, limits, strides := make([]int, s.Rank()), slices.Clone(s.Dimensions), make([]int, s.Rank())
	for i, d := range s.Dimensions {
		strides[i] = 1
		if d > 1 && g.rng.IntN(2) == 0 && s.Size() > 0 {
			starts[i] = g.rng.IntN(d)
			limits[i] = starts[i] + 1
		}
	}
	return must(g.f.Slice(v, starts, limits, strides))
}

// choose chooses by a condition: of any value's shape, or one for all.
func (g *grower) choose(v compute.Value, s shapes.Shape) {
	condition := g.pick(func(t shapes.Shape) bool {
		return t.DType == dtypes.Bool && (t.Rank() == 0 || t.EqualDimensions(s))
	})
	if condition == nil {
		if s.DType == dtypes.Bool {
			return
		}
		condition = must(g.f.LessThan(v, g.number(s.DType, 1)))
	}
	other := g.same(v, s)
	if s.DType != dtypes.Bool && g.rng.IntN(3) == 0 {
		other = g.number(s.DType, int32(g.rng.IntN(3)))
	}
	if g.rng.IntN(2) == 0 {
		v, other = other, v
	}
	g.keep(g.f.Where(condition, v, other))
}

// dotWhole contracts any axes with those of another value, or of the same one.
func (g *grower) dotWhole(v compute.Value, s shapes.Shape) {
	if s.DType == dtypes.Bool || s.Rank() == 0 || s.Size() > 1<<10 {
		return
	}
	order := g.rng.Perm(s.Rank())
	contract := g.rng.IntN(s.Rank() + 1)
	batch := contract + g.rng.IntN(s.Rank()-contract+1)
	w := must(g.f.Transpose(g.same(v, s), g.rng.Perm(s.Rank())...))
	t := g.shape(w)
	var to []int // an axis of w for each of v that is contracted or a batch
	used := map[int]bool{}
	for _, axis := range order[:batch] {
		for i, d := range t.Dimensions {
			if !used[i] && d == s.Dimensions[axis] {
				used[i] = true
				to = append(to, i)
				break
			}
		}
	}
	if len(to) < batch {
		return
	}
	free := 1
	for i, d := range t.Dimensions {
		if !used[i] {
			free *= d
		}
	}
	if free*s.Size() > 1<<16 || 2*s.Rank()-2*batch+batch-contract > 5 {
		return
	}
	p := must(g.f.DotGeneral(v, order[:contract], order[contract:batch], w, to[:contract], to[contract:], compute.DotGeneralConfig{}))
	g.keep(g.small(p), nil)
}

// byIndexWhole takes parts of a value at indices that were computed, and adds them
// there, or elsewhere.
func (g *grower) byIndexWhole(v compute.Value, s shapes.Shape) {
	if s.Rank() == 0 || s.Size() == 0 || s.DType == dtypes.Bool {
		return
	}
	index := g.pick(func(t shapes.Shape) bool {
		return (t.DType == dtypes.Int32 || t.DType == dtypes.Int64) && t.Size() > 0 && t.Size() < 100 && t.Rank() < 3
	})
	if index == nil {
		index = g.indices(s.Dimensions[0], 3)
	}
	t := g.shape(index)
	index = must(g.f.Reshape(index, append(slices.Clone(t.Dimensions), 1)...))
	axis := g.rng.IntN(s.Rank()) * g.rng.IntN(2)
	var offsets []int
	sizes := slices.Clone(s.Dimensions)
	for i := range s.Rank() - 1 {
		offsets = append(offsets, t.Rank()+i)
	}
	sizes[axis] = 1
	if product(sizes)*t.Size() > 1<<16 {
		return
	}
	taken := g.keep(g.f.Gather(v, index, t.Rank(), offsets, []int{axis}, []int{axis}, sizes, false)) // indices outside are those of the nearest
	inside := must(g.f.Clamp(g.number(t.DType, 0), index, g.number(t.DType, int32(s.Dimensions[axis]-1))))
	add := []func(f compute.Function, x, indices, updates compute.Value, indexVectorAxis int, updateWindowAxes, insertedWindowAxes, scatterAxesToOperandAxes []int, sorted, unique bool) (compute.Value, error){
		compute.Function.ScatterSum, compute.Function.ScatterSum, compute.Function.ScatterMax}[g.rng.IntN(3)]
	g.keep(g.small(must(add(g.f, g.same(v, s), inside, taken, t.Rank(), offsets, []int{axis}, []int{axis}, false, false))), nil)
}

// hotWhole compares whole numbers with 0, 1, … along any axis, repeated in any
// way, and multiplies with what comes of it.
func (g *grower) hotWhole(v compute.Value, s shapes.Shape) {
	if s.DType != dtypes.Int32 || s.Rank() == 0 || s.Size() == 0 || s.Size() > 1<<10 {
		return
	}
	depth := g.sizes[g.rng.IntN(len(g.sizes))]
	if depth == 0 {
		return
	}
	index := must(g.f.Reshape(v, s.Size(), 1))
	short, full := shapes.Make(dtypes.Int32, 1, depth), shapes.Make(dtypes.Int32, s.Size(), depth)
	var count compute.Value
	switch g.rng.IntN(4) {
	case 0:
		count = must(g.f.Iota(short, 1))
	case 1:
		count = must(g.f.Iota(full, g.rng.IntN(2)))
	case 2:
		count = must(g.f.BroadcastInDim(must(g.f.Iota(shapes.Make(dtypes.Int32, s.Size(), 1), 0)), full, []int{0, 1}))
	case 3:
		count = must(g.f.BroadcastInDim(must(g.f.Iota(short, 1)), full, []int{0, 1}))
	}
	hot := g.keep(g.f.ConvertDType(must(g.f.Equal(index, count)), dtypes.Float32))
	if g.special { // docs/engine.md: zeros that are known are not multiplied
		return
	}
	switch rows := g.pick(func(t shapes.Shape) bool { return t.DType == dtypes.Float32 && t.Rank() == 2 && t.Size() < 1<<12 }); {
	case rows == nil:
	case g.shape(rows).Dimensions[0] == depth:
		g.keep(g.small(must(g.f.DotGeneral(hot, []int{1}, nil, rows, []int{0}, nil, compute.DotGeneralConfig{}))), nil)
	case g.shape(rows).Dimensions[0] == s.Size():
		g.keep(g.small(must(g.f.DotGeneral(hot, []int{0}, nil, rows, []int{0}, nil, compute.DotGeneralConfig{}))), nil)
	}
}

// TestNumbers compares graphs of whole numbers with those of the Go backend.
func TestNumbers(t *testing.T) {
	ours, theirs := newBackend(t), theirs(t)
	for name, s := range sizes {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(150) {
				compare(t, ours, theirs, (*grower).growWhole, seed, 2+int(seed)%40, s)
				compare(t, ours, theirs, (*grower).growSpecial, seed, 2+int(seed)%40, s)
			}
		})
	}
}
