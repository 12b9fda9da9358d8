package learn_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/learn"
	"github.com/kdcode/kdcode/quantize"
)

// compressed returns a made-up table [n, dim] as codes.
func compressed(t testing.TB, n, dim int, o quantize.Options) *codefile.Model {
	t.Helper()
	m, err := quantize.Compress(context.Background(), quantize.Matrix{Data: madeUp(n*dim, 5), D: dim}, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// stored returns the layer of a model.
func stored(t testing.TB, m *codefile.Model) *learn.Stored {
	t.Helper()
	l, err := learn.NewStored(m)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// otherLayers returns all layers but KD, small, by name.
func otherLayers(t testing.TB) map[string]learn.Exporter {
	const n, dim = 11, 6
	layers := map[string]learn.Exporter{
		"full":      learn.NewFull(n, dim),
		"low-rank":  learn.NewLowRank(n, dim, 2),
		"full-rank": learn.NewLowRank(n, dim, dim),
	}
	for _, match := range []learn.Match{learn.SX, learn.VQ} {
		for _, shared := range []bool{false, true} {
			layers[fmt.Sprintf("dpq/%s/shared=%t", match, shared)] = learn.NewDPQ(n, dim).Ways(4).CodeLength(3).Match(match).Shared(shared)
		}
	}
	for _, bits := range []int{2, 4, 6, 8} {
		layers[fmt.Sprintf("scalar/%d", bits)] = learn.NewScalar(n, dim, bits)
	}
	for _, o := range []quantize.Options{
		{K: 4, D: 3, Composition: codefile.Sum},
		{K: 4, D: 3, Composition: codefile.Concat},
		{K: 4, D: 3, Composition: codefile.Affine, CodeDim: 4},
	} {
		for _, train := range []bool{false, true} {
			layers[fmt.Sprintf("stored/%s/train=%t", o.Composition, train)] = stored(t, compressed(t, n, dim, o)).Train(train)
		}
	}
	return layers
}

func TestExportOthers(t *testing.T) {
	for name, layer := range otherLayers(t) {
		steps := 12
		if strings.Contains(name, "train=false") {
			steps = 0 // there is nothing to train
		}
		t.Run(name, func(t *testing.T) { checkExport(t, layer, steps) })
	}
}

// away returns how far a layer trained by trained is from what it imitates.
func away(t testing.TB, layer learn.Embedding, steps int) float64 {
	t.Helper()
	got := evaluated(t, layer, trained(t, layer, steps))
	sum := 0.0
	for i, x := range madeUp(len(got), 3) {
		sum += math.Pow(float64(got[i]-x), 2)
	}
	return sum / float64(len(got))
}

func TestTrainingOthers(t *testing.T) {
	for name, layer := range otherLayers(t) {
		if strings.Contains(name, "train=false") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			start, end := away(t, layer, 1), away(t, layer, 80)
			if !(end < 0.9*start) {
				t.Errorf("the squared error is %.3f after 1 step and %.3f after 80", start, end)
			}
		})
	}
}

// TestRowsOfOthers trains symbols 1 and 4 and looks at all rows.
func TestRowsOfOthers(t *testing.T) {
	for name, layer := range otherLayers(t) {
		if strings.HasPrefix(name, "stored") {
			continue // it has no rows
		}
		t.Run(name, func(t *testing.T) {
			store := trained(t, layer, 1)
			before := rowsIn(t, store)
			trainer := train.NewTrainer(backend(t), store, func(scope *model.Scope, ids *Node) *Node {
				v := learn.Embed(layer, scope.At("symbols"), ids)
				train.AddMainLoss(ReduceAllSum(Square(AddScalar(v, 1))))
				return v
			}, nil, learn.SGD(0.1, 0), nil, nil)
			if _, err := trainer.TrainStep(train.Batch{Inputs: []*tensors.Tensor{tensors.FromValue([]int32{4, 1, 4})}}); err != nil {
				t.Fatal(err)
			}
			after := rowsIn(t, store)
			width := len(after) / layer.Symbols()
			for id := range layer.Symbols() {
				same := slices.Equal(before[id*width:][:width], after[id*width:][:width])
				if trained := id == 1 || id == 4; same == trained {
					t.Errorf("row %d: unchanged is %t", id, same)
				}
			}
		})
	}
}

// rowsIn returns the table of a layer.
func rowsIn(t testing.TB, store *model.Store) []float32 {
	t.Helper()
	scope := store.Scope("/symbols")
	for _, name := range []string{"table", "queries"} {
		if v := scope.GetVariable(name); v != nil {
			return tensors.MustCopyFlatData[float32](v.MustValue())
		}
	}
	t.Fatal("there is no table")
	return nil
}

func TestSizesOfOthers(t *testing.T) {
	for _, c := range []struct {
		layer learn.Embedding
		bits  int64
	}{
		{learn.NewFull(10_000, 200), 64_000_000},
		{learn.NewLowRank(10_000, 200, learn.RankFor(10_000, 200, 0.2)), 12_729_600}, // the paper: 12.73 M
		{learn.NewLowRank(10_000, 200, learn.RankFor(10_000, 200, 0.1)), 6_201_600},
		{learn.NewLowRank(10_000, 650, learn.RankFor(10_000, 650, 0.2)), 41_577_600},
		{learn.NewLowRank(10_000, 650, learn.RankFor(10_000, 650, 0.1)), 20_788_800},
		{learn.NewLowRank(10_000, 1500, learn.RankFor(10_000, 1500, 0.2)), 95_680_000},
		{learn.NewLowRank(10_000, 1500, learn.RankFor(10_000, 1500, 0.1)), 47_840_000},
		{learn.NewLowRank(1433, 16, 7), 32 * 10_143},
		{learn.NewScalar(10_000, 650, 8), 52_000_000 + 64},
		{learn.NewScalar(10_000, 650, 6), 39_000_000 + 64},
		{learn.NewScalar(10_000, 650, 4), 26_000_000 + 64},
		{stored(t, compressed(t, 16, 6, quantize.Options{K: 4, D: 3, Composition: codefile.Concat})), 16*3*2 + 32*4*6},
	} {
		if got := c.layer.Size().Bits(); got != c.bits {
			t.Errorf("%T of %d symbols and width %d: %d bits, not %d", c.layer, c.layer.Symbols(), c.layer.Dim(), got, c.bits)
		}
	}
}

func TestRankAtBits(t *testing.T) {
	size := learn.NewKD(60_000, 300).Size() // 60,000·160 + 32·307,800 bits
	if got := learn.RankAtBits(size); got != 10 {
		t.Errorf("the rank is %d, not 10", got)
	}
	if got := learn.RankAtBits(learn.NewLowRank(1000, 30, 7).Size()); got != 7 {
		t.Errorf("the rank is %d, not 7", got)
	}
	if got := learn.RankFor(1000, 30, 0.0001); got != 1 {
		t.Errorf("the rank is %d, not 1", got)
	}
}

func TestFileOfScalar(t *testing.T) {
	layer := learn.NewScalar(12, 8, 6)
	m, err := layer.Export(trained(t, layer, 3).Scope("/symbols"))
	if err != nil {
		t.Fatal(err)
	}
	if got := 8 * len(m.Codes.Packed); int64(got) != layer.Size().CodeBits {
		t.Errorf("the codes take %d bits, not %d", got, layer.Size().CodeBits)
	}
}

func TestExportOfOneSymbol(t *testing.T) {
	for _, layer := range []learn.Exporter{learn.NewFull(1, 3), learn.NewLowRank(1, 3, 2)} {
		store := model.NewStore()
		want := evaluated(t, layer, store)
		m, err := layer.Export(store.Scope("/symbols"))
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float32, 3)
		if err := open(t, m).Lookup(got, 0); err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if math.Abs(float64(got[i]-want[i])) > 1e-6 {
				t.Errorf("%T: %v, not %v", layer, got, want)
			}
		}
	}
}

