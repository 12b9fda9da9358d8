package learn

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/kdcode/kdcode/engine/enginetest"
)

// These tests compute the straight-through path again, in plain Go over all
// occurrences: T = 10, D = 3.
const (
	throughT       = 10
	throughD       = 3
	throughTau     = 0.8
	throughEntropy = 0.3
)

// throughLayer returns the layer that choices stands for.
func throughLayer(f form, r Relaxation) *KD {
	return f.small(r).Temperature(Temperature{Initial: throughTau}).Entropy(throughEntropy)
}

// choices are how a batch's digits are chosen: [T, D, width] or [T, D, K].
type choices struct {
	relaxation Relaxation
	width      int       // logits a digit: K, or 1 for Threshold
	scale      []float64 // of the logits' norm
	std        []float64 // what the norm divides by
	x          []float64 // logits, normalised without scale and offset
	soft       []float64 // ô
	hard       []float64 // o
}

// chooseAll returns what a rig's logits choose, with Gumbel noise [T, D, K] or nil.
func chooseAll(r *rig, relaxation Relaxation, noise []float64) choices {
	logits := r.get("/layer/codes/logits")
	width := len(logits) / (7 * throughD)
	c := choices{relaxation: relaxation, width: width, scale: r.get("/layer/codes/norm/scale"), std: make([]float64, width)}
	for _, id := range occurrences {
		c.x = append(c.x, logits[int(id)*throughD*width:][:throughD*width]...)
	}
	for k := range width {
		var mean, variance float64
		for i := k; i < len(c.x); i += width {
			mean += c.x[i] / (throughT * throughD)
		}
		for i := k; i < len(c.x); i += width {
			variance += (c.x[i] - mean) * (c.x[i] - mean) / (throughT * throughD)
		}
		c.std[k] = math.Sqrt(variance + 1e-3)
		for i := k; i < len(c.x); i += width {
			c.x[i] = (c.x[i] - mean) / c.std[k]
		}
	}
	offset := r.get("/layer/codes/norm/offset")
	for i := 0; i < len(c.x); i += width {
		var z []float64
		if relaxation == Threshold {
			z = []float64{0} // sigmoid(y) is the second of softmax(0, y)
		}
		for k, x := range c.x[i:][:width] {
			z = append(z, x*c.scale[k]+offset[k])
		}
		if noise != nil {
			z = add(z, noise[i:][:width], 1)
		}
		c.soft = append(c.soft, tempered(z)...)
		c.hard = append(c.hard, oneHotOf(z)...)
	}
	return c
}

