package learn

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/optimizer"
)

// The model of these tests has two tables and two dense variables. Its loss is
// Σ_u weight_u · Σ_k e²/2, e = logits[u,k]·scale[k] + guide[u,k] + bias[k] − 1.
const (
	optN, optWidth = 6, 3

	logitsPath = "/m/codes/logits"
	scalePath  = "/m/codes/norm/scale"
	guidePath  = "/m/guide"
	biasPath   = "/m/bias"
)

var optPaths = []string{biasPath, logitsPath, scalePath, guidePath}

func isTable(path string) bool { return path == logitsPath || path == guidePath }

// optBatches leave rows out, and pad.
var optBatches = [][]int32{{0, 1, 1}, {2, 2, 2, 5, 1}, {0, 3}, {0, 5, 1, 1}, {3, 3, 5}, {0, 1, 2, 3}}

// optModel builds the loss. With again, the guide is read a second time in that
// way, to no effect on the loss.
func optModel(again func(guide *model.Variable, s Symbols) *Node) func(*model.Scope, []*Node) []*Node {
	return func(scope *model.Scope, inputs []*Node) []*Node {
		s := Symbols{IDs: inputs[0], Weight: inputs[1]}
		g, at := s.IDs.Graph(), scope.At("m")
		guide := Uniform(at, "guide", 0.5, optN, optWidth)
		logits := Rows(Uniform(at.At("codes"), "logits", 0.5, optN, optWidth), s)
		scale := Filled(at.At("codes").At("norm"), "scale", 1, optWidth).NodeValue(g)
		bias := Filled(at, "bias", 0, optWidth).NodeValue(g)
		e := Add(Mul(logits, rowOf(scale, logits)), Rows(guide, s))
		e = AddScalar(Add(e, rowOf(bias, e)), -1)
		if again != nil {
			train.AddMainLoss(MulScalar(ReduceAllSum(again(guide, s)), 0))
		}
		train.AddMainLoss(MulScalar(ReduceAllSum(Mul(Square(e), InsertAxes(s.Weight, -1))), 0.5))
		return []*Node{e}
	}
}

// optReference is the same model and rules in plain Go.
type optReference struct {
	values, m, v map[string][]float64
	step         int
}

// gradients returns those of a batch, dense.
func (r *optReference) gradients(ids []int32) map[string][]float64 {
	g := map[string][]float64{}
	for path, values := range r.values {
		g[path] = make([]float64, len(values))
	}
	for _, id := range ids {
		for k := range optWidth {
			at := int(id)*optWidth + k
			e := r.values[logitsPath][at]*r.values[scalePath][k] + r.values[guidePath][at] + r.values[biasPath][k] - 1
			g[logitsPath][at] += e * r.values[scalePath][k]
			g[scalePath][k] += e * r.values[logitsPath][at]
			g[guidePath][at] += e
			g[biasPath][k] += e
		}
	}
	return g
}

// train makes one step; whole are tables that are not trained by rows.
func (r *optReference) train(ids []int32, rate float64, ruleOf func(path string) Rule, whole ...string) {
	r.step++
	gradients := r.gradients(ids)
	norms := map[Rule]float64{}
	for path, g := range gradients {
		norms[ruleOf(path)] += dot(g, g)
	}
	for path, g := range gradients {
		rule := ruleOf(path)
		rate := rate * rule.Scale
		if norm := math.Sqrt(norms[rule]); rule.Clip > 0 && norm > rule.Clip {
			for i := range g {
				g[i] *= rule.Clip / norm
			}
		}
		for i, x := range g {
			if isTable(path) && !slices.Contains(whole, path) && !slices.Contains(ids, int32(i/optWidth)) {
				continue
			}
			if !rule.Adam {
				r.values[path][i] -= rate * x
				continue
			}
			m, v := &r.m[path][i], &r.v[path][i]
			*m = 0.9**m + 0.1*x
			*v = 0.999**v + 0.001*x*x
			correction := math.Sqrt(1-math.Pow(0.999, float64(r.step))) / (1 - math.Pow(0.9, float64(r.step)))
			r.values[path][i] -= rate * correction * *m / (math.Sqrt(*v) + 1e-8)
		}
	}
}

