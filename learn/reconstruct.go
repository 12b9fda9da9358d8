package learn

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/kdcode/kdcode/codefile"
)

// Reconstruction is how codes of given vectors are learned: by the auto-encoder
// of the paper's guidance alone, u → g → codes → f → u. Zero values stand for
// what did best on GloVe.
type Reconstruction struct {
	Backend     compute.Backend
	Batch       int     // B: 256
	Epochs      int     // 100
	Rate        float64 // of Adam, falling to zero linearly by epochs: 1e-2
	Seed        uint64
	Checkpoints string // a folder; empty is none
	Settings    string // identifies the run to its checkpoints
	OnStep      func(Progress)
	OnEpoch     func(Epoch)
}

// Reconstructed are vectors with codes.
type Reconstructed struct {
	History []Epoch // Loss is the relative error
	Codes   codefile.Codes

	layer *KD
	store *model.Store
}

// layerScope is where a reconstruction's variables are.
const layerScope = "vectors"

// Model returns the codes and f as the content of a code file.
func (r *Reconstructed) Model() (*codefile.Model, error) {
	fixed := *r.layer
	return fixed.Codes(r.Codes).Export(r.store.Scope("/" + layerScope))
}

// Learn learns the codes of u [N, d], which layer composes.
func (o Reconstruction) Learn(ctx context.Context, layer *KD, u []float32) (*Reconstructed, error) {
	o = o.withDefaults(layer.n)
	if err := o.check(layer, u); err != nil {
		return nil, err
	}
	store := model.NewStore()
	if err := SetSeed(store, int64(o.Seed)); err != nil {
		return nil, err
	}
	a := &autoEncoding{layer: layer, u: u}
	a.measure()
	r := &Reconstructed{layer: a.layer, store: store}
	var err error
	if r.History, err = a.training(o, store).Run(ctx); err != nil {
		return nil, err
	}
	r.Codes, err = a.codes(ctx, o, store)
	return r, err
}

func (o Reconstruction) withDefaults(n int) Reconstruction {
	if o.Batch == 0 {
		o.Batch = 256
	}
	o.Batch = min(o.Batch, n)
	if o.Epochs == 0 {
		o.Epochs = 100
	}
	if o.Rate == 0 {
		o.Rate = 1e-2
	}
	return o
}

func (o Reconstruction) check(layer *KD, u []float32) error {
	switch {
	case o.Backend == nil:
		return errors.New("learn: no backend to learn codes on")
	case o.Batch < 1 || o.Epochs < 1 || !(o.Rate > 0):
		return fmt.Errorf("learn: batches of %d, %d epochs, a learning rate of %g: these must be positive", o.Batch, o.Epochs, o.Rate)
	case len(u) != layer.n*layer.f.dim:
		return fmt.Errorf("learn: %d values instead of N·d = %d·%d", len(u), layer.n, layer.f.dim)
	case layer.fixed != nil || layer.guidance.kind != unguided:
		return errors.New("learn: the layer's codes are fixed or guided: those of vectors are learned from the vectors")
	}
	for i, x := range u {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return fmt.Errorf("learn: vector %d has a number that is none", i/layer.f.dim)
		}
	}
	return layer.Check()
}

// autoEncoding is vectors u [N, d] and the layer that is to compose them.
type autoEncoding struct {
	layer  *KD
	u      []float32
	square float64 // the mean square of a number of u
}

// measure makes the layer's embeddings start as wide as the vectors.
func (a *autoEncoding) measure() {
	sum := 0.0
	for _, x := range a.u {
		sum += float64(x) * float64(x)
	}
	a.square = max(sum/float64(len(a.u)), 1e-30)
	layer := *a.layer
	a.layer = layer.NormScale(math.Sqrt(a.square))
}

// encode returns the logits [B, D, K] of u [B, d].
func (a *autoEncoding) encode(scope *model.Scope, u *Node) (logits, weight *Node) {
	weight = Ones(u.Graph(), withDims(u, u.Shape().Dimensions[0]))
	return a.layer.encode(scope, u, weight), weight
}

