package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/learn"
)

// check refuses flags that do not fit together, and fills in what follows from
// others.
func (o *embeddingOptions) check(cmd *cobra.Command) error {
	f := cmd.Flags()
	if err := o.checkKinds(f); err != nil {
		return err
	}
	o.fillIn(f)
	if err := o.checkNumbers(f); err != nil {
		return err
	}
	if err := o.checkGuide(f); err != nil {
		return err
	}
	switch {
	case f.Changed("hidden") && o.Compose != learn.LSTM.String():
		return usagef("--hidden is for --compose lstm")
	case o.NoNorms && f.Changed("norm-scale"):
		return usagef("--norm-scale and --no-norms: give one of them")
	case o.Kind == embCodes && o.CodesFrom == "":
		return usagef("--emb codes takes its codes from --codes-from FILE.kd")
	case o.Kind == embProduct && o.VectorsFrom == "":
		return usagef("--emb product quantizes the vectors of --vectors-from FILE: train them with --emb full and --save-embedding")
	case o.sideBySide() && o.Dim%o.CodeLength != 0 && !f.Changed("code-length"):
		return usagef("--dim %d: code embeddings side by side need a D that divides it: give -D", o.Dim)
	case o.sideBySide() && o.Dim%o.CodeLength != 0:
		return usagef("--dim %d: code embeddings side by side need a multiple of -D %d", o.Dim, o.CodeLength)
	}
	return o.tryOut()
}

// checkKinds refuses kinds that there are not, and flags that are for another
// kind of layer.
func (o *embeddingOptions) checkKinds(f *pflag.FlagSet) error {
	for _, choice := range []struct {
		flag, value string
		among       []string
	}{
		{"emb", o.Kind, embeddingKinds}, {"compose", o.Compose, composeNames}, {"relax", o.Relax, relaxationNames},
		{"match", o.Match, matchNames}, {"guide", o.Guide, guidanceKinds},
	} {
		if !slices.Contains(choice.among, choice.value) {
			return usagef("--%s %s: use one of %s", choice.flag, choice.value, strings.Join(choice.among, ", "))
		}
	}
	for _, flag := range slices.Sorted(maps.Keys(flagsOf)) {
		if kinds := flagsOf[flag]; f.Changed(flag) && !slices.Contains(kinds, o.Kind) {
			return usagef("--%s is for --emb %s, not %s", flag, strings.Join(kinds, ", "), o.Kind)
		}
	}
	return nil
}

// fillIn fills in what follows from the kind of layer and of guidance.
func (o *embeddingOptions) fillIn(f *pflag.FlagSet) {
	if o.lengths == nil {
		o.lengths = lengthsByDefault
	}
	if length, ok := o.lengths[o.Kind]; ok && !f.Changed("code-length") && (o.Kind == embChars || o.Dim%length == 0) {
		o.CodeLength = length
	}
	if o.Guide != guideNone && !f.Changed("guide-weight") && o.GuideWeight == 0 {
		o.GuideWeight = guideWeights[o.Guide]
	}
	o.Temperature = o.temperature.text
}

// widest is the width that is taken for a slip of the keyboard beyond.
const widest = 1 << 20

// checkNumbers refuses numbers that no layer has.
func (o *embeddingOptions) checkNumbers(f *pflag.FlagSet) error {
	switch {
	case o.Ways < 2 || o.Ways > codefile.MaxK:
		return usagef("-K %d: give a number from 2 to %d", o.Ways, codefile.MaxK)
	case o.CodeLength < 1 || o.CodeLength > codefile.MaxD:
		return usagef("-D %d: give a number from 1 to %d", o.CodeLength, codefile.MaxD)
	case o.Kind == embScalar && o.Dim > codefile.MaxD:
		return usagef("--dim %d: --emb scalar has a digit for each number, and a code file holds up to %d; take product or dpq", o.Dim, codefile.MaxD)
	case f.Changed("code-dim") && (o.CodeDim < 1 || o.CodeDim > widest):
		return usagef("--code-dim %d: give a number from 1 to %d", o.CodeDim, widest)
	case o.Dim < 1 || o.Dim > widest:
		return usagef("--dim %d: give a number from 1 to %d", o.Dim, widest)
	case f.Changed("rank") && (o.Rank < 1 || o.Rank > o.Dim):
		return usagef("--rank %d: give a number from 1 to --dim, %d", o.Rank, o.Dim)
	case !isFinite(o.Entropy):
		return usagef("--entropy %g: give a number", o.Entropy)
	case f.Changed("hidden") && (o.Hidden < 1 || o.Hidden > widest):
		return usagef("--hidden %d: give a number from 1 to %d", o.Hidden, widest)
	case !positive(o.InitScale):
		return usagef("--init-scale %g: give a number above 0", o.InitScale)
	case !positive(o.NormScale):
		return usagef("--norm-scale %g: give a number above 0", o.NormScale)
	}
	return nil
}

// checkGuide refuses what does not fit the kind of guidance.
func (o *embeddingOptions) checkGuide(f *pflag.FlagSet) error {
	switch {
	case o.Guide == guidePretrained && o.GuideFrom == "":
		return usagef("--guide pdg takes its vectors from --guide-from FILE: train them with --emb full and --save-embedding")
	case o.Guide != guidePretrained && (o.GuideFrom != "" || o.AutoEncoder):
		return usagef("--guide-from and --auto-encoder are for --guide pdg")
	case o.Guide != guideOnline && f.Changed("guide-mix"):
		return usagef("--guide-mix is for --guide odg")
	case o.Guide == guideNone && f.Changed("guide-weight"):
		return usagef("--guide-weight is for --guide odg and pdg")
	case !fromZero(o.GuideWeight):
		return usagef("--guide-weight %g: give a number from 0 up", o.GuideWeight)
	case o.Guide == guideOnline && !(o.GuideMix >= 0 && o.GuideMix <= 1):
		return usagef("--guide-mix %g: give a probability, from 0 to 1", o.GuideMix)
	}
	return nil
}

// sideBySide reports whether an embedding is D code embeddings side by side.
func (o *embeddingOptions) sideBySide() bool {
	switch o.Kind {
	case embDPQ, embProduct:
		return true
	case embKD, embRandom, embChars:
		return o.Compose == learn.Concat.String()
	}
	return false
}

// tryOut makes sure, before data is read, that the layer's settings fit.
func (o *embeddingOptions) tryOut() error {
	var layer learn.Embedding
	switch o.Kind {
	case embCodes, embProduct:
		return nil // their shapes are in files
	case embChars, embRandom:
		layer = o.kd(2)
	default:
		layer = o.plain(max(2, o.Rank))
	}
	return checkLayer(layer)
}

// checkLayer returns a usage error unless the layer's settings fit together.
func checkLayer(layer learn.Embedding) error {
	c, ok := layer.(interface{ Check() error })
	if !ok {
		return nil
	}
	if err := c.Check(); err != nil {
		return usageError{fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "learn: "))}
	}
	return nil
}
