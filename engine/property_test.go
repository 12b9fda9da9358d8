package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"
)

// A grower grows a random graph: the same one of the same seed in every
// backend.
type grower struct {
	rng    *rand.Rand
	f      compute.Function
	values []compute.Value
	params []shapes.Shape
	sizes  []int // to choose the sizes of axes from

	// inexact are values that may differ in their last bits: nothing that jumps
	// is computed of them.
	inexact map[compute.Value]bool

	whole, special bool // inputs are whole numbers, or have infinities and NaNs
}

// from notes that a value was computed of others, by an operation that rounds
// in its own way or not.
func (g *grower) from(v compute.Value, rounds bool, of ...compute.Value) compute.Value {
	g.inexact[v] = rounds
	for _, x := range of {
		g.inexact[v] = g.inexact[v] || g.inexact[x]
	}
	return v
}

func (g *grower) shape(v compute.Value) shapes.Shape {
	s, err := g.f.Shape(v)
	if err != nil {
		panic(err)
	}
	return s
}

func (g *grower) keep(v compute.Value, err error) compute.Value {
	if err != nil {
		panic(err)
	}
	g.values = append(g.values, v)
	return v
}

func (g *grower) parameter(shape shapes.Shape) compute.Value {
	g.params = append(g.params, shape)
	return g.keep(g.f.Parameter(fmt.Sprint("p", len(g.params)), shape, nil))
}

func (g *grower) dims(rank int) []int {
	d := make([]int, rank)
	for i := range d {
		d[i] = g.sizes[g.rng.IntN(len(g.sizes))]
	}
	return d
}

// pick returns a value for which ok holds, or nil.
func (g *grower) pick(ok func(s shapes.Shape) bool) compute.Value {
	for range 20 {
		if v := g.values[g.rng.IntN(len(g.values))]; ok(g.shape(v)) {
			return v
		}
	}
	return nil
}

func isFloatShape(s shapes.Shape) bool { return s.DType == dtypes.Float32 }

// like returns a value to combine with one of that shape: of the same shape,
// a scalar, or with axes of size 1.
func (g *grower) like(s shapes.Shape) compute.Value {
	if v := g.pick(func(t shapes.Shape) bool { return t.Equal(s) }); v != nil && g.rng.IntN(2) == 0 {
		return v
	}
	if v := g.pick(func(t shapes.Shape) bool { return t.DType == s.DType && t.Rank() == 0 }); v != nil && g.rng.IntN(4) == 0 {
		return v
	}
	dims := slices.Clone(s.Dimensions)
	for i := range dims {
		if g.rng.IntN(3) == 0 && s.Size() > 0 { // GoMLX takes 0 and 1 for 1
			dims[i] = 1
		}
	}
	return g.parameter(shapes.Make(s.DType, dims...))
}

var (
	unaries = []func(compute.Function, compute.Value) (compute.Value, error){
		compute.Function.Neg, compute.Function.Abs, compute.Function.Exp, compute.Function.Tanh, compute.Function.Logistic,
		compute.Function.Expm1, compute.Function.Identity, compute.Function.Log1p, compute.Function.Cos,
	}
	binaries = []func(compute.Function, compute.Value, compute.Value) (compute.Value, error){
		compute.Function.Add, compute.Function.Sub, compute.Function.Mul, compute.Function.Max, compute.Function.Min,
	}
	comparers = []func(compute.Function, compute.Value, compute.Value) (compute.Value, error){
		compute.Function.LessThan, compute.Function.GreaterOrEqual, compute.Function.Equal,
	}
	reducers = []func(compute.Function, compute.Value, ...int) (compute.Value, error){
		compute.Function.ReduceSum, compute.Function.ReduceMax, compute.Function.ReduceMin,
	}
)

