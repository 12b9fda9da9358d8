package learn

import (
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
)

// smallDPQ returns a layer of 7 symbols with d = 6, D = 3, K = 4.
func smallDPQ(m Match, shared bool) *DPQ {
	return NewDPQ(7, 6).Ways(4).CodeLength(3).Match(m).Shared(shared).InitScale(0.7)
}

func TestGradientsOfSX(t *testing.T) {
	for _, shared := range []bool{false, true} {
		t.Run(fmt.Sprintf("shared=%t", shared), func(t *testing.T) {
			layer := smallDPQ(SX, shared)
			layer.relaxedPath = true
			checkGradients(t, newRig(t, layer, dtypes.Float64, distinct(t, occurrences, 7, 4)))
		})
	}
}

// TestStraightThroughOfDPQ compares a step with one worked out by hand.
func TestStraightThroughOfDPQ(t *testing.T) {
	for _, match := range []Match{SX, VQ} {
		for _, shared := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/shared=%t", match, shared), func(t *testing.T) {
				r := newRig(t, smallDPQ(match, shared), dtypes.Float64, distinct(t, occurrences, 7, 4))
				want := workOut(r, match, shared)
				got := r.run()
				sameValues(t, "embeddings", got.v, want.v, 1e-12)
				sameValues(t, "regulariser", []float64{got.reg}, []float64{want.reg}, 1e-12)
				for path, gradient := range want.gradients {
					sameValues(t, "gradient of "+path, got.gradients[path], gradient, 1e-10)
				}
				if len(got.gradients) != len(want.gradients) {
					t.Errorf("%d variables are trained, not %d", len(got.gradients), len(want.gradients))
				}
				sameValues(t, "gradient by rows", got.rows["/layer/queries"], want.gradients["/layer/queries"], 1e-10)
			})
		}
	}
}

// byHand is a step of a small DPQ layer in plain loops. Its letters are u for a
// slot of the batch, j for a digit, k for a way, i for a column of d/D = 2.
type byHand struct {
	batch         batch
	shared        bool
	q, keys, vals []float64
	y             [][3][4]float64 // normalised scores
	sigma         [4]float64
	choice        [][3]int
}

const handD, handK, handW = 3, 4, 2

// Where the elements of a query, a key and a value are.
func (h *byHand) qAt(u, j, i int) int { return int(h.batch.ids[u])*handD*handW + j*handW + i }

func keyAt(j, k, i int) int { return (j*handK+k)*handW + i }

func (h *byHand) wAt(j, k, i int) int {
	if h.shared {
		j = 0
	}
	return keyAt(j, k, i)
}

// total is the number of choices: occurrences times digits.
func (h *byHand) total() float64 { return float64(len(h.batch.position) * handD) }

// match fills in the normalised scores and the choices.
func (h *byHand) match(m Match) {
	slots := len(h.batch.ids)
	h.y, h.choice = make([][3][4]float64, slots), make([][3]int, slots)
	for k := range handK {
		mean, variance := 0.0, 0.0
		for u := range slots {
			for j := range handD {
				for i := range handW {
					q := h.q[h.qAt(u, j, i)]
					if m == SX {
						h.y[u][j][k] += q * h.keys[keyAt(j, k, i)]
					} else {
						h.y[u][j][k] -= (q - h.vals[h.wAt(j, k, i)]) * (q - h.vals[h.wAt(j, k, i)])
					}
				}
				mean += float64(h.batch.weight[u]) * h.y[u][j][k] / h.total()
			}
		}
		for u := range slots {
			for j := range handD {
				variance += float64(h.batch.weight[u]) * math.Pow(h.y[u][j][k]-mean, 2) / h.total()
			}
		}
		h.sigma[k] = math.Sqrt(variance + 1e-3)
		for u := range slots {
			for j := range handD {
				h.y[u][j][k] = (h.y[u][j][k] - mean) / h.sigma[k]
			}
		}
	}
	for u := range slots {
		for j := range handD {
			for k := range handK {
				if h.y[u][j][k] > h.y[u][j][h.choice[u][j]] {
					h.choice[u][j] = k
				}
			}
		}
	}
}

// workOut returns what a step of training must give.
func workOut(r *rig, m Match, shared bool) outcome {
	h := &byHand{batch: r.batch, shared: shared, q: r.get("/layer/queries"), vals: r.get("/layer/code_embeddings")}
	if m == SX {
		h.keys = r.get("/layer/keys")
	}
	h.match(m)

	// The embeddings, and the gradient of rig's loss in them, by slot.
	const d = handD * handW
	positions := r.batch.position
	linear, square := fluctuate(len(positions)*d, 1), fluctuate(len(positions)*d, 2)
	o := outcome{v: make([]float64, len(positions)*d), gradients: map[string][]float64{}}
	dv := make([][d]float64, len(r.batch.ids))
	for n, u := range positions {
		for j := range handD {
			for i := range handW {
				at := n*d + j*handW + i
				o.v[at] = h.vals[h.wAt(j, h.choice[u][j], i)]
				dv[u][j*handW+i] += linear[at] + square[at]*o.v[at]
			}
		}
	}
	dq, dvals := make([]float64, len(h.q)), make([]float64, len(h.vals))
	o.gradients["/layer/queries"], o.gradients["/layer/code_embeddings"] = dq, dvals
	if m == SX {
		dkeys := make([]float64, len(h.keys))
		o.gradients["/layer/keys"] = dkeys
		h.backwardSX(dv, dq, dkeys, dvals)
		return o
	}
	for u := range dv {
		w := float64(r.batch.weight[u])
		for j := range handD {
			for i := range handW {
				dq[h.qAt(u, j, i)] += dv[u][j*handW+i] // straight from the value
				at := h.wAt(j, h.choice[u][j], i)
				apart := h.vals[at] - h.q[h.qAt(u, j, i)]
				pull := w / (h.total() * handW)
				if !shared {
					pull *= handD
				}
				o.reg += pull * apart * apart
				dvals[at] += 2 * pull * apart
			}
		}
	}
	return o
}

