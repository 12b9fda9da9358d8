package learn

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"

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

// dtypeParam is the store's parameter for the type of the layers' variables. It
// is float32; tests take float64, in which finite differences are exact enough.
const dtypeParam = "learn_dtype"

// Uniform returns the variable name below scope, drawn uniformly from (−s, s)
// when new. The values follow from the store's seed and the variable's path: see
// [SetSeed]. They are drawn on the host: a graph would need several copies of a
// large table to do so.
func Uniform(scope *model.Scope, name string, s float64, dims ...int) *model.Variable {
	return variable(scope, name, dims, func(values []float32) {
		rng := hostRNG(scope, name)
		for i := range values {
			values[i] = float32(s) * (2*rng.Float32() - 1)
		}
	})
}

// Filled returns the variable name below scope, of one value when new.
func Filled(scope *model.Scope, name string, value float32, dims ...int) *model.Variable {
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
	if v := known(scope, name, dims); v != nil {
		return v
	}
	return scope.VariableWithValue(name, tensors.FromFlatDataAndDimensions(values, dims...))
}

// variable returns the variable name, filled in by fill when new.
func variable(scope *model.Scope, name string, dims []int, fill func([]float32)) *model.Variable {
	if v := known(scope, name, dims); v != nil {
		return v
	}
	t := tensors.FromShape(shapes.Make(dtypes.Float32, dims...))
	tensors.MustMutableFlatData(t, fill)
	if dtype := model.GetRootParamOr(scope.Store(), dtypeParam, dtypes.Float32); dtype == dtypes.Float64 {
		t = widened(t, dims)
	}
	return scope.VariableWithValue(name, t)
}

// known returns the variable name, nil where there is none yet.
func known(scope *model.Scope, name string, dims []int) *model.Variable {
	v := scope.GetVariable(name)
	if v != nil && !slices.Equal(v.Shape().Dimensions, dims) {
		Panicf("learn: the variable %s has the shape %v, not %v: was it made by other settings?", v.Path(), v.Shape().Dimensions, dims)
	}
	return v
}

// widened returns t in float64.
func widened(t *tensors.Tensor, dims []int) *tensors.Tensor {
	narrow := tensors.MustCopyFlatData[float32](t)
	wide := make([]float64, len(narrow))
	for i, x := range narrow {
		wide[i] = float64(x)
	}
	return tensors.FromFlatDataAndDimensions(wide, dims...)
}

// storeOf returns the store of a graph built by a model.Exec or a Trainer.
func storeOf(g *Graph) *model.Store {
	store := model.GetStore(g)
	if store == nil {
		Panicf("learn: the graph has no model.Store: build it with a model.Exec or a train.Trainer")
	}
	return store
}
