package learn

import (
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
)

// Training all symbols at once is the same as a whole and by rows.
func TestAllSymbols(t *testing.T) {
	const n, dim = 12, 4
	for name, layer := range map[string]Embedding{
		"kd":       NewKD(n, dim).Ways(4).CodeLength(3),
		"dpq":      NewDPQ(n, dim).Ways(4).CodeLength(2),
		"full":     NewFull(n, dim),
		"low rank": NewLowRank(n, dim, 2),
	} {
		t.Run(name, func(t *testing.T) {
			values := func(all bool) map[string][]float32 {
				store := model.NewStore()
				if err := SetSeed(store, 1); err != nil {
					t.Fatal(err)
				}
				loss := func(scope *model.Scope, inputs []*Node) *Node {
					ids := Iota(inputs[0].Graph(), shapes.Make(dtypes.Int32, n), 0)
					v := layer.Embed(scope, Symbols{IDs: ids, Weight: OnesLike(inputs[0]), All: all})
					train.AddMainLoss(ReduceAllMean(Square(Sub(v, InsertAxes(inputs[0], -1)))))
					return v
				}
				trainer := train.NewTrainer(backend(t), store, loss, nil, LazyAdam(0.1), nil, nil)
				target := make([]float32, n)
				for i := range target {
					target[i] = float32(i % 5)
				}
				for range 5 {
					batch := train.Batch{Inputs: []*tensors.Tensor{tensors.FromFlatDataAndDimensions(slices.Clone(target), n)}}
					if _, err := trainer.TrainStep(batch); err != nil {
						t.Fatal(err)
					}
				}
				out := map[string][]float32{}
				for v := range store.IterVariables() {
					if v.DType() == dtypes.Float32 && !strings.HasPrefix(v.Path(), "/metrics/") { // those have names of their own
						out[v.Path()] = tensors.MustCopyFlatData[float32](v.MustValue())
					}
				}
				return out
			}
			rows, whole := values(false), values(true)
			if len(rows) != len(whole) || len(rows) < 3 {
				t.Fatalf("%d and %d variables", len(rows), len(whole))
			}
			for path, want := range rows {
				if !slices.Equal(whole[path], want) {
					t.Errorf("%s is %v as a whole, %v by rows", path, whole[path], want)
				}
			}
		})
	}
}
