package learn

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/engine/enginetest"
)

// TestDistinct checks that composing each distinct symbol once, weighted, is the
// plain layer on all occurrences: embeddings, regularisers, moving statistics,
// and gradients, summed by rows.
func TestDistinct(t *testing.T) {
	enginetest.Slow(t)
	for name, layer := range deterministic() {
		t.Run(name, func(t *testing.T) {
			for _, c := range []struct {
				dtype     dtypes.DType
				tolerance float64
				gradients float64
			}{{dtypes.Float32, 1e-5, 1e-4}, {dtypes.Float64, 1e-12, 1e-12}} {
				want := newRig(t, layer, c.dtype, plain(occurrences)).run()
				for _, round := range []int{1, 8, 11} { // 5 symbols: no padding, then 3 and 6 slots of it
					got := newRig(t, layer, c.dtype, distinct(t, occurrences, 7, round)).run()
					sameOutcome(t, got, want, c.tolerance, c.gradients)
				}
			}
		})
	}
}

// deterministic returns layers that draw nothing.
func deterministic() map[string]*KD {
	u := make([]float32, 7*6)
	for i, x := range fluctuate(len(u), 4) {
		u[i] = float32(x)
	}
	auto := PretrainedGuidance(u, true)
	auto.Match, auto.Reconstruct, auto.MatchLogits = 3, 2, 1.5
	layers := map[string]*KD{}
	for _, f := range forms() {
		for _, r := range []Relaxation{StraightThrough, Soft, Threshold} {
			layers[fmt.Sprintf("%s/%s", r, f)] = f.small(r).Entropy(0.3)
		}
		if f.shared {
			continue
		}
		layers["no norms/"+f.String()] = f.small(StraightThrough).Entropy(0.3).Norms(false, false)
		layers["pretrained/"+f.String()] = f.small(StraightThrough).Guide(PretrainedGuidance(u, false))
		layers["auto-encoder/"+f.String()] = f.small(StraightThrough).Entropy(0.3).Guide(auto)
		layers["online, all f(c)/"+f.String()] = f.small(StraightThrough).Guide(OnlineGuidance(1, 0.5))
		layers["online, all u/"+f.String()] = f.small(StraightThrough).Guide(OnlineGuidance(0, 0.5))
		layers["fixed/"+f.String()] = f.small(StraightThrough).Codes(RandomCodes(7, 4, 3, 1)).Guide(OnlineGuidance(1, 0.5))
	}
	layers["auto-encoder, threshold"] = form{Mean, 0, false}.small(Threshold).Guide(auto)
	layers["auto-encoder, falling temperature"] = form{Mean, 4, false}.small(Soft).Guide(auto).
		Temperature(Temperature{Kind: Exponential, Initial: 2, Steps: 1, Rate: 0.5})
	return layers
}

func sameOutcome(t *testing.T, got, want outcome, tolerance, gradients float64) {
	t.Helper()
	sameValues(t, "embeddings", got.v, want.v, tolerance)
	sameValues(t, "losses", []float64{got.loss, got.reg}, []float64{want.loss, want.reg}, tolerance)
	for path, values := range want.statistics {
		sameValues(t, path, got.statistics[path], values, tolerance)
	}
	if len(got.gradients) != len(want.gradients) || len(got.rows) != len(want.rows) {
		t.Fatalf("%d and %d gradients, not %d and %d", len(got.gradients), len(got.rows), len(want.gradients), len(want.rows))
	}
	size := 1.0 // a gradient that cancels out is rounded by the size of those it is made of
	for _, values := range want.gradients {
		size = max(size, largestOf(values))
	}
	for path, values := range want.gradients {
		tolerance := gradients * size / max(1, largestOf(values))
		sameValues(t, "gradient of "+path, got.gradients[path], values, tolerance)
		if rows, ok := want.rows[path]; ok {
			sameValues(t, "gradient by rows of "+path, got.rows[path], rows, tolerance)
		}
	}
}

