package learn

import (
	"fmt"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	. "github.com/gomlx/gomlx/support/exceptions"

	"github.com/kdcode/kdcode/codefile"
)

// KD is the paper's embedding layer: each symbol has a code of D digits out of
// K, learned as logits π, and f composes its code embeddings. [NewKD] makes
// one; its methods set what differs from the paper's text classifier and
// return the layer.
type KD struct {
	n           int
	f           composer
	relaxation  Relaxation
	temperature Temperature
	entropy     float64
	logitsNorm  bool
	dropDigits  float64
	guidance    Guidance
	start       start
	fixed       *codefile.Codes

	// relaxedPath makes the forward pass that of ô, too. Tests compare its
	// gradients with finite differences.
	relaxedPath bool
}

// NewKD returns the layer of n symbols and embeddings of width dim, with
// K = D = 32, d' = d, the mean as composition, straight-through estimation at
// τ = 1, and all batch norms.
func NewKD(n, dim int) *KD {
	return &KD{
		n:          n,
		f:          composer{kind: Mean, dim: dim, ways: 32, length: 32, norm: true, scale: 0.1},
		logitsNorm: true,
	}
}

// Ways sets K.
func (l *KD) Ways(k int) *KD { l.f.ways = k; return l }

// CodeLength sets D.
func (l *KD) CodeLength(d int) *KD { l.f.length = d; return l }

// CodeDim sets d'. It is d by default, and d/D for Concat.
func (l *KD) CodeDim(w int) *KD { l.f.codeDim = w; return l }

// Relax sets the relaxation.
func (l *KD) Relax(r Relaxation) *KD { l.relaxation = r; return l }

// Temperature sets the schedule of τ.
func (l *KD) Temperature(t Temperature) *KD { l.temperature = t; return l }

// Entropy adds weight times the mean entropy of ô to the loss: it makes the
// relaxed codes spikier.
func (l *KD) Entropy(weight float64) *KD { l.entropy = weight; return l }

// Norms switches the batch norms of the logits and of the embedding.
func (l *KD) Norms(logits, embedding bool) *KD {
	l.logitsNorm, l.f.norm = logits, embedding
	return l
}

// Compose sets f.
func (l *KD) Compose(c Composition) *KD { l.f.kind = c; return l }

// Hidden sets h, the width of the LSTM composition: 500 by default.
func (l *KD) Hidden(h int) *KD { l.f.hidden = h; return l }

// Shared makes all D digits share one set of K code embeddings.
func (l *KD) Shared(shared bool) *KD { l.f.shared = shared; return l }

// DropDigits drops each digit of a code with this probability in training.
func (l *KD) DropDigits(rate float64) *KD { l.dropDigits = rate; return l }

// InitScale sets s: initial values are uniform(−s, s). It is 0.1 by default.
func (l *KD) InitScale(s float64) *KD { l.f.scale = s; return l }

// NormScale sets the initial scale of the embedding's batch norm, which is the
// spread that the embeddings start with: 1 by default.
func (l *KD) NormScale(s float64) *KD { l.f.normScale = s; return l }

// StartAlike makes all symbols start with one and the same code, its logits
// drawn from uniform(−s, s), and move away from it as they are trained. Symbols
// seen only a few times then stay near the mean embedding. Started at random
// codes, each would be a random sum of code embeddings that others have
// trained: noise, which a classifier of short texts overfits to.
func (l *KD) StartAlike(s float64) *KD { l.start = start{scale: s, alike: true}; return l }

// StartApart makes symbols start with logits drawn from uniform(−s, s) each.
// That is the default, s being that of InitScale.
func (l *KD) StartApart(s float64) *KD { l.start = start{scale: s}; return l }

// Guide sets the guidance.
func (l *KD) Guide(g Guidance) *KD { l.guidance = g; return l }

// Codes fixes the codes: they are not learned. K and D become theirs.
func (l *KD) Codes(c codefile.Codes) *KD {
	l.fixed, l.f.ways, l.f.length = &c, c.K, c.D
	return l
}

// Symbols returns N.
func (l *KD) Symbols() int { return l.n }

// Dim returns d.
func (l *KD) Dim() int { return l.f.dim }

// Size returns the layer's size by the paper's count.
func (l *KD) Size() Size {
	f := l.composer()
	return Size{Parameters: f.parameters(), CodeBits: codeBits(l.n, f.ways, f.length), Symbols: l.n, Dim: f.dim}
}

// composer returns f with the widths that follow from others filled in.
func (l *KD) composer() *composer {
	f := l.f
	if f.hidden == 0 {
		f.hidden = 500
	}
	switch {
	case f.kind == Concat:
		f.codeDim = f.dim / max(f.length, 1)
	case f.codeDim == 0:
		f.codeDim = f.dim
	}
	if f.kind == PaperLSTM {
		f.hidden = f.codeDim
	}
	return &f
}

