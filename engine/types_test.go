package engine

import (
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

var varied = []dtypes.DType{dtypes.Bool, dtypes.Int8, dtypes.Uint8, dtypes.Int16, dtypes.Int32, dtypes.Uint32,
	dtypes.Int64, dtypes.Uint64, dtypes.BFloat16, dtypes.Float16, dtypes.Float32, dtypes.Float64}

// vary adds an operation on values of any type. They are small whole numbers,
// which all types have.
func (g *grower) vary() {
	if len(g.values) == 1 && g.shape(g.values[0]).DType == dtypes.Float32 { // the parameter: random floats, of which integers have no -0
		g.values[0] = must(g.f.ConvertDType(must(g.f.Round(g.values[0])), dtypes.Int32))
	}
	v := g.values[g.rng.IntN(len(g.values))]
	s := g.shape(v)
	switch g.rng.IntN(12) {
	case 0, 1, 2:
		t := varied[g.rng.IntN(len(varied))]
		x := v
		if t.IsUnsigned() && s.DType != dtypes.Bool { // no negative numbers
			zero := must(g.f.ConvertDType(must(g.f.Constant([]int32{0})), s.DType))
			x = must(g.f.Max(x, zero))
		}
		if t != s.DType { // GoMLX makes no such conversion
			g.keep(g.f.ConvertDType(x, t))
		}
	case 3:
		g.keep(g.f.Transpose(v, g.rng.Perm(s.Rank())...))
	case 4:
		g.keep(g.f.Reshape(v, g.otherDims(s)...))
	case 5:
		g.slice(v, s)
	case 6:
		g.broadcast(v, s)
	case 7:
		if s.Rank() > 0 && s.Size() < 1<<12 {
			axis := g.rng.IntN(s.Rank())
			g.keep(g.f.Concatenate(axis, v, g.same(v, s), v))
		}
	case 8:
		if s.Rank() > 0 && s.Size() < 1<<12 && s.DType != dtypes.Bool {
			g.taken(v, s)
		}
	case 9:
		if s.DType != dtypes.Bool {
			mask := g.keep(g.f.LessThan(v, g.same(v, s)))
			g.keep(g.f.Where(mask, v, g.same(v, s)))
		}
	case 10:
		if s.DType != dtypes.Bool {
			g.keep(binaries[3+g.rng.IntN(2)](g.f, v, g.same(v, s))) // the larger or the smaller
		}
	case 11:
		if s.DType != dtypes.Bool && s.Size() > 0 {
			g.keep(reducers[1+g.rng.IntN(2)](g.f, v, g.rng.Perm(s.Rank())[:g.rng.IntN(s.Rank()+1)]...))
		}
	}
}

// same returns a value of the type and shape of v: another one, if there is.
func (g *grower) same(v compute.Value, s shapes.Shape) compute.Value {
	if other := g.pick(func(t shapes.Shape) bool { return t.Equal(s) }); other != nil {
		return other
	}
	return v
}

// taken takes rows of a table of any type.
func (g *grower) taken(v compute.Value, s shapes.Shape) {
	if s.Size() == 0 {
		return
	}
	offsets, sizes := make([]int, s.Rank()-1), slices.Clone(s.Dimensions)
	for i := range offsets {
		offsets[i] = i + 1
	}
	sizes[0] = 1
	g.keep(g.f.Gather(v, g.indices(s.Dimensions[0], 1+g.rng.IntN(7), 1), 1, offsets, []int{0}, []int{0}, sizes, false))
}

// TestTypes compares graphs of values of all types with those of the Go backend.
func TestTypes(t *testing.T) {
	ours, theirs := newBackend(t), theirs(t)
	for name, s := range sizes {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(150) {
				compare(t, ours, theirs, (*grower).vary, seed, 1+int(seed)%30, s)
			}
		})
	}
}
