package learn

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/parallel"
)

// LearnedCodes returns the codes as they are now: the argmax of the normalised
// logits, as in evaluation.
func (l *KD) LearnedCodes(scope *model.Scope) (codefile.Codes, error) {
	if l.fixed != nil {
		return *l.fixed, nil
	}
	codes, _, err := l.readCodes(scope, false)
	return codes, err
}

// CodesAndEntropy returns the codes, and the mean entropy of softmax(π/τ) over
// symbols and digits in nats, at the temperature of the step: how undecided they
// are.
func (l *KD) CodesAndEntropy(scope *model.Scope) (codefile.Codes, float64, error) {
	if l.fixed != nil {
		return *l.fixed, 0, nil
	}
	return l.readCodes(scope, true)
}

// readCodes reads the logits row by row. It is done on the host, since a graph
// would hold several tables as large as π.
func (l *KD) readCodes(scope *model.Scope, withEntropy bool) (codefile.Codes, float64, error) {
	at, width := scope.At("codes"), l.logitsWidth()
	codes := codefile.NewCodes(l.n, l.f.ways, l.f.length)
	norm := identity(width)
	if l.logitsNorm {
		var err error
		if norm, err = normOf(at.At("norm"), width, l.logitsAffine()); err != nil {
			return codes, 0, err
		}
	}
	if withEntropy { // the choice of a digit does not depend on τ
		tau := l.temperature.At(int(optimizer.GetGlobalStep(scope.Store())))
		for k := range norm.scale {
			norm.scale[k] /= tau
			norm.offset[k] /= tau
		}
	}
	v, err := valueOf(at, "logits", l.n, l.f.length, width)
	if err != nil {
		return codes, 0, err
	}
	var entropy float64
	err = tensors.ConstFlatData(v, func(logits []float32) {
		entropy = chooseDigits(codes, width, withEntropy, func(y []float64, i, j int) {
			for k, x := range logits[(i*l.f.length+j)*width:][:width] {
				y[k] = float64(x)*norm.scale[k] + norm.offset[k]
			}
		})
	})
	return codes, entropy, err
}

// chooseDigits fills in codes: logits fills y with those of digit j of symbol i,
// of which there are width. With withEntropy it returns the mean entropy of a
// digit.
func chooseDigits(codes codefile.Codes, width int, withEntropy bool, logits func(y []float64, i, j int)) float64 {
	n, length := codes.N(), codes.D
	sums := make([]float64, n)
	eachSymbol(n, func(i int, digits []uint16, y []float64) {
		for j := range digits {
			logits(y, i, j)
			digits[j] = choose(y)
			if withEntropy {
				sums[i] += entropyOf(y)
			}
		}
		codes.Set(i, digits)
	}, length, width)
	total := 0.0
	for _, s := range sums {
		total += s
	}
	return total / float64(max(n*length, 1))
}

// eachSymbol calls f for each i below n on all processors, each with scratch of
// its own.
func eachSymbol(n int, f func(i int, digits []uint16, y []float64), length, width int) {
	const grain = 64 // symbols worth a processor
	parallel.For(n, grain, func(from, to int) {
		digits, y := make([]uint16, length), make([]float64, width)
		for i := from; i < to; i++ {
			f(i, digits, y)
		}
	})
}

// choose returns the digit of a choice's logits: of one, whether it is above
// zero; of several, the first of the largest.
func choose(y []float64) uint16 {
	if len(y) == 1 {
		if y[0] > 0 {
			return 1
		}
		return 0
	}
	best := 0
	for k, x := range y {
		if x > y[best] {
			best = k
		}
	}
	return uint16(best)
}

// entropyOf returns the entropy of softmax(y), or of sigmoid(y) where y is one
// logit.
func entropyOf(y []float64) float64 {
	if len(y) == 1 {
		y = []float64{0, y[0]}
	}
	largest := y[choose(y)]
	var z, weighted float64
	for _, x := range y {
		e := math.Exp(x - largest)
		z += e
		weighted += e * (x - largest)
	}
	return math.Log(z) - weighted/z
}

// RandomCodes returns codes drawn uniformly, for a layer whose codes are not
// learned.
func RandomCodes(n, ways, length int, seed uint64) codefile.Codes {
	c := codefile.NewCodes(n, ways, length)
	rng := rand.New(rand.NewPCG(seed, 0))
	row := make([]uint16, length)
	for i := range n {
		for j := range row {
			row[j] = uint16(rng.IntN(ways))
		}
		c.Set(i, row)
	}
	return c
}

// Compare returns the share of digits in which two sets of codes differ.
func Compare(a, b codefile.Codes) (float64, error) {
	if a.K != b.K || a.D != b.D || a.N() != b.N() {
		return 0, fmt.Errorf("learn: codes of different shapes: N, K, D = %d, %d, %d and %d, %d, %d", a.N(), a.K, a.D, b.N(), b.K, b.D)
	}
	x, y := make([]uint16, a.D), make([]uint16, a.D)
	differ := 0
	for i := range a.N() {
		a.Get(x, i)
		b.Get(y, i)
		for j := range x {
			if x[j] != y[j] {
				differ++
			}
		}
	}
	return float64(differ) / float64(max(a.N()*a.D, 1)), nil
}

// SharingCodes returns how many symbols have a code that another has, too.
func SharingCodes(c codefile.Codes) int {
	count := make(map[string]int, c.N())
	size := c.RowBytes()
	for i := range c.N() {
		count[string(c.Packed[i*size:][:size])]++
	}
	sharing := 0
	for _, n := range count {
		if n > 1 {
			sharing += n
		}
	}
	return sharing
}
