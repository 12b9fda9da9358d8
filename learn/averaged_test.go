package learn

import (
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/ml/model"
)

// Averaged are the weights and what follows from them: no moments, counters,
// metrics, nor what is frozen.
func TestAveraged(t *testing.T) {
	kd := func() *KD { return NewKD(optN, 6).Ways(4).CodeLength(3) }
	const codes = "code_embeddings codes/logits codes/norm/mean codes/norm/offset codes/norm/scale codes/norm/variance embedding_norm/mean embedding_norm/offset embedding_norm/scale embedding_norm/variance"
	for name, c := range map[string]struct {
		layer Embedding
		want  string
	}{
		"full":         {NewFull(optN, 6), "table"},
		"scalar":       {NewScalar(optN, 6, 4), "high low table"},
		"low rank":     {NewLowRank(optN, 6, 2), "projection table"},
		"sx":           {NewDPQ(optN, 6).Ways(4).CodeLength(3), "code_embeddings keys queries score_norm/mean score_norm/variance"},
		"vq":           {NewDPQ(optN, 6).Ways(4).CodeLength(3).Match(VQ), "code_embeddings queries score_norm/mean score_norm/variance"},
		"kd":           {kd(), codes},
		"online":       {kd().Guide(OnlineGuidance(0.5, 1)), codes + " guide"},
		"auto-encoder": {kd().Guide(PretrainedGuidance(make([]float32, optN*6), true)), codes + " encoder/bias encoder/norm/mean encoder/norm/offset encoder/norm/scale encoder/norm/variance encoder/weight"},
	} {
		store := seeded(t, 5)
		trainer := newTrainer(t, store, c.layer, Mixed(0.5, 0.1))
		trainOn(t, trainer, optBatches[0])
		store.GetVariable(model.RNGStateVariableName).SetTrainable(true) // as one that was read
		means, err := newMeans(trainer.Backend(), store)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range means.weights {
			got = append(got, strings.TrimPrefix(v.Path(), "/layer/"))
		}
		slices.Sort(got)
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: averaged are %s, want %s", name, got, c.want)
		}
	}
}
