package graph

import (
	"math"

	"github.com/kdcode/kdcode/learn"
)

// NewKD returns the layer of codes that serves as W0 [features, hidden] best:
// K = 64 and D = 8, as in the paper. The other settings were chosen by the
// accuracy on the validation nodes of Cora and Citeseer.
//
// Codes are soft at first and harden as the temperature falls from 1 by 2 % an
// epoch. With straight-through codes every epoch changes digits, and what is left
// at the end is a matter of chance. The embeddings start a tenth as wide as a
// batch norm makes them, near Glorot's initial weights: L2 has to shrink them
// otherwise, for most of the epochs.
func NewKD(features, hidden int) *learn.KD {
	return learn.NewKD(features, hidden).Ways(64).CodeLength(8).NormScale(NormScale).
		Relax(learn.Soft).Temperature(Annealing)
}

// NormScale is what the embedding norm's scale starts at in NewKD.
const NormScale = 0.1

// Annealing is the temperature of NewKD.
var Annealing = learn.Temperature{Kind: learn.Exponential, Initial: 1, Steps: 1, Rate: 0.98}

// Glorot returns s such that initial weights uniform(−s, s) keep the size of what
// they are multiplied with. It is the initial scale for learn.NewFull and others
// without a norm as W0: Glorot(Dataset.Features, hidden).
func Glorot(in, out int) float64 { return math.Sqrt(6 / float64(in+out)) }
