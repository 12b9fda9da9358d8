package learn

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/kdcode/kdcode/codefile"
)

// TestOnlineGuidanceMixes checks that each occurrence takes f(c) or u on its own,
// and f(c) with the probability asked for.
func TestOnlineGuidanceMixes(t *testing.T) {
	const n, mix = 4000, 0.3
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32(i % 5)
	}
	layer := func(mix float64) *KD {
		return form{Mean, 0, false}.small(StraightThrough).Guide(OnlineGuidance(mix, 0.1))
	}
	run := func(mix float64) outcome { return newRig(t, layer(mix), dtypes.Float32, distinct(t, ids, 7, 4)).run() }
	mixed, f, u := run(mix).v, run(1).v, run(0).v
	taken := make([]int, 5)
	for i, id := range ids {
		switch row := mixed[i*6:][:6]; {
		case slices.Equal(row, f[i*6:][:6]):
			taken[id]++
		case !slices.Equal(row, u[i*6:][:6]):
			t.Fatalf("occurrence %d is neither f(c) nor u", i)
		}
	}
	for id, k := range taken {
		if share := float64(k) / (n / 5); math.Abs(share-mix) > 0.07 { // four deviations
			t.Errorf("symbol %d takes f(c) with probability %g, not %g", id, share, mix)
		}
	}
}

// TestOnlineGuidanceDoesNotDrag checks that u gets no gradient from the match
// with f(c), only from the task where it stood in.
func TestOnlineGuidanceDoesNotDrag(t *testing.T) {
	r := newRig(t, form{Mean, 0, false}.small(StraightThrough).Guide(OnlineGuidance(1, 1000)), dtypes.Float64, distinct(t, occurrences, 7, 4))
	o := r.run()
	sameValues(t, "gradient of u", o.gradients["/layer/guide"], make([]float64, 7*6), 0)
	if o.reg < 1 {
		t.Errorf("the match costs %g", o.reg)
	}

	r = newRig(t, form{Mean, 0, false}.small(StraightThrough).Guide(OnlineGuidance(0, 1000)), dtypes.Float64, distinct(t, occurrences, 7, 4))
	o = r.run()
	want := make([]float64, 7*6) // of the task's loss, by hand
	u := r.get("/layer/guide")
	for i, id := range occurrences {
		for k := range 6 {
			want[int(id)*6+k] += r.linear[i*6+k] + r.square[i*6+k]*u[int(id)*6+k]
		}
	}
	sameValues(t, "gradient of u", o.gradients["/layer/guide"], want, 1e-12)
}

// TestGuidanceInEvaluation checks that evaluation knows f(c) alone.
func TestGuidanceInEvaluation(t *testing.T) {
	u := make([]float32, optN*6)
	for name, g := range map[string]Guidance{
		"online": OnlineGuidance(0.5, 1), "pretrained": PretrainedGuidance(u, false), "auto-encoder": PretrainedGuidance(u, true),
	} {
		evaluate := func(g Guidance) []float64 {
			store := seeded(t, 5)
			trainer := newTrainer(t, store, NewKD(optN, 6).Ways(4).CodeLength(3).Guide(g), LazyAdam(0))
			trainOn(t, trainer, optBatches[0])
			for _, path := range []string{"/layer/embedding_norm", "/layer/codes/norm"} { // those of training differ
				for _, name := range []string{"mean", "variance"} {
					setValue(t, store, path+"/"+name, onesLike(valuesAt(t, store, path+"/"+name)))
				}
			}
			trainer = newTrainer(t, store, NewKD(optN, 6).Ways(4).CodeLength(3).Guide(g), LazyAdam(0))
			metrics, err := trainer.EvalStep(train.Batch{Inputs: inputsOf(t, optBatches[1])})
			if err != nil {
				t.Fatal(err)
			}
			return floatsOf(metrics[0])
		}
		sameValues(t, name, evaluate(g), evaluate(Guidance{}), 1e-6)
	}
}

func onesLike(x []float64) *tensors.Tensor {
	ones := make([]float64, len(x))
	for i := range ones {
		ones[i] = 1
	}
	return tensorOf(dtypes.Float32, ones, len(ones))
}

// TestPretrainedGuidanceIsFrozen checks that training leaves u as it was given,
// also u that comes from a checkpoint, where all variables are trainable.
func TestPretrainedGuidanceIsFrozen(t *testing.T) {
	u := make([]float32, optN*6)
	for i, x := range fluctuate(len(u), 8) {
		u[i] = float32(x)
	}
	for _, layer := range []Embedding{
		NewKD(optN, 6).Ways(4).CodeLength(3).Guide(PretrainedGuidance(u, false)),
		NewKD(optN, 6).Ways(4).CodeLength(3).Guide(PretrainedGuidance(u, true)),
	} {
		store := seeded(t, 5)
		trainer := newTrainer(t, store, layer, SGD(0.1, 1))
		trainOn(t, trainer, optBatches[0])
		store.GetVariable("/layer/guide").SetTrainable(true)
		trainer = newTrainer(t, store, layer, SGD(0.1, 1))
		trainOn(t, trainer, optBatches[1])
		sameValues(t, "guide", valuesAt(t, store, "/layer/guide"), floatsOf(tensors.FromValue(u)), 0)
	}
}