// backwardSX passes the gradient to the chosen values, and through the softmax
// and the batch norm to queries and keys.
func (h *byHand) backwardSX(dv [][6]float64, dq, dkeys, dvals []float64) {
	dy := make([][3][4]float64, len(dv))
	var sum, sumY [4]float64
	for u := range dv {
		for j := range handD {
			var p, dp [4]float64
			z, mean := 0.0, 0.0
			for k := range handK {
				p[k] = math.Exp(h.y[u][j][k])
				z += p[k]
				for i := range handW {
					dp[k] += dv[u][j*handW+i] * h.vals[h.wAt(j, k, i)]
				}
			}
			for k := range handK {
				p[k] /= z
				mean += p[k] * dp[k]
			}
			for k := range handK {
				dy[u][j][k] = p[k] * (dp[k] - mean)
				sum[k] += dy[u][j][k]
				sumY[k] += dy[u][j][k] * h.y[u][j][k]
			}
			for i := range handW {
				dvals[h.wAt(j, h.choice[u][j], i)] += dv[u][j*handW+i]
			}
		}
	}
	for u := range dv {
		share := float64(h.batch.weight[u]) / h.total()
		for j := range handD {
			for k := range handK {
				ds := (dy[u][j][k] - share*sum[k] - share*h.y[u][j][k]*sumY[k]) / h.sigma[k]
				for i := range handW {
					dq[h.qAt(u, j, i)] += ds * h.keys[keyAt(j, k, i)]
					dkeys[keyAt(j, k, i)] += ds * h.q[h.qAt(u, j, i)]
				}
			}
		}
	}
}

// TestSizeOfDPQ has the ratios that recipes.md reports: with shared values.
func TestSizeOfDPQ(t *testing.T) {
	for _, c := range []struct {
		dim, ways, length int
		bits              int64
		ratio             float64
	}{
		{200, 8, 25, 750_000 + 32*8*8, 85},
		{650, 32, 50, 2_500_000 + 32*32*13, 83},
		{1500, 16, 50, 2_000_000 + 32*16*30, 238},
	} {
		layer := NewDPQ(10_000, c.dim).Ways(c.ways).CodeLength(c.length).Shared(true)
		if got := layer.Size().Bits(); got != c.bits {
			t.Errorf("d = %d: %d bits, not %d", c.dim, got, c.bits)
		}
		if got := math.Round(layer.Size().Ratio()); got != c.ratio {
			t.Errorf("d = %d: %g times smaller, not %g", c.dim, got, c.ratio)
		}
		each := c.bits + 32*int64(c.ways*c.dim/c.length*(c.length-1))
		if got := layer.Shared(false).Size().Bits(); got != each {
			t.Errorf("d = %d, values for each digit: %d bits, not %d", c.dim, got, each)
		}
	}
}

func TestCheckOfDPQ(t *testing.T) {
	for name, layer := range map[string]*DPQ{
		"D does not divide d": NewDPQ(7, 6).CodeLength(4),
		"D above d":           NewDPQ(7, 6).CodeLength(12),
		"K = 1":               NewDPQ(7, 6).CodeLength(3).Ways(1),
		"no symbols":          NewDPQ(0, 6).CodeLength(3),
		"unknown match":       NewDPQ(7, 6).CodeLength(3).Match(2),
	} {
		if err := layer.Check(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := NewDPQ(7, 6).CodeLength(3).Check(); err != nil {
		t.Error(err)
	}
}

// TestDistinctOfOthers compares each distinct symbol composed once with every
// occurrence composed by itself.
func TestDistinctOfOthers(t *testing.T) {
	for name, layer := range map[string]Embedding{
		"sx": smallDPQ(SX, false), "vq": smallDPQ(VQ, true),
		"full": NewFull(7, 6), "low rank": NewLowRank(7, 6, 2), "scalar": NewScalar(7, 6, 4).InitScale(0.5),
	} {
		t.Run(name, func(t *testing.T) {
			want := newRig(t, layer, dtypes.Float64, plain(occurrences)).run()
			got := newRig(t, layer, dtypes.Float64, distinct(t, occurrences, 7, 4)).run()
			sameValues(t, "embeddings", got.v, want.v, 1e-10)
			sameValues(t, "loss", []float64{got.loss}, []float64{want.loss}, 1e-10)
			for path, gradient := range want.gradients {
				sameValues(t, "gradient of "+path, got.gradients[path], gradient, 1e-10)
			}
			for path, statistics := range want.statistics {
				sameValues(t, path, got.statistics[path], statistics, 1e-10)
			}
		})
	}
}