// TestOptimizer compares the optimizers with plain Go over steps in which rows
// are left out, with a learning rate that changes on the way. Rows left out keep
// their values and moments, to the bit.
func TestOptimizer(t *testing.T) {
	all := func(r Rule) func(string) Rule { return func(string) Rule { return r } }
	split := func(codes, rest Rule) func(string) Rule {
		return func(path string) Rule {
			if path == logitsPath || path == scalePath {
				return codes
			}
			return rest
		}
	}
	rowsAgain := func(guide *model.Variable, s Symbols) *Node { return Rows(guide, s) }
	wholeToo := func(guide *model.Variable, s Symbols) *Node { return guide.NodeValue(s.IDs.Graph()) }
	for _, c := range []struct {
		name  string
		make  func() *Optimizer
		rules func(path string) Rule
		again func(*model.Variable, Symbols) *Node
		whole []string
	}{
		{"lazy Adam", func() *Optimizer { return LazyAdam(0.1) }, all(Rule{Adam: true, Scale: 1}), nil, nil},
		{"SGD", func() *Optimizer { return SGD(0.1, 0) }, all(Rule{Scale: 1}), nil, nil},
		{"SGD, clipped", func() *Optimizer { return SGD(0.1, 0.7) }, all(Rule{Scale: 1, Clip: 0.7}), nil, nil},
		{"SGD, clipped at times", func() *Optimizer { return SGD(0.1, 4) }, all(Rule{Scale: 1, Clip: 4}), nil, nil},
		{"mixed", func() *Optimizer { return Mixed(0.1, 0.7) }, split(Rule{Adam: true, Scale: 0.01}, Rule{Scale: 1, Clip: 0.7}), nil, nil},
		{"set", func() *Optimizer { return SGD(0.1, 3).Codes(Rule{Scale: 0.5, Clip: 0.2}).Rest(Rule{Adam: true}) },
			split(Rule{Scale: 0.5, Clip: 0.2}, Rule{Adam: true, Scale: 1}), nil, nil},
		{"rows read twice", func() *Optimizer { return LazyAdam(0.1) }, all(Rule{Adam: true, Scale: 1}), rowsAgain, []string{guidePath}},
		{"read whole, too", func() *Optimizer { return LazyAdam(0.1) }, all(Rule{Adam: true, Scale: 1}), wholeToo, []string{guidePath}},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := seeded(t, 3)
			trainer := train.NewTrainer(backend(t), store, optModel(c.again), nil, c.make(), nil, nil)
			reference := startOf(t, store, optModel(c.again))
			rate := 0.1
			for i, ids := range optBatches {
				if i == 3 {
					rate = 0.03
					setValue(t, store, "/"+optimizer.Scope+"/"+optimizer.ParamLearningRate, tensors.FromValue(float32(rate)))
				}
				before := snapshot(store)
				trainOn(t, trainer, ids)
				reference.train(ids, rate, c.rules, c.whole...)
				for _, path := range optPaths {
					sameValues(t, fmt.Sprintf("step %d, %s", i+1, path), valuesAt(t, store, path), reference.values[path], 1e-5)
				}
				checkUntouched(t, store, before, ids, c.whole)
			}
		})
	}
}

// startOf makes the model's variables and returns them for the reference.
func startOf(t *testing.T, store *model.Store, build func(*model.Scope, []*Node) []*Node) *optReference {
	t.Helper()
	exec := model.MustNewExec(backend(t), store, build)
	if _, err := exec.Call([]int32{0}, []float32{1}); err != nil {
		t.Fatal(err)
	}
	r := &optReference{values: map[string][]float64{}, m: map[string][]float64{}, v: map[string][]float64{}}
	for _, path := range optPaths {
		r.values[path] = valuesAt(t, store, path)
		r.m[path], r.v[path] = make([]float64, len(r.values[path])), make([]float64, len(r.values[path]))
	}
	return r
}