// TestFixedCodesStayAsTheyAre checks the same of fixed codes.
func TestFixedCodesStayAsTheyAre(t *testing.T) {
	codes := RandomCodes(optN, 4, 3, 9)
	layer := NewKD(optN, 6).Codes(codes)
	store := seeded(t, 5)
	trainer := newTrainer(t, store, layer, Mixed(0.5, 1))
	first := trainOn(t, trainer, optBatches[1])
	for range 30 {
		trainOn(t, trainer, optBatches[1])
	}
	if last := trainOn(t, trainer, optBatches[1]); !(last < first) {
		t.Errorf("the loss is %g after training, %g before", last, first)
	}
	learned, err := layer.LearnedCodes(store.Scope("/layer"))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(learned.Packed, codes.Packed) {
		t.Error("the codes changed")
	}
	fixed := store.GetVariable("/layer/codes/fixed")
	if fixed == nil || fixed.Trainable {
		t.Error("the codes can be trained")
	}
}

// TestCheck checks that settings that do not fit are refused, and says why.
func TestCheck(t *testing.T) {
	codes := RandomCodes(5, 8, 4, 1)
	for _, c := range []struct {
		layer *KD
		want  string // empty is no error
	}{
		{NewKD(5, 4), ""},
		{NewKD(5, 4).Codes(codes), ""},
		{NewKD(5, 4).Codes(codes).Guide(PretrainedGuidance(make([]float32, 20), false)), ""},
		{NewKD(5, 64).Compose(Concat), ""},
		{NewKD(5, 64).Compose(Concat).CodeDim(2), ""},
		{NewKD(5, 4).Ways(codefile.MaxK).CodeLength(codefile.MaxD), ""},

		{NewKD(0, 4), "0 symbols of width 4: both must be positive"},
		{NewKD(5, 0), "5 symbols of width 0"},
		{NewKD(5, 4).Ways(1), "K = 1: 2 to"},
		{NewKD(5, 4).Ways(codefile.MaxK + 1), "2 to 65536 are possible"},
		{NewKD(5, 4).CodeLength(0), "D = 0: 1 to"},
		{NewKD(5, 4).CodeLength(codefile.MaxD + 1), "are possible"},
		{NewKD(5, 4).CodeDim(-1), "code embeddings of width -1"},
		{NewKD(5, 40).Compose(Concat), "40 is no multiple of 32"},
		{NewKD(5, 64).Compose(Concat).CodeDim(3), "of width d/D = 2, not 3"},
		{NewKD(5, 4).Compose(Composition(9)), "no composition 9"},
		{NewKD(5, 4).Compose(LSTM).Hidden(-1), "an LSTM of width -1"},
		{NewKD(5, 4).Relax(Relaxation(9)), "no relaxation 9"},
		{NewKD(5, 4).Relax(Threshold), "threshold is for K = 2, not 32"},
		{NewKD(5, 4).DropDigits(-0.1), "probability -0.1"},
		{NewKD(5, 4).DropDigits(1), "probability 1: 0 up to 1 is possible"},
		{NewKD(6, 4).Codes(codes), "5 fixed codes for 6 symbols"},
		{NewKD(5, 4).Codes(codes).Ways(16), "K = 8 and D = 4 in a layer of K = 16 and D = 4"},
		{NewKD(5, 4).Codes(codes).CodeLength(3), "K = 8 and D = 4 in a layer of K = 8 and D = 3"},
		{NewKD(5, 4).Codes(codes).Guide(PretrainedGuidance(make([]float32, 20), true)), "but they are fixed"},
		{NewKD(5, 4).Guide(OnlineGuidance(1.5, 1)), "with a probability, not 1.5"},
		{NewKD(5, 4).Guide(OnlineGuidance(-0.5, 1)), "with a probability, not -0.5"},
		{NewKD(5, 4).Guide(PretrainedGuidance(make([]float32, 19), false)), "19 values instead of N·d = 5·4"},
	} {
		switch err := c.layer.Check(); {
		case c.want == "" && err != nil:
			t.Error(err)
		case c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), "learn: ") || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%v does not say %q", err, c.want)
		}
	}
}

// TestVariableOfOtherSettings checks that a variable of another shape, as from a
// checkpoint of other settings, is told.
func TestVariableOfOtherSettings(t *testing.T) {
	store := seeded(t, 5)
	trainOn(t, newTrainer(t, store, NewKD(optN, 6).Ways(4).CodeLength(3), LazyAdam(0.1)), optBatches[0])
	_, err := newTrainer(t, store, NewKD(optN, 6).Ways(8).CodeLength(3), LazyAdam(0.1)).TrainStep(train.Batch{Inputs: inputsOf(t, optBatches[0])})
	if err == nil || !strings.Contains(err.Error(), "made by other settings") {
		t.Error(err)
	}
}
