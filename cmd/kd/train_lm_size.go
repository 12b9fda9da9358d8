package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kdcode/kdcode/learn"
	"github.com/kdcode/kdcode/learn/lm"
)

// lmSizes are the sizes of a language model by name.
var lmSizes = []string{"small", "medium", "large"}

// ofSize is the default of flags that follow from --size.
const ofSize = "that of --size"

// lmDefaults are what a size has beside lm.Size: how codes are learned.
type lmDefaults struct {
	guideMix, guideWeight float64 // of online guidance
	ways, codeLength      int     // of DPQ
}

// defaultsOf are those of the paper's experiments, and of DPQ's.
var defaultsOf = map[string]lmDefaults{
	"small":  {0.5, 0.1, 8, 25},
	"medium": {0.3, 1000, 32, 50},
	"large":  {0.3, 1000, 16, 50},
}

const (
	lmCodeDim     = 300 // d' of the paper's language models
	lmLowRankClip = 5
)

// sizeFlags gives cmd the flags of a model's size and schedule. Those of width,
// initial scale and epochs, which other tasks have too, are there already.
func (o *trainLMOptions) sizeFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.sizeName, "size", "small", "`SIZE` of the model and schedule of its training: small, medium, large")
	f.IntVar(&o.size.Steps, "steps-per-batch", 0, "`T`, the words of a row that a step reads")
	f.Float64Var(&o.size.Keep, "keep", 0, "`SHARE` that dropout keeps of the embedding, between the layers and of the output")
	f.Float64Var(&o.size.Clip, "clip", 0, "`NORM` that gradients are clipped to; 0 is none")
	f.IntVar(&o.size.Flat, "flat", 0, "`N` epochs at the full learning rate")
	f.Float64Var(&o.size.Decay, "decay", 0, "`FACTOR` of the learning rate in each epoch after those of --flat")
	f.IntVar(&o.average, "average", 0, "`N` epochs, about, over which the model's weights are averaged; 0 takes those of the last step")
	f.BoolVar(&o.best, "best", false, "keep the epoch with the lowest perplexity on valid, not the last")
	f.IntVar(&o.batch, "batch", 20, "`B`, the rows that the text is cut into")
	f.Float64Var(&o.ratio, "ratio", 0.1, "`SHARE` of the full table's parameters that lowrank has, unless --rank is given")
	for _, flag := range []string{"dim", "steps-per-batch", "keep", "init-scale", "clip", "flat", "decay", "epochs", "guide-mix"} {
		f.Lookup(flag).DefValue = ofSize
	}
	completeFlag(cmd, "size", lmSizes...)
}

// resize fills in what flags do not say: from the size, whose schedule depends
// on the kind of embedding.
func (o *trainLMOptions) resize(f *pflag.FlagSet) error {
	kind := lm.Ordinary
	switch {
	case slices.Contains(composing, o.embedding.Kind):
		kind = lm.Coded
	case o.embedding.Kind == embDPQ:
		kind = lm.Queried
	}
	s, err := lm.SizeOf(o.sizeName, kind)
	if err != nil {
		return usagef("--size %s: use one of small, medium, large; other flags change one of them", o.sizeName)
	}
	if o.embedding.Kind == embLowRank {
		s.Clip = lmLowRankClip
	}
	take(f, "dim", &o.embedding.Dim, &s.Dim)
	take(f, "steps-per-batch", &o.size.Steps, &s.Steps)
	take(f, "keep", &o.size.Keep, &s.Keep)
	take(f, "init-scale", &o.embedding.InitScale, &s.InitScale)
	take(f, "clip", &o.size.Clip, &s.Clip)
	take(f, "flat", &o.size.Flat, &s.Flat)
	take(f, "decay", &o.size.Decay, &s.Decay)
	take(f, "epochs", &o.training.Epochs, &s.Epochs)
	o.size = s
	o.resizeCodes(f)
	return nil
}

// take makes a flag and the size's own value one: that of the flag if given.
func take[T any](f *pflag.FlagSet, flag string, given, own *T) {
	if f.Changed(flag) {
		*own = *given
	} else {
		*given = *own
	}
}

// resizeCodes fills in what flags do not say of codes.
func (o *trainLMOptions) resizeCodes(f *pflag.FlagSet) {
	e, d := &o.embedding, defaultsOf[o.sizeName]
	e.lengths = map[string]int{embChars: 10, embDPQ: d.codeLength, embProduct: 50}
	if e.Kind == embDPQ {
		take(f, "ways", &e.Ways, &d.ways)
		shared := true
		take(f, "shared", &e.Shared, &shared)
	}
	if width := lmCodeDim; slices.Contains(composing, e.Kind) && e.Compose != learn.Concat.String() {
		take(f, "code-dim", &e.CodeDim, &width)
	}
	if e.Guide == guideOnline {
		take(f, "guide-mix", &e.GuideMix, &d.guideMix)
		take(f, "guide-weight", &e.GuideWeight, &d.guideWeight)
	}
}

// checkSize refuses sizes and schedules that no model has.
func (o *trainLMOptions) checkSize(f *pflag.FlagSet) error {
	lowRank := o.embedding.Kind == embLowRank
	switch s := o.size; {
	case s.Steps < 1 || s.Steps > lm.MaxSteps:
		return usagef("--steps-per-batch %d: give a number from 1 to %d", s.Steps, lm.MaxSteps)
	case !(s.Keep > 0 && s.Keep <= 1):
		return usagef("--keep %g: give a share above 0 up to 1, which drops nothing", s.Keep)
	case !fromZero(s.Clip):
		return usagef("--clip %g: give a number from 0 up", s.Clip)
	case s.Flat < 0:
		return usagef("--flat %d: give a number from 0 up", s.Flat)
	case !positive(s.Decay):
		return usagef("--decay %g: give a number above 0; 1 keeps the learning rate", s.Decay)
	case s.Epochs < 1:
		return usagef("--epochs %d: give a number from 1 up", s.Epochs)
	case o.average < 0:
		return usagef("--average %d: give a number from 0 up", o.average)
	case o.batch < 1:
		return usagef("--batch %d: give a number from 1 up", o.batch)
	case f.Changed("ratio") && !lowRank:
		return usagef("--ratio is for --emb lowrank, not %s", o.embedding.Kind)
	case f.Changed("ratio") && f.Changed("rank"):
		return usagef("--ratio and --rank: give one of them")
	case !(o.ratio > 0 && o.ratio <= 1):
		return usagef("--ratio %g: give a share above 0 up to 1", o.ratio)
	case lowRank && (f.Changed("ways") || f.Changed("code-length")):
		return usagef("-K and -D are not for --emb lowrank here: give --rank or --ratio")
	}
	return nil
}