// checkUntouched fails where a row that does not occur has changed, or a moment
// of it.
func checkUntouched(t *testing.T, store *model.Store, before map[string][]float64, ids []int32, whole []string) {
	t.Helper()
	for _, path := range []string{logitsPath, guidePath} {
		if slices.Contains(whole, path) {
			continue
		}
		for _, at := range []string{path, momentsScope + path + "/m", momentsScope + path + "/v"} {
			old, ok := before[at]
			if !ok {
				continue
			}
			for i, x := range valuesAt(t, store, at) {
				if !slices.Contains(ids, int32(i/optWidth)) && x != old[i] {
					t.Fatalf("%s: element %d of a row that does not occur changed from %g to %g", at, i, old[i], x)
				}
			}
		}
	}
}

// trainOn makes a step, with a batch padded to a multiple of 4.
func trainOn(t testing.TB, trainer *train.Trainer, ids []int32) float64 {
	t.Helper()
	metrics, err := trainer.TrainStep(train.Batch{Inputs: inputsOf(t, ids)})
	if err != nil {
		t.Fatal(err)
	}
	return floatsOf(metrics[0])[0]
}

func inputsOf(t testing.TB, ids []int32) []*tensors.Tensor {
	t.Helper()
	b := distinct(t, ids, optN, 4)
	return []*tensors.Tensor{tensors.FromValue(b.ids), tensors.FromValue(b.weight)}
}

func seeded(t testing.TB, seed int64) *model.Store {
	t.Helper()
	store := model.NewStore()
	if err := SetSeed(store, seed); err != nil {
		t.Fatal(err)
	}
	return store
}

func setValue(t testing.TB, store *model.Store, path string, value *tensors.Tensor) {
	t.Helper()
	v := store.GetVariable(path)
	if v == nil {
		t.Fatalf("there is no variable %s", path)
	}
	if err := v.SetValue(value); err != nil {
		t.Fatal(err)
	}
}

func valuesAt(t testing.TB, store *model.Store, path string) []float64 {
	t.Helper()
	v := store.GetVariable(path)
	if v == nil {
		t.Fatalf("there is no variable %s", path)
	}
	return floatsOf(v.MustValue())
}

// snapshot returns the values of all variables but those of the trainer's
// metrics, whose paths are random.
func snapshot(store *model.Store) map[string][]float64 {
	all := map[string][]float64{}
	for v := range store.IterVariables() {
		if v.Shape().DType.IsFloat() && !strings.HasPrefix(v.Path(), "/metrics/") {
			all[v.Path()] = floatsOf(v.MustValue())
		}
	}
	return all
}

// noisy returns a layer that draws all that can be drawn.
func noisy() *KD {
	return NewKD(optN, 6).Ways(4).CodeLength(3).CodeDim(5).Relax(Gumbel).DropDigits(0.2).Entropy(0.01).Guide(OnlineGuidance(0.5, 0.1)).
		Temperature(Temperature{Kind: Exponential, Steps: 2, Rate: 0.9, Lower: 0.1})
}

// newTrainer returns a trainer of a layer to imitate a table.
func newTrainer(t testing.TB, store *model.Store, layer Embedding, o optimizer.Interface) *train.Trainer {
	return train.NewTrainer(backend(t), store, func(scope *model.Scope, inputs []*Node) []*Node {
		v := layer.Embed(scope.At("layer"), Symbols{IDs: inputs[0], Weight: inputs[1]})
		target := ConvertDType(Const(v.Graph(), tensors.FromFlatDataAndDimensions(fluctuate(optN*6, 3), optN, 6)), v.DType())
		apart := Square(Sub(v, Gather(target, InsertAxes(inputs[0], -1))))
		train.AddMainLoss(meanOver(apart, inputs[1]))
		return []*Node{v}
	}, nil, o, nil, nil)
}