// tempered returns softmax(z/τ).
func tempered(z []float64) []float64 {
	p, sum := make([]float64, len(z)), 0.0
	for k := range z {
		p[k] = math.Exp(z[k] / throughTau)
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
	return p
}

// oneHotOf returns the one-hot argmax of z.
func oneHotOf(z []float64) []float64 {
	o := make([]float64, len(z))
	o[slices.Index(z, slices.Max(z))] = 1
	return o
}

// back turns the gradient with respect to o [T, D, K] into those of the logits'
// table, the norm's scale and its offset: o has the softmax's Jacobian, to which
// the entropy adds, and the norm's statistics are functions of all logits.
func (c choices) back(toO []float64) (table, scale, offset []float64) {
	const rows = throughT * throughD
	ways := len(c.soft) / rows
	toY := make([]float64, 0, rows*c.width)
	for i := range rows {
		p, g := c.soft[i*ways:][:ways], slices.Clone(toO[i*ways:][:ways])
		for k := range g {
			g[k] -= throughEntropy / rows * (math.Log(p[k]) + 1)
		}
		mean := dot(p, g)
		for k := range g {
			if c.relaxation != Threshold || k == 1 {
				toY = append(toY, p[k]*(g[k]-mean)/throughTau)
			}
		}
	}
	scale, offset = make([]float64, c.width), make([]float64, c.width)
	for i, g := range toY {
		scale[i%c.width] += g * c.x[i]
		offset[i%c.width] += g
	}
	table = make([]float64, 7*throughD*c.width)
	for i, g := range toY {
		k := i % c.width
		g = (g - offset[k]/rows - c.x[i]*scale[k]/rows) * c.scale[k] / c.std[k]
		id := int(occurrences[i/(throughD*c.width)])
		table[id*throughD*c.width+i%(throughD*c.width)] += g
	}
	return table, scale, offset
}

// TestStraightThrough checks every composition: forward it is that of the hard
// codes; backward, the gradient of the logits is what plain Go makes of the
// composition's finite differences at the hard codes.
func TestStraightThrough(t *testing.T) {
	enginetest.Slow(t)
	for _, r := range []Relaxation{StraightThrough, Gumbel, Threshold} {
		for _, f := range forms() {
			t.Run(fmt.Sprintf("%s/%s", r, f), func(t *testing.T) { checkThrough(t, f, r) })
		}
	}
}

func checkThrough(t *testing.T, f form, relaxation Relaxation) {
	layer := throughLayer(f, relaxation)
	r := newRig(t, layer, dtypes.Float64, distinct(t, occurrences, 7, 4))
	o := r.run()
	var noise []float64
	if relaxation == Gumbel {
		noise = gumbelOf(r)
	}
	c := chooseAll(r, relaxation, noise)

	composed := model.MustNewExec(backend(t), r.store, func(scope *model.Scope, codes *Node) (*Node, *Node) {
		g := codes.Graph()
		r.store.SetTraining(g, true)
		v := layer.composer().compose(scope.At("layer"), codes, Ones(g, withDims(codes, throughT)))
		return v, r.lossOf(v)
	})
	ways := layer.f.ways
	compose := func(codes []float64) (v []float64, loss float64) {
		out := composed.MustCall(tensorOf(dtypes.Float64, codes, throughT, throughD, ways))
		return floatsOf(out[0]), floatsOf(out[1])[0]
	}
	v, loss := compose(c.hard)
	sameValues(t, "embeddings", o.v, v, 1e-12)
	sameValues(t, "loss", []float64{o.loss - o.reg}, []float64{loss}, 1e-12)

	toO := make([]float64, len(c.hard))
	for i := range toO {
		const step = 2e-6
		direction := make([]float64, len(toO))
		direction[i] = step
		_, above := compose(add(c.hard, direction, 1))
		_, below := compose(add(c.hard, direction, -1))
		toO[i] = (above - below) / (2 * step)
	}
	table, scale, offset := c.back(toO)
	sameValues(t, "gradient of the logits", o.gradients["/layer/codes/logits"], table, 1e-6)
	sameValues(t, "gradient of their scale", o.gradients["/layer/codes/norm/scale"], scale, 1e-6)
	sameValues(t, "gradient of their offset", o.gradients["/layer/codes/norm/offset"], offset, 1e-6)
}

// TestStraightThroughMean is the mean without a norm of the embedding, derived
// by hand from end to end: nothing of it is computed by a graph.
func TestStraightThroughMean(t *testing.T) {
	for _, relaxation := range []Relaxation{StraightThrough, Threshold} {
		t.Run(relaxation.String(), func(t *testing.T) {
			layer := throughLayer(form{Mean, 0, false}, relaxation).Norms(true, false)
			r := newRig(t, layer, dtypes.Float64, distinct(t, occurrences, 7, 4))
			o, c, w := r.run(), chooseAll(r, relaxation, nil), r.get("/layer/code_embeddings")
			const d = 6
			wide := throughD * layer.f.ways // D·K

			v := make([]float64, throughT*d)
			toW, toO := make([]float64, len(w)), make([]float64, len(c.hard))
			for i := range throughT {
				codes := c.hard[i*wide:][:wide]
				for at, one := range codes { // at is (j, k)
					for e := range d {
						v[i*d+e] += one * w[at*d+e] / throughD
					}
				}
				for e := range d {
					g := r.linear[i*d+e] + r.square[i*d+e]*v[i*d+e] // ∂L/∂v
					for at, one := range codes {
						toW[at*d+e] += one * g / throughD
						toO[i*wide+at] += w[at*d+e] * g / throughD
					}
				}
			}
			table, scale, offset := c.back(toO)
			sameValues(t, "embeddings", o.v, v, 1e-12)
			sameValues(t, "regulariser", []float64{o.reg}, []float64{c.entropy()}, 1e-8) // the graph's log(ô + 1e-10)
			sameValues(t, "gradient of W", o.gradients["/layer/code_embeddings"], toW, 1e-10)
			sameValues(t, "gradient of the logits", o.gradients["/layer/codes/logits"], table, 1e-8)
			sameValues(t, "gradient of their scale", o.gradients["/layer/codes/norm/scale"], scale, 1e-8)
			sameValues(t, "gradient of their offset", o.gradients["/layer/codes/norm/offset"], offset, 1e-8)
		})
	}
}

// entropy returns the entropy regulariser.
func (c choices) entropy() float64 {
	sum := 0.0
	for _, p := range c.soft {
		sum -= p * math.Log(p)
	}
	return throughEntropy * sum / (throughT * throughD)
}

// gumbelOf returns the noise that a run of the rig draws, for each occurrence.
func gumbelOf(r *rig) []float64 {
	wide := throughD * 4
	draw := model.MustNewExec(backend(r.t), r.store, func(scope *model.Scope, ids, _, _ *Node) *Node {
		return gumbelNoise(scope, Zeros(ids.Graph(), shapes.Make(r.dtype, ids.Shape().Dimensions[0], throughD, 4)))
	})
	drawn := floatsOf(r.call(draw)[0])
	var noise []float64
	for _, at := range r.batch.position {
		noise = append(noise, drawn[int(at)*wide:][:wide]...)
	}
	return noise
}

// TestGumbelNoise checks that the noise makes argmax draw from softmax(π).
func TestGumbelNoise(t *testing.T) {
	const draws = 20000
	store := seeded(t, 2)
	logits := []float64{0.5, -0.3, 1.1}
	exec := model.MustNewExec(backend(t), store, func(scope *model.Scope, x *Node) *Node {
		store.SetTraining(x.Graph(), true)
		x = BroadcastToDims(InsertAxes(x, 0, 0), draws, 1, 3)
		return ReduceMean(Gumbel.relax(scope, x, Temperature{}, false).codes, 0, 1)
	})
	got := floatsOf(exec.MustCall1([]float32{0.5, -0.3, 1.1}))
	sum := 0.0
	for _, x := range logits {
		sum += math.Exp(x)
	}
	for k, x := range logits {
		want := math.Exp(x) / sum
		if spread := math.Sqrt(want * (1 - want) / draws); !(math.Abs(got[k]-want) < 4*spread) {
			t.Errorf("way %d is drawn with probability %.4f, not %.4f ± %.4f", k, got[k], want, spread)
		}
	}
}

// TestDropDigits checks that dropped digits are whole, and that sums keep their
// size.
func TestDropDigits(t *testing.T) {
	const draws, rate = 10000, 0.3
	store := seeded(t, 2)
	exec := model.MustNewExec(backend(t), store, func(scope *model.Scope, x *Node) *Node {
		store.SetTraining(x.Graph(), true)
		return dropDigits(scope, BroadcastToDims(InsertAxes(x, 0, 0), draws, 2, 3), rate)
	})
	digits := floatsOf(exec.MustCall1([]float32{1, 2, 3}))
	dropped := 0
	for i := 0; i < len(digits); i += 3 {
		if digits[i] == 0 {
			dropped++
			sameValues(t, "a dropped digit", digits[i:][:3], []float64{0, 0, 0}, 0)
		} else {
			sameValues(t, "a digit", digits[i:][:3], []float64{1 / 0.7, 2 / 0.7, 3 / 0.7}, 1e-6)
		}
	}
	if share := float64(dropped) / (2 * draws); !(math.Abs(share-rate) < 0.015) {
		t.Errorf("%g of the digits are dropped", share)
	}
}
