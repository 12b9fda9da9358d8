package learn_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/engine/enginetest"
	"github.com/kdcode/kdcode/learn"
	"github.com/kdcode/kdcode/quantize"
)

// backend returns the backend that the tests run on.
func backend(t testing.TB) compute.Backend {
	t.Helper()
	return enginetest.Backend(t)
}

// trained returns a store in which the layer has been trained for some steps
// to imitate a random table, so that nothing is at its initial value.
func trained(t testing.TB, layer learn.Embedding, steps int) *model.Store {
	t.Helper()
	store := model.NewStore()
	if err := learn.SetSeed(store, 7); err != nil {
		t.Fatal(err)
	}
	target := tensors.FromFlatDataAndDimensions(madeUp(layer.Symbols()*layer.Dim(), 3), layer.Symbols(), layer.Dim())
	trainer := train.NewTrainer(backend(t), store, func(scope *model.Scope, ids *Node) *Node {
		v := learn.Embed(layer, scope.At("symbols"), ids)
		train.AddMainLoss(ReduceAllMean(Square(Sub(v, Gather(Const(ids.Graph(), target), InsertAxes(ids, -1))))))
		return v
	}, nil, learn.LazyAdam(0.05), nil, nil)
	for step := range steps {
		ids := []int32{int32(step % layer.Symbols()), 1, 2, 1, 0, 3}
		_, err := trainer.TrainStep(train.Batch{Inputs: []*tensors.Tensor{tensors.FromValue(ids)}})
		if err != nil {
			t.Fatal(err)
		}
	}
	return store
}

// madeUp returns n values that look random.
func madeUp(n int, seed float64) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(math.Sin(float64(i)*12.9898 + seed))
	}
	return v
}

// evaluated returns the layer's embeddings of all its symbols in evaluation.
func evaluated(t testing.TB, layer learn.Embedding, store *model.Store) []float32 {
	t.Helper()
	ids := make([]int32, layer.Symbols())
	for i := range ids {
		ids[i] = int32(i)
	}
	out, err := model.CallOnce(backend(t), store, func(scope *model.Scope, ids *Node) *Node {
		return learn.Embed(layer, scope.At("symbols"), ids)
	}, ids)
	if err != nil {
		t.Fatal(err)
	}
	return tensors.MustCopyFlatData[float32](out)
}

// open writes a model and opens the file.
func open(t testing.TB, m *codefile.Model) *kdcode.Table {
	t.Helper()
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	table, err := kdcode.FromBytes(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// checkExport fails unless Lookup gives what the layer gives in evaluation.
func checkExport(t *testing.T, layer learn.Exporter, steps int) {
	t.Helper()
	store := trained(t, layer, steps)
	want := evaluated(t, layer, store)
	m, err := layer.Export(store.Scope("/symbols"))
	if err != nil {
		t.Fatal(err)
	}
	table := open(t, m)
	got := make([]float32, layer.Dim())
	for id := range layer.Symbols() {
		if err := table.Lookup(got, id); err != nil {
			t.Fatal(err)
		}
		for i, x := range got {
			if w := want[id*layer.Dim()+i]; math.Abs(float64(x-w)) > 1e-5 {
				t.Fatalf("symbol %d, element %d: the file has %g, the layer %g", id, i, x, w)
			}
		}
	}
	if got, want := table.Size().Paper.Parameters, 32*layer.Size().Parameters; got != want {
		t.Errorf("the file counts %d bits of trained parameters, the layer %d", got, want)
	}
}

func TestExport(t *testing.T) {
	for _, c := range []learn.Composition{learn.Mean, learn.Sum, learn.Concat, learn.LSTM, learn.PaperLSTM} {
		for _, r := range []learn.Relaxation{learn.StraightThrough, learn.Soft, learn.Gumbel, learn.Threshold} {
			for _, shared := range []bool{false, true} {
				for _, norms := range []bool{true, false} {
					t.Run(fmt.Sprintf("%s/%s/shared=%t/norms=%t", c, r, shared, norms), func(t *testing.T) {
						layer := learn.NewKD(11, 6).Ways(4).CodeLength(3).Hidden(5).
							Compose(c).Relax(r).Shared(shared).Norms(norms, norms).DropDigits(0.1).Entropy(0.01)
						if r == learn.Threshold {
							layer.Ways(2)
						}
						checkExport(t, layer, 12)
						if c != learn.Concat {
							checkExport(t, layer.CodeDim(4), 12)
						}
					})
				}
			}
		}
	}
}

// A layer of other settings than the trained one is an error, not a panic.
func TestExportOtherSettings(t *testing.T) {
	kd := func() *learn.KD { return learn.NewKD(11, 6).Ways(4).CodeLength(3).Hidden(5) }
	dpq := func() *learn.DPQ { return learn.NewDPQ(11, 6).Ways(4).CodeLength(3) }
	affine := quantize.Options{K: 4, D: 3, Composition: codefile.Affine, CodeDim: 4}
	wider := affine
	wider.CodeDim = 5
	for name, c := range map[string]struct{ trained, other learn.Exporter }{
		"more symbols":       {kd(), learn.NewKD(12, 6).Ways(4).CodeLength(3)},
		"K":                  {kd(), kd().Ways(8)},
		"D":                  {kd(), kd().CodeLength(6)},
		"d":                  {kd(), learn.NewKD(11, 8).Ways(4).CodeLength(3)},
		"d'":                 {kd().CodeDim(4), kd().CodeDim(5)},
		"shared":             {kd(), kd().Shared(true)},
		"h":                  {kd().Compose(learn.LSTM), kd().Compose(learn.LSTM).Hidden(7)},
		"h, without norms":   {kd().Compose(learn.LSTM).Norms(false, false), kd().Compose(learn.LSTM).Norms(false, false).Hidden(7)},
		"sx, more symbols":   {dpq(), learn.NewDPQ(12, 6).Ways(4).CodeLength(3)},
		"sx, K":              {dpq(), dpq().Ways(8)},
		"sx, D":              {dpq(), dpq().CodeLength(6)},
		"vq, shared":         {dpq().Match(learn.VQ), dpq().Match(learn.VQ).Shared(true)},
		"full, fewer":        {learn.NewFull(11, 6), learn.NewFull(10, 6)},
		"full, more":         {learn.NewFull(11, 6), learn.NewFull(12, 6)},
		"rank":               {learn.NewLowRank(11, 6, 2), learn.NewLowRank(11, 6, 3)},
		"low rank, narrower": {learn.NewLowRank(11, 6, 2), learn.NewLowRank(11, 5, 2)},
		"scalar, more":       {learn.NewScalar(11, 6, 4), learn.NewScalar(12, 6, 4)},
		"stored":             {stored(t, compressed(t, 11, 6, affine)), stored(t, compressed(t, 11, 6, wider))},
	} {
		t.Run(name, func(t *testing.T) {
			store := model.NewStore()
			evaluated(t, c.trained, store)
			if _, err := c.other.Export(store.Scope("/symbols")); err == nil || !strings.Contains(err.Error(), "other settings") {
				t.Errorf("got %v", err)
			}
			coder, ok := c.other.(learn.Coder)
			if !ok {
				return
			}
			if _, _, err := coder.CodesAndEntropy(store.Scope("/symbols")); err != nil && !strings.Contains(err.Error(), "other settings") {
				t.Errorf("codes: %v", err)
			}
		})
	}
}