// TestPaddingAlone checks that a batch without a symbol leaves the moving
// statistics as they are, and gives no NaN.
func TestPaddingAlone(t *testing.T) {
	r := newRig(t, form{Mean, 4, false}.small(StraightThrough).Entropy(0.3), dtypes.Float32, distinct(t, occurrences, 7, 1))
	want := r.run().statistics
	r.batch = distinct(t, []int32{Padding, Padding}, 7, 4)
	got := r.run()
	for path, values := range want {
		if !slices.Equal(got.statistics[path], values) {
			t.Errorf("%s changed from %v to %v", path, values, got.statistics[path])
		}
	}
	sameValues(t, "embeddings", got.v, got.v, 0) // fails for NaN
	sameValues(t, "regulariser", []float64{got.reg}, []float64{0}, 0)
}

// TestMovingStatistics compares the moving statistics with a plain mean over the
// first batches, and checks that evaluation uses them.
func TestMovingStatistics(t *testing.T) {
	r := newRig(t, form{Mean, 0, false}.small(StraightThrough), dtypes.Float64, distinct(t, occurrences, 7, 4))
	const at = "/layer/codes/norm/"
	r.set(at+"batches", []float64{0})
	want := make([]float64, 4)
	batches := [][]int32{{0, 1, 1}, {2, 3, 4, 4}, {5, 5, 6}}
	logits := r.get("/layer/codes/logits")
	for _, ids := range batches {
		r.batch = distinct(t, ids, 7, 4)
		r.loss()
		for k := range want {
			for _, id := range ids {
				for j := range 3 {
					want[k] += logits[(int(id)*3+j)*4+k] / float64(3*len(ids)*len(batches))
				}
			}
		}
	}
	sameValues(t, "mean", r.get(at+"mean"), want, 1e-12)
	r.set(at+"batches", []float64{1e6})
	r.set(at+"mean", []float64{100, 200, 300, 400})
	r.loss()
	for k, x := range r.get(at + "mean") {
		moved := 0.99*100*float64(k+1) + 0.01*batchMean(logits, batches[2], k)
		sameValues(t, "mean, later", []float64{x}, []float64{moved}, 1e-12)
	}
}

func batchMean(logits []float64, ids []int32, k int) float64 {
	sum := 0.0
	for _, id := range ids {
		for j := range 3 {
			sum += logits[(int(id)*3+j)*4+k] / float64(3*len(ids))
		}
	}
	return sum
}

// TestEmbed checks that Embed, which finds the distinct symbols in the graph,
// gives what the layer gives for those found on the host.
func TestEmbed(t *testing.T) {
	layer := form{Mean, 4, false}.small(StraightThrough).Entropy(0.3)
	want := newRig(t, layer, dtypes.Float64, distinct(t, occurrences, 7, 1)).run()
	got := newRig(t, viaEmbed{layer}, dtypes.Float64, plain(occurrences)).run()
	sameOutcome(t, got, want, 1e-12, 1e-12)
}

// viaEmbed has Embed find the distinct symbols.
type viaEmbed struct{ *KD }

func (e viaEmbed) Embed(scope *model.Scope, s Symbols) *Node {
	return Reshape(Embed(e.KD, scope, Reshape(s.IDs, 2, -1)), -1, e.Dim())
}

// TestFixedCodes checks that fixed codes give the mean of the code embeddings
// they name, and that nothing of them is trained.
func TestFixedCodes(t *testing.T) {
	codes := RandomCodes(7, 4, 3, 5)
	r := newRig(t, form{Mean, 0, false}.small(StraightThrough).Codes(codes).Norms(false, false), dtypes.Float64, distinct(t, occurrences, 7, 4))
	o := r.run()
	if want := []string{"/layer/code_embeddings"}; !slices.Equal(r.paths, want) {
		t.Errorf("%v is trained, not %v", r.paths, want)
	}
	sameValues(t, "embeddings", o.v, meanOf(codes, r.get("/layer/code_embeddings"), 6), 1e-12)
}

// meanOf returns the means of the code embeddings w [D, K, d] of the occurrences.
func meanOf(codes codefile.Codes, w []float64, dim int) []float64 {
	var v []float64
	digits := make([]uint16, codes.D)
	for _, id := range occurrences {
		codes.Get(digits, int(id))
		for i := range dim {
			sum := 0.0
			for j, k := range digits {
				sum += w[(j*codes.K+int(k))*dim+i] / float64(codes.D)
			}
			v = append(v, sum)
		}
	}
	return v
}
