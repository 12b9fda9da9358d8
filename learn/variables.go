package learn

import (
	"hash/fnv"
	"math"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	. "github.com/gomlx/gomlx/support/exceptions"
)

// SetSeed makes all that is drawn for a store's model, on the host and in its
// graphs, follow from seed. It is to be called before the first graph is built.
func SetSeed(store *model.Store, seed int64) error {
	store.SetParam(model.ParamInitialSeed, seed)
	return store.SetRNGStateFromSeed(seed)
}

// hostRNG returns the generator of a variable's initial values: of the seed
// and the variable's path, so that they are the same on every backend, and do
// not depend on which variables are made first.
func hostRNG(scope *model.Scope, name string) *rand.Rand {
	path := fnv.New64a()
	path.Write([]byte(model.JoinPath(scope.Scope(), name)))
	seed := model.GetRootParamOr(scope.Store(), model.ParamInitialSeed, int64(0))
	return rand.New(rand.NewPCG(uint64(seed), path.Sum64()))
}

// uniform returns the variable name, drawn uniformly from (−s, s) when new. The
// values are drawn on the host: a graph would need several copies of a large
// table to do so.
func uniform(scope *model.Scope, name string, s float64, dims ...int) *model.Variable {
	return variable(scope, name, dims, func(values []float32) {
		rng := hostRNG(scope, name)
		for i := range values {
			values[i] = float32(s) * (2*rng.Float32() - 1)
		}
	})
}

// filled returns the variable name, of one value when new.
func filled(scope *model.Scope, name string, value float32, dims ...int) *model.Variable {
	return variable(scope, name, dims, func(values []float32) {
		if value == 0 {
			return // fresh pages are zero already
		}
		for i := range values {
			values[i] = value
		}
	})
}

// given returns the variable name, of the given values when new.
func given[T float32 | int32](scope *model.Scope, name string, values []T, dims ...int) *model.Variable {
	if v := scope.GetVariable(name); v != nil {
		return v
	}
	return scope.VariableWithValue(name, tensors.FromFlatDataAndDimensions(values, dims...))
}

// variable returns the variable name, filled in by fill when new.
func variable(scope *model.Scope, name string, dims []int, fill func([]float32)) *model.Variable {
	if v := scope.GetVariable(name); v != nil {
		if want := shapes.Make(dtypes.Float32, dims...); !v.Shape().Equal(want) {
			Panicf("learn: the variable %s has the shape %s, not %s: was it made by other settings?", v.Path(), v.Shape(), want)
		}
		return v
	}
	t := tensors.FromShape(shapes.Make(dtypes.Float32, dims...))
	tensors.MustMutableFlatData(t, fill)
	return scope.VariableWithValue(name, t)
}

// storeOf returns the store of a graph built by a model.Exec or a Trainer.
func storeOf(g *Graph) *model.Store {
	store := model.GetStore(g)
	if store == nil {
		Panicf("learn: the graph has no model.Store: build it with a model.Exec or a train.Trainer")
	}
	return store
}

func pow(x, y float64) float64 { return math.Pow(x, y) }