// grow adds an operation.
func (g *grower) grow() {
	v := g.pick(isFloatShape)
	if v == nil {
		v = g.parameter(shapes.Make(dtypes.Float32, g.dims(1+g.rng.IntN(3))...))
	}
	s := g.shape(v)
	switch g.rng.IntN(21) {
	case 0, 1:
		// Kept small: an exponential of an exponential is too large to compare.
		half, err := g.f.Logistic(v)
		if err != nil {
			panic(err)
		}
		g.from(g.keep(unaries[g.rng.IntN(len(unaries))](g.f, half)), true)
	case 2, 3, 4:
		y := g.like(s)
		g.from(g.keep(binaries[g.rng.IntN(len(binaries))](g.f, v, y)), false, v, y)
	case 5:
		g.mask(v, s)
	case 6, 7:
		var over []int
		for axis := range s.Rank() {
			if g.rng.IntN(2) == 0 {
				over = append(over, axis)
			}
		}
		if s.Size() > 0 {
			g.from(g.keep(reducers[g.rng.IntN(len(reducers))](g.f, v, over...)), true)
		}
	case 8:
		g.from(g.keep(g.f.Transpose(v, g.rng.Perm(s.Rank())...)), false, v)
	case 9:
		g.from(g.keep(g.f.Reshape(v, g.otherDims(s)...)), false, v)
	case 10:
		g.slice(v, s)
	case 11:
		g.broadcast(v, s)
	case 12:
		g.concat(v, s)
	case 13:
		g.dot(v, s)
	case 14:
		g.rows(v, s)
	case 15:
		g.hot(v, s)
	case 16:
		if !g.inexact[v] {
			jumps := []func(compute.Function, compute.Value) (compute.Value, error){
				compute.Function.Sign, compute.Function.Floor, compute.Function.Ceil, compute.Function.Round}
			g.keep(jumps[g.rng.IntN(len(jumps))](g.f, v))
		}
	case 17:
		g.integers(v, s)
	case 18:
		g.delegated(v, s)
	case 19:
		g.pad(v, s)
	case 20:
		g.bits(s)
	}
}

// integers computes with whole numbers, and converts them back.
func (g *grower) integers(v compute.Value, s shapes.Shape) {
	if g.inexact[v] {
		return
	}
	t := []dtypes.DType{dtypes.Int32, dtypes.Int64, dtypes.Uint32, dtypes.Uint64}[g.rng.IntN(4)]
	x := must(g.f.ConvertDType(must(g.f.LessThan(v, g.like2(s))), t))
	for range 1 + g.rng.IntN(3) {
		y := must(g.f.Constant([]int32{int32(g.rng.IntN(5))}))
		if s.Rank() > 0 && g.rng.IntN(2) == 0 {
			y = must(g.f.Iota(shapes.Make(dtypes.Int32, s.Dimensions...), s.Rank()-1))
		}
		y = must(g.f.ConvertDType(y, t))
		ops := append(slices.Clone(binaries), compute.Function.BitwiseAnd, compute.Function.BitwiseOr, compute.Function.BitwiseXor)
		x = must(ops[g.rng.IntN(len(ops))](g.f, x, y))
	}
	g.keep(x, nil)
	if t == dtypes.Int32 || t == dtypes.Int64 {
		g.keep(g.f.ConvertDType(x, dtypes.Float32))
	}
}

// delegated goes through operations that have no kernels: in float64, along
// windows, and in a branch that sees values from outside.
func (g *grower) delegated(v compute.Value, s shapes.Shape) {
	switch g.rng.IntN(3) {
	case 0:
		wide := must(g.f.Tanh(must(g.f.ConvertDType(v, dtypes.Float64))))
		g.from(g.keep(g.f.ConvertDType(wide, dtypes.Float32)), true)
	case 1:
		if s.Rank() > 0 {
			g.from(g.keep(g.f.Reverse(v, g.rng.IntN(s.Rank()))), false, v)
		}
	case 2:
		other := g.like2(s)
		branch := func(op func(compute.Function, compute.Value, compute.Value) (compute.Value, error)) compute.Function {
			c := must(g.f.Closure())
			if err := c.Return([]compute.Value{must(op(c, v, other))}, nil); err != nil {
				panic(err)
			}
			return c
		}
		condition := must(g.f.Constant([]bool{g.rng.IntN(2) == 0}))
		out := must(g.f.If(condition, branch(compute.Function.Add), branch(compute.Function.Mul)))
		g.from(g.keep(out[0], nil), false, v, other)
	}
}