// Check returns an error unless the settings fit together.
func (l *KD) Check() error {
	f := l.composer()
	switch {
	case l.n < 1 || f.dim < 1:
		return fmt.Errorf("learn: %d symbols of width %d: both must be positive", l.n, f.dim)
	case f.ways < 2 || f.ways > codefile.MaxK:
		return fmt.Errorf("learn: K = %d: 2 to %d are possible", f.ways, codefile.MaxK)
	case f.length < 1 || f.length > codefile.MaxD:
		return fmt.Errorf("learn: D = %d: 1 to %d are possible", f.length, codefile.MaxD)
	case f.codeDim < 1:
		return fmt.Errorf("learn: code embeddings of width %d", f.codeDim)
	case f.kind == Concat && f.dim%f.length != 0:
		return fmt.Errorf("learn: concat needs a width that D divides: %d is no multiple of %d", f.dim, f.length)
	case l.f.kind == Concat && l.f.codeDim != 0 && l.f.codeDim != f.codeDim:
		return fmt.Errorf("learn: concat has code embeddings of width d/D = %d, not %d", f.codeDim, l.f.codeDim)
	case l.relaxation == Threshold && f.ways != 2:
		return fmt.Errorf("learn: the relaxation threshold is for K = 2, not %d", f.ways)
	case l.dropDigits < 0 || l.dropDigits >= 1:
		return fmt.Errorf("learn: dropping digits with probability %g: 0 up to 1 is possible", l.dropDigits)
	case f.kind < Mean || f.kind > PaperLSTM:
		return fmt.Errorf("learn: there is no composition %d", f.kind)
	case f.hidden < 1:
		return fmt.Errorf("learn: an LSTM of width %d", f.hidden)
	case l.relaxation < StraightThrough || l.relaxation > Threshold:
		return fmt.Errorf("learn: there is no relaxation %d", l.relaxation)
	case l.fixed != nil && l.fixed.N() != l.n:
		return fmt.Errorf("learn: %d fixed codes for %d symbols", l.fixed.N(), l.n)
	case l.fixed != nil && (l.fixed.K != f.ways || l.fixed.D != f.length):
		return fmt.Errorf("learn: fixed codes of K = %d and D = %d in a layer of K = %d and D = %d", l.fixed.K, l.fixed.D, f.ways, f.length)
	case l.fixed != nil && l.guidance.kind == pdg && l.guidance.AutoEncoder:
		return fmt.Errorf("learn: guidance by an auto-encoder learns codes, but they are fixed")
	}
	if err := l.temperature.check(); err != nil {
		return err
	}
	return l.guidance.check(l.n, f.dim)
}

// Embed builds the embeddings of a batch's symbols: see [Embedding].
func (l *KD) Embed(scope *model.Scope, s Symbols) *Node {
	if err := l.Check(); err != nil {
		panic(err)
	}
	f := l.composer()
	dtype := f.codeEmbeddings(scope).Shape().DType
	weight := s.weightOf(dtype)
	if l.fixed != nil {
		codes := OneHot(fixedCodes(scope, s, l.fixed), f.ways, dtype)
		v := f.compose(scope, dropDigits(scope, codes, l.dropDigits), weight)
		return l.guided(scope, s, v, weight)
	}
	logits := l.logits(scope, s, weight) // [U, D, K]
	if scope.IsTraining(s.IDs.Graph()) && l.guidance.usesAutoEncoder() {
		return l.embedBeside(scope, s, logits, weight)
	}
	v := l.decode(scope, f, logits, weight)
	return l.guided(scope, s, v, weight)
}

// logits returns the batch's code logits, normalised: [U, D, K].
func (l *KD) logits(scope *model.Scope, s Symbols, weight *Node) *Node {
	codes := scope.At("codes")
	logits := Rows(l.start.logits(codes, l.f.scale, l.n, l.f.length, l.logitsWidth()), s)
	if l.logitsNorm {
		logits = batchNorm(codes.At("norm"), logits, weight, l.logitsAffine())
	}
	return logits
}

// logitsWidth returns how many logits a digit has.
func (l *KD) logitsWidth() int {
	if l.relaxation == Threshold {
		return 1
	}
	return l.f.ways
}

// logitsAffine reports whether the logits' norm has a scale and an offset. A
// scheduled temperature is the scale.
func (l *KD) logitsAffine() bool { return !l.temperature.scheduled() }

// decode returns f of the codes that the logits stand for, and adds the entropy
// regulariser.
func (l *KD) decode(scope *model.Scope, f *composer, logits, weight *Node) *Node {
	o := l.relaxation.relax(scope, logits, l.temperature, l.relaxedPath)
	if l.entropy != 0 && scope.IsTraining(logits.Graph()) {
		train.AddRegularizationLoss(MulScalar(meanOver(entropy(o.soft), weight), l.entropy))
	}
	return f.compose(scope, dropDigits(scope, o.codes, l.dropDigits), weight)
}

// fixedCodes returns the batch's codes [U, D] out of all.
func fixedCodes(scope *model.Scope, s Symbols, all *codefile.Codes) *Node {
	codes := scope.At("codes")
	v := codes.GetVariable("fixed")
	if v == nil { // unpacking them is worth avoiding
		v = given(codes, "fixed", unpack(all), all.N(), all.D)
	}
	v.SetTrainable(false)
	return Gather(v.NodeValue(s.IDs.Graph()), InsertAxes(s.IDs, -1))
}

// unpack returns codes as [N, D].
func unpack(c *codefile.Codes) []int32 {
	all := make([]int32, c.N()*c.D)
	row := make([]uint16, c.D)
	for i := range c.N() {
		c.Get(row, i)
		for j, digit := range row {
			if int(digit) >= c.K {
				Panicf("learn: digit %d of fixed code %d is %d, not below K = %d", j, i, digit, c.K)
			}
			all[i*c.D+j] = int32(digit)
		}
	}
	return all
}

// withDims returns a shape of x's type.
func withDims(x *Node, dims ...int) shapes.Shape { return shapes.Make(x.DType(), dims...) }