// A table of more rows than K can be is dealt out to several digits.
func TestExportLargeTable(t *testing.T) {
	const each = codefile.MaxK - 1
	for _, n := range []int{codefile.MaxK, codefile.MaxK + 1, 2 * each, 2*each + 1} {
		for _, layer := range []learn.Exporter{learn.NewFull(n, 3), learn.NewLowRank(n, 3, 2)} {
			store := model.NewStore()
			want := evaluated(t, layer, store)
			m, err := layer.Export(store.Scope("/symbols"))
			if err != nil {
				t.Fatal(err)
			}
			got, ids := make([]float32, n*3), make([]int, n)
			for i := range ids {
				ids[i] = i
			}
			if err := open(t, m).LookupBatch(got, ids); err != nil {
				t.Fatal(err)
			}
			for i := range got {
				if math.Abs(float64(got[i]-want[i])) > 1e-6 {
					t.Fatalf("%T of %d, row %d: %g, not %g", layer, n, i/3, got[i], want[i])
				}
			}
		}
	}
}

func TestExportRefused(t *testing.T) {
	for layer, says := range map[learn.Exporter]string{
		learn.NewFull(1<<26, 1):          "compress the trained table",
		learn.NewLowRank(1<<26, 1, 1):    "compress the trained table",
		learn.NewScalar(4, 1025, 8):      "up to width 1024",
		learn.NewScalar(4, 3, 9):         "2 to 8 are possible",
		learn.NewFull(4, 3):              "not trained yet",
		learn.NewDPQ(4, 6).CodeLength(3): "not trained yet",
	} {
		_, err := layer.Export(model.NewStore().Scope("/symbols"))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%T: the error is %v, which does not say %q", layer, err, says)
		}
	}
}

func TestCodesAndEntropyOfOthers(t *testing.T) {
	for name, layer := range otherLayers(t) {
		coder, ok := layer.(learn.Coder)
		if !ok {
			continue
		}
		store := model.NewStore()
		evaluated(t, layer, store)
		codes, entropy, err := coder.CodesAndEntropy(store.Scope("/symbols"))
		if err != nil {
			t.Fatal(err)
		}
		if decided := strings.HasPrefix(name, "stored"); decided != (entropy == 0) || entropy > math.Log(4) {
			t.Errorf("%s: the entropy is %g", name, entropy)
		}
		if codes.N() != 11 || codes.K != 4 || codes.D != 3 {
			t.Errorf("%s: N, K, D = %d, %d, %d", name, codes.N(), codes.K, codes.D)
		}
	}
}