func (g *grower) pad(v compute.Value, s shapes.Shape) {
	var config []compute.PadAxis
	for range s.Rank() {
		config = append(config, compute.PadAxis{Start: g.rng.IntN(3), End: g.rng.IntN(3), Interior: g.rng.IntN(6) / 5})
	}
	fill := must(g.f.Constant([]float32{float32(g.rng.IntN(3))}))
	g.from(g.keep(g.f.Pad(v, fill, config...)), false, v)
}

// bits draws random bits, twice one after the other.
func (g *grower) bits(s shapes.Shape) {
	state := must(g.f.Constant([]uint64{g.rng.Uint64(), g.rng.Uint64(), 7}, 3))
	for range 2 {
		after, values, err := g.f.RNGBitGenerator(state, shapes.Make(dtypes.Uint32, s.Dimensions...))
		if err != nil {
			panic(err)
		}
		g.keep(values, nil)
		state = after
	}
	g.keep(g.f.Slice(state, []int{0}, []int{2}, nil)) // GoMLX leaves the third word as it finds it
}

// mask compares values and chooses by it.
func (g *grower) mask(v compute.Value, s shapes.Shape) {
	y := g.like(s)
	if g.inexact[v] || g.inexact[y] {
		return
	}
	mask := g.keep(comparers[g.rng.IntN(len(comparers))](g.f, v, y))
	if g.shape(mask).EqualDimensions(s) {
		z := g.like2(s)
		g.from(g.keep(g.f.Where(mask, v, z)), false, z)
	}
	g.keep(g.f.ConvertDType(mask, dtypes.Float32))
}

// like2 returns a value of exactly that shape.
func (g *grower) like2(s shapes.Shape) compute.Value {
	if v := g.pick(func(t shapes.Shape) bool { return t.Equal(s) }); v != nil {
		return v
	}
	return g.parameter(s)
}

func (g *grower) otherDims(s shapes.Shape) []int {
	d := slices.Clone(s.Dimensions)
	for range 2 {
		switch i := g.rng.IntN(len(d) + 1); {
		case g.rng.IntN(2) == 0:
			d = slices.Insert(d, i, 1)
		case i+1 < len(d):
			d = slices.Replace(d, i, i+2, d[i]*d[i+1])
		case i < len(d) && d[i] > 0 && d[i]%2 == 0:
			d = slices.Replace(d, i, i+1, 2, d[i]/2)
		}
	}
	return d
}

func (g *grower) slice(v compute.Value, s shapes.Shape) {
	starts, limits, strides := make([]int, s.Rank()), make([]int, s.Rank()), make([]int, s.Rank())
	for i, d := range s.Dimensions {
		if d == 0 {
			return
		}
		starts[i] = g.rng.IntN(d)
		limits[i] = starts[i] + 1 + g.rng.IntN(d-starts[i])
		strides[i] = 1 + g.rng.IntN(4)/3
	}
	g.from(g.keep(g.f.Slice(v, starts, limits, strides)), false, v)
}

func (g *grower) broadcast(v compute.Value, s shapes.Shape) {
	dims, axes := slices.Clone(s.Dimensions), make([]int, s.Rank())
	at := g.rng.IntN(s.Rank() + 1)
	dims = slices.Insert(dims, at, g.sizes[g.rng.IntN(len(g.sizes))])
	for i := range axes {
		axes[i] = i
		if i >= at {
			axes[i]++
		}
	}
	if product(dims) < 1<<16 {
		g.from(g.keep(g.f.BroadcastInDim(v, shapes.Make(s.DType, dims...), axes)), false, v)
	}
}