// TestTrainingRepeats checks that the same seed gives the same variables, to the
// bit; also where the store is copied on the way in another order, as a
// checkpoint may be read.
func TestTrainingRepeats(t *testing.T) {
	run := func(copied bool) map[string][]float64 {
		store := seeded(t, 5)
		trainer := newTrainer(t, store, noisy(), Mixed(0.5, 0.1))
		for i := range 40 {
			if copied && i == 6 {
				store = reversed(t, store)
				trainer = newTrainer(t, store, noisy(), Mixed(0.5, 0.1))
			}
			trainOn(t, trainer, optBatches[i%len(optBatches)])
		}
		return snapshot(store)
	}
	want := run(false)
	for _, copied := range []bool{false, true} {
		got := run(copied)
		for path, values := range want {
			if !slices.Equal(got[path], values) {
				t.Errorf("copied %t: %s is %v, and was %v", copied, path, got[path], values)
			}
		}
	}
}

// reversed returns a copy of a store with the variables in the other order.
func reversed(t *testing.T, store *model.Store) *model.Store {
	t.Helper()
	to := model.NewStore()
	to.SetParam(model.ParamInitialSeed, int64(5))
	for _, v := range slices.Backward(slices.Collect(store.IterVariables())) {
		if _, err := v.CloneToStore(to); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// TestGoMLXOptimizer checks that the layer is trained by GoMLX's optimizers, too.
func TestGoMLXOptimizer(t *testing.T) {
	for name, o := range map[string]optimizer.Interface{
		"Adam": optimizer.Adam().LearningRate(0.05).Done(),
		"SGD":  optimizer.StochasticGradientDescent().WithLearningRate(0.5).WithDecay(false),
		"ours": LazyAdam(0.05),
	} {
		trainer := newTrainer(t, seeded(t, 5), NewKD(optN, 6).Ways(4).CodeLength(4), o)
		ids := []int32{0, 1, 2, 3, 4, 5}
		first := trainOn(t, trainer, ids)
		var last float64
		for range 150 {
			last = trainOn(t, trainer, ids)
		}
		if !(last < first/4) {
			t.Errorf("%s: the loss is %g after training, %g before", name, last, first)
		}
	}
}

// TestIsCode checks which variables the rule of the codes applies to.
func TestIsCode(t *testing.T) {
	store := model.NewStore()
	for path, want := range map[string]bool{
		"/words/codes/logits":          true,
		"/words/codes/norm/scale":      true,
		"/words/codes/norm/offset":     true,
		"/codes/codes/logits":          true,
		"/codes/code_embeddings":       false, // of a layer in a scope called codes
		"/codes/embedding_norm/scale":  false,
		"/words/encoder/norm/scale":    false,
		"/words/encoder/weight":        false,
		"/words/guide":                 false,
		"/words/queries":               false,
		"/words/embedding_norm/offset": false,
		"/logits/weights":              false,
	} {
		if got := isCode(store.VariableWithValue(path, float32(0))); got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
}

// TestOptimizerClear checks that Clear leaves the model alone.
func TestOptimizerClear(t *testing.T) {
	store := seeded(t, 5)
	o := LazyAdam(0.1)
	trainOn(t, newTrainer(t, store, noisy(), o), optBatches[0])
	moments := momentsScope + "/layer/codes/logits/m"
	if store.GetVariable(moments) == nil {
		t.Fatalf("there is no variable %s", moments)
	}
	if err := o.Clear(store.RootScope()); err != nil {
		t.Fatal(err)
	}
	if store.GetVariable(moments) != nil || store.GetVariable("/layer/codes/logits") == nil {
		t.Error("Clear deletes the moments, and nothing else")
	}
}
