package learn

import (
	"path"
	"slices"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/metric"
)

const (
	meansScope    = "/means/"
	metricsScope  = "/" + metric.Scope + "/"
	meansPerEpoch = 16 // how often an epoch's weights enter the means
)

// following are the variables that are moving averages of what the weights do: a
// norm's statistics, and the range of scalars. They are averaged, too: measuring
// them anew for the means takes a pass over the data, and changed perplexities of
// language models by a thousandth, to either side.
var following = []string{normMean, normVariance, scalarLow, scalarHigh}

// means are moving averages of a model's weights. SGD at a high learning rate
// circles around a minimum, which the mean of where it was is closer to
// (Polyak's averaging). They are variables beside the weights, so that
// checkpoints have them, too.
type means struct {
	weights, means []*model.Variable
	enter          *model.Exec
}

// newMeans returns the means that a store has of its weights, or new ones of
// the weights that it has now.
func newMeans(backend compute.Backend, store *model.Store) (*means, error) {
	m := &means{}
	var weights []*model.Variable
	for v := range store.IterVariables() {
		if weight, ok := strings.CutPrefix(v.Path(), meansScope); ok {
			m.weights, m.means = append(m.weights, store.GetVariable("/"+weight)), append(m.means, v)
		} else if averaged(v) {
			weights = append(weights, v)
		}
	}
	if len(m.means) == 0 {
		m.weights = weights
		for _, v := range weights {
			scope, name := model.SplitPath(v.Path())
			zeros := tensors.FromShape(shapes.Make(v.DType(), v.Shape().Dimensions...))
			m.means = append(m.means, store.Scope(path.Join(meansScope, scope)).VariableWithValue(name, zeros).SetTrainable(false))
		}
	}
	var err error
	m.enter, err = model.NewExec(backend, store, m.graph)
	return m, err
}

// averaged reports whether a variable is a weight: trained, or what follows from
// those. GoMLX's metrics have means, too.
func averaged(v *model.Variable) bool {
	_, name := model.SplitPath(v.Path())
	return v.Trainable || slices.Contains(following, name) && !strings.HasPrefix(v.Path(), metricsScope)
}

// graph builds mean += share · (weight − mean).
func (m *means) graph(_ *model.Scope, share *Node) *Node {
	g := share.Graph()
	for i, v := range m.weights {
		mean := m.means[i].NodeValue(g)
		difference := Sub(v.NodeValue(g), mean)
		m.means[i].SetNodeValue(Add(mean, Mul(difference, ConvertDType(share, mean.DType()))))
	}
	return share
}

// add enters the weights as the n-th, from 1. They are averaged plainly until
// horizon are, and forgotten exponentially then.
func (m *means) add(n, horizon int) error {
	share, err := m.enter.Call(float32(1) / float32(min(n, horizon)))
	if err != nil {
		return err
	}
	return share[0].FinalizeAll()
}

// swap exchanges the weights and their means.
func (m *means) swap() error {
	for i, v := range m.weights {
		weight, err := v.Value()
		if err != nil {
			return err
		}
		mean, err := m.means[i].Value()
		if err != nil {
			return err
		}
		if err := v.SetValuePreservingOld(mean); err != nil {
			return err
		}
		if err := m.means[i].SetValuePreservingOld(weight); err != nil {
			return err
		}
	}
	return nil
}

// average enters the weights into the means, if it is time to.
func (r *run) average() error {
	every := max(r.Steps/meansPerEpoch, 1)
	if r.Average == 0 || r.state.Step%every != 0 {
		return nil
	}
	if err := r.findMeans(); err != nil {
		return err
	}
	r.state.Averaged++
	epochs := min(r.Average, r.Epochs) // more are all of them, and their steps may be no int
	return r.means.add(r.state.Averaged, max(epochs*r.Steps/every, 1))
}

// findMeans makes the means, or finds those of a checkpoint. The weights are
// made by the first step.
func (r *run) findMeans() error {
	if r.means != nil {
		return nil
	}
	var err error
	r.means, err = newMeans(r.Trainer.Backend(), r.Trainer.Store())
	return err
}

// withMeans calls f while the weights are their means, if there are any.
func (r *run) withMeans(f func() error) error {
	if r.state.Averaged == 0 {
		return f()
	}
	if err := r.findMeans(); err != nil {
		return err
	}
	if err := r.means.swap(); err != nil {
		return err
	}
	err := f()
	if back := r.means.swap(); err == nil {
		err = back
	}
	return err
}

// settle leaves the means as the model's weights.
func (r *run) settle() error {
	if r.state.Averaged == 0 {
		return nil
	}
	if err := r.findMeans(); err != nil {
		return err
	}
	return r.means.swap()
}