func (g *grower) concat(v compute.Value, s shapes.Shape) {
	if s.Rank() == 0 {
		return
	}
	axis := g.rng.IntN(s.Rank())
	parts := []compute.Value{v}
	for range 1 + g.rng.IntN(3) {
		parts = append(parts, g.like2(s))
	}
	g.from(g.keep(g.f.Concatenate(axis, parts...)), false, parts...)
}

// dot contracts an axis, and takes another as a batch sometimes.
func (g *grower) dot(v compute.Value, s shapes.Shape) {
	if s.Rank() == 0 || s.Size() > 1<<12 {
		return
	}
	contract := g.rng.IntN(s.Rank())
	dims := []int{s.Dimensions[contract]}
	dims = append(dims, g.dims(g.rng.IntN(2))...)
	var lhsBatch, rhsBatch []int
	if batch := g.rng.IntN(s.Rank()); batch != contract && g.rng.IntN(2) == 0 {
		lhsBatch, rhsBatch = []int{batch}, []int{len(dims)}
		dims = append(dims, s.Dimensions[batch])
	}
	w := g.parameter(shapes.Make(s.DType, dims...))
	g.from(g.keep(g.f.DotGeneral(v, []int{contract}, lhsBatch, w, []int{0}, rhsBatch, compute.DotGeneralConfig{})), true)
}

// rows gathers rows and adds to them.
func (g *grower) rows(v compute.Value, s shapes.Shape) {
	if s.Rank() == 0 || s.Size() == 0 {
		return
	}
	n := 1 + g.rng.IntN(7)
	index := g.indices(s.Dimensions[0], n, 1)
	offsets, sizes := make([]int, s.Rank()-1), slices.Clone(s.Dimensions)
	for i := range offsets {
		offsets[i] = i + 1
	}
	sizes[0] = 1
	taken := g.from(g.keep(g.f.Gather(v, index, 1, offsets, []int{0}, []int{0}, sizes, false)), false, v)
	if g.rng.IntN(2) == 0 {
		g.from(g.keep(g.f.ScatterSum(v, index, taken, 1, offsets, []int{0}, []int{0}, false, false)), false, v)
	}
}

// indices returns constant indices below limit.
func (g *grower) indices(limit int, dims ...int) compute.Value {
	flat := make([]int32, product(dims))
	for i := range flat {
		flat[i] = int32(g.rng.IntN(limit))
	}
	v, err := g.f.Constant(flat, dims...)
	if err != nil {
		panic(err)
	}
	return v
}

// hot makes one-hot vectors of the largest of rows or of indices, and
// multiplies with them sometimes.
func (g *grower) hot(v compute.Value, s shapes.Shape) {
	if s.Rank() != 2 || s.Size() == 0 {
		return
	}
	m, n := s.Dimensions[0], s.Dimensions[1]
	index := g.indices(n, m, 1)
	if g.rng.IntN(2) == 0 && !g.inexact[v] {
		arg, err := g.f.ArgMinMax(v, 1, dtypes.Int32, g.rng.IntN(2) == 0)
		if err != nil {
			panic(err)
		}
		if index, err = g.f.Reshape(arg, m, 1); err != nil {
			panic(err)
		}
	}
	count, err := g.f.Iota(shapes.Make(dtypes.Int32, 1, n), 1)
	if err != nil {
		panic(err)
	}
	equal, err := g.f.Equal(index, count)
	if err != nil {
		panic(err)
	}
	hot := g.keep(g.f.ConvertDType(equal, dtypes.Float32))
	switch g.rng.IntN(3) {
	case 0:
		w := g.parameter(shapes.Make(dtypes.Float32, n, 3))
		g.from(g.keep(g.f.DotGeneral(hot, []int{1}, nil, w, []int{0}, nil, compute.DotGeneralConfig{})), true)
	case 1:
		g.from(g.keep(g.f.DotGeneral(hot, []int{0}, nil, v, []int{0}, nil, compute.DotGeneralConfig{})), true)
	}
	g.from(g.keep(g.f.FusedSoftmax(v, 1)), true)
}