// train adds the relative error of a batch u [B, d] to the loss.
func (a *autoEncoding) train(scope *model.Scope, u *Node) *Node {
	scope = scope.In(layerScope)
	logits, weight := a.encode(scope, u)
	v := a.layer.decode(scope, a.layer.composer(), logits, weight)
	train.AddMainLoss(DivScalar(ReduceAllMean(Square(Sub(v, u))), a.square))
	return v
}

// digits returns the codes [B, D] of u [B, d].
func (a *autoEncoding) digits(scope *model.Scope, u *Node) *Node {
	logits, _ := a.encode(scope.In(layerScope), u)
	if a.layer.logitsWidth() > 1 {
		return ArgMax(logits, -1)
	}
	one := IsPositive(logits) // of two ways: see thresholded
	return ConvertDType(Reshape(one, one.Shape().Dimensions[:2]...), dtypes.Int32)
}

// training sets up the epochs.
func (a *autoEncoding) training(o Reconstruction, store *model.Store) *Training {
	steps := a.layer.n / o.Batch
	return &Training{
		Trainer: train.NewTrainer(o.Backend, store, a.train, nil, LazyAdam(o.Rate), nil, nil),
		Epochs:  o.Epochs,
		Steps:   steps,
		Batches: func(epoch, from int) iter.Seq2[train.Batch, error] {
			order := rand.New(rand.NewPCG(o.Seed, uint64(epoch))).Perm(a.layer.n)
			return func(yield func(train.Batch, error) bool) {
				for step := from; step < steps; step++ {
					if !yield(train.Batch{Inputs: []*tensors.Tensor{a.rows(order[step*o.Batch:][:o.Batch])}}, nil) {
						return
					}
				}
			}
		},
		Rate:        func(epoch int) float64 { return o.Rate * (1 - float64(epoch)/float64(o.Epochs)) },
		Checkpoints: o.Checkpoints,
		Settings:    o.Settings,
		OnStep:      o.OnStep,
		OnEpoch:     o.OnEpoch,
	}
}

// rows returns vectors [len(ids), d].
func (a *autoEncoding) rows(ids []int) *tensors.Tensor {
	dim := a.layer.f.dim
	values := make([]float32, 0, len(ids)*dim)
	for _, id := range ids {
		values = append(values, a.u[id*dim:][:dim]...)
	}
	return tensors.FromFlatDataAndDimensions(values, len(ids), dim)
}

// codes returns the codes of all vectors.
func (a *autoEncoding) codes(ctx context.Context, o Reconstruction, store *model.Store) (codefile.Codes, error) {
	n, length := a.layer.n, a.layer.f.length
	codes := codefile.NewCodes(n, a.layer.f.ways, length)
	exec, err := model.NewExec(o.Backend, store, a.digits)
	if err != nil {
		return codes, err
	}
	defer exec.Finalize()
	row, ids := make([]uint16, length), make([]int, o.Batch)
	for from := 0; from < n; from += o.Batch {
		if err := ctx.Err(); err != nil {
			return codes, err
		}
		for i := range ids { // all of one size: the last repeats the last vector
			ids[i] = min(from+i, n-1)
		}
		digits, err := a.call(exec, ids)
		if err != nil {
			return codes, err
		}
		for i := range min(o.Batch, n-from) {
			for j := range row {
				row[j] = uint16(digits[i*length+j])
			}
			codes.Set(from+i, row)
		}
	}
	return codes, nil
}

// call returns the digits of some of the vectors.
func (a *autoEncoding) call(exec *model.Exec, ids []int) ([]int32, error) {
	u := a.rows(ids)
	defer func() { _ = u.FinalizeAll() }()
	out, err := exec.Call(u)
	if err != nil {
		return nil, err
	}
	defer func() { _ = out[0].FinalizeAll() }()
	return tensors.CopyFlatData[int32](out[0])
}