// grown is a graph and what it was given and returned.
type grown struct {
	text    string
	inputs  [][]float32
	outputs []any
	shapes  []shapes.Shape
}

// growAndRun grows a graph of a seed, an operation at a time, and runs it, twice
// if it can: with inputs donated the second time.
func growAndRun(b compute.Backend, grow func(*grower), seed uint64, operations int, sizes []int) (r grown, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	builder := b.Builder("grown")
	g := &grower{rng: rand.New(rand.NewPCG(seed, 1)), f: builder.Main(), sizes: sizes, inexact: map[compute.Value]bool{}}
	g.parameter(shapes.Make(dtypes.Float32, g.dims(2)...))
	for range operations {
		grow(g)
	}
	var outputs []compute.Value
	for i, v := range g.values {
		if i == len(g.values)-1 || g.rng.IntN(4) == 0 {
			outputs = append(outputs, v)
		}
	}
	if f, ok := builder.Main().(*function); ok {
		for _, n := range f.nodes {
			r.text += n.String() + "\n"
		}
	}
	if err := g.f.Return(outputs, nil); err != nil {
		return r, err
	}
	exec, err := builder.Compile()
	if err != nil {
		return r, err
	}
	rng := rand.New(rand.NewPCG(seed, 2))
	for _, s := range g.params {
		x := make([]float32, s.Size())
		for i := range x {
			x[i] = float32(rng.NormFloat64())
			if g.whole {
				x[i] = float32(math.Round(2 * float64(x[i])))
			}
			if g.special && rng.IntN(6) == 0 {
				x[i] = float32([]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)}[rng.IntN(4)])
			}
		}
		r.inputs = append(r.inputs, x)
	}
	for round := range 2 {
		inputs, donate := make([]compute.Buffer, len(g.params)), make([]bool, len(g.params))
		for i, s := range g.params {
			if inputs[i], err = b.BufferFromFlatData(0, r.inputs[i], s); err != nil {
				return r, err
			}
			donate[i] = round == 1 && rng.IntN(2) == 0
		}
		results, err := exec.Execute(inputs, donate, 0)
		if err != nil {
			return r, err
		}
		for i, out := range results {
			flat, err := out.Data()
			if err != nil {
				return r, err
			}
			r.outputs = append(r.outputs, cloneFlat(flat))
			s, _ := out.Shape()
			if want := exec.Outputs()[i]; !s.Equal(want) {
				return r, fmt.Errorf("output %d has the shape %s, not %s", i, s, want)
			}
			r.shapes = append(r.shapes, s)
			if err := out.Finalize(); err != nil {
				return r, err
			}
		}
		for i, in := range inputs {
			if !donate[i] {
				flat, err := in.Data()
				if err != nil {
					return r, err
				}
				if !slices.EqualFunc(flat.([]float32), r.inputs[i], sameFloat) {
					return r, fmt.Errorf("input %d was changed", i)
				}
			}
		}
	}
	return r, nil
}

// sameFloat reports whether two floats are equal, or no numbers.
func sameFloat[T float32 | float64](a, b T) bool { return a == b || a != a && b != b }

// differ returns where two results are not the same. The tolerance is for long
// sums, which GoMLX adds up one by one.
func differ(got, want any) error {
	if y, ok := got.([]float64); ok { // of 0 and -0 either
		if !slices.EqualFunc(y, want.([]float64), func(a, b float64) bool { return sameFloat(a, b) || math.Abs(a-b) <= 1e-6*math.Abs(b) }) {
			return fmt.Errorf("%v, want %v", got, want)
		}
		return nil
	}
	x, ok := got.([]float32)
	if !ok {
		if fmt.Sprint(got) != fmt.Sprint(want) {
			return fmt.Errorf("%v, want %v", got, want)
		}
		return nil
	}
	y := want.([]float32)
	if len(x) != len(y) {
		return fmt.Errorf("%d elements, not %d", len(x), len(y))
	}
	var scale float64
	for _, v := range y {
		if a := math.Abs(float64(v)); a < math.Inf(1) {
			scale = max(scale, a)
		}
	}
	for i := range x {
		a, b := float64(x[i]), float64(y[i])
		if sameFloat(a, b) {
			continue
		}
		if !(math.Abs(a-b) <= 5e-4*(1+math.Abs(b))+1e-5*scale) {
			return fmt.Errorf("element %d: %g, want %g", i, a, b)
		}
	}
	return nil
}

// compare grows a graph in both backends.
func compare(t *testing.T, ours, theirs compute.Backend, grow func(*grower), seed uint64, operations int, sizes []int) {
	t.Helper()
	want, err := growAndRun(theirs, grow, seed, operations, sizes)
	if err != nil {
		return // Not for that backend either: it panics at shapes without elements, for instance.
	}
	got, err := growAndRun(ours, grow, seed, operations, sizes)
	if err != nil {
		t.Fatalf("seed %d, %d operations: %v\n%s", seed, operations, err, got.text)
	}
	for i := range want.outputs {
		if err := differ(got.outputs[i], want.outputs[i]); err != nil {
			t.Fatalf("seed %d, %d operations, output %d (%s): %v\n%s", seed, operations, i, want.shapes[i], err, got.text)
		}
	}
}

var sizes = map[string][]int{
	"small": {1, 2, 3, 4, 5, 7, 8},
	"odd":   {1, 3, 17, 33, 65},
	"large": {2, 30, 64, 130},
	"empty": {0, 1, 2, 3},
}

// theirs returns the backend to compare with. It must not panic in goroutines
// of its own.
func theirs(t testing.TB) compute.Backend {
	t.Helper()
	b, err := gobackend.New("ops_sequential")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRandomGraphs(t *testing.T) {
	ours, theirs := newBackend(t), theirs(t)
	for name, s := range sizes {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(150) {
				compare(t, ours, theirs, (*grower).grow, seed, 1+int(seed)%24, s)
			}
		})
	}
}

// growers are all ways to grow a graph.
var growers = map[string]func(*grower){
	"floats": (*grower).grow, "chains": (*grower).prolong, "types": (*grower).vary,
	"numbers": (*grower).growWhole, "special": (*grower).growSpecial,
}

func FuzzGraphs(f *testing.F) {
	f.Add(uint64(1), uint8(5), "small", "floats")
	f.Add(uint64(2), uint8(30), "odd", "floats")
	f.Add(uint64(3), uint8(12), "empty", "floats")
	f.Add(uint64(3867), uint8(27), "large", "floats")  // a row repeated to a column
	f.Add(uint64(264), uint8(24), "odd", "floats")     // a transposed value in a concatenation
	f.Add(uint64(1235), uint8(35), "small", "numbers") // indices compared with a count along the other axis
	f.Add(uint64(7), uint8(40), "small", "special")
	f.Add(uint64(8), uint8(20), "odd", "types")
	f.Add(uint64(9), uint8(20), "large", "chains")
	ours, theirs := newBackend(f), theirs(f)
	f.Fuzz(func(t *testing.T, seed uint64, operations uint8, size, way string) {
		if s, grow := sizes[size], growers[way]; s != nil && grow != nil {
			compare(t, ours, theirs, grow, seed, 1+int(operations)%60, s)
		}
	})
}
