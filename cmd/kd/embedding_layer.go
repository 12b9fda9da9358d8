package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/learn"
)

// layer returns the embedding layer of those symbols, and what a human should
// know of how they were matched with those of other files.
func (o *embeddingOptions) layer(ctx context.Context, s *streams, symbols []string, seed uint64) (learn.Embedding, []string, error) {
	n := len(symbols)
	switch o.Kind {
	case embCodes, embRandom, embChars:
		codes, notes, err := o.fixedCodes(symbols, seed)
		if err != nil {
			return nil, nil, err
		}
		guidance, more, err := o.guidance(ctx, s, symbols)
		if err != nil {
			return nil, nil, err
		}
		layer := o.kd(n).Codes(codes).Guide(guidance)
		return layer, append(notes, more...), checkLayer(layer)
	case embKD, embDPQ:
		guidance, notes, err := o.guidance(ctx, s, symbols)
		if err != nil {
			return nil, nil, err
		}
		if o.Kind == embDPQ {
			layer := o.dpq(n).Guide(guidance)
			return layer, notes, checkLayer(layer)
		}
		layer := o.kd(n).Guide(guidance)
		return layer, notes, checkLayer(layer)
	case embProduct:
		u, notes, err := matchedVectors(ctx, s, o.VectorsFrom, symbols, o.Dim)
		if err != nil {
			return nil, nil, err
		}
		s.progress.note("quantizing " + o.VectorsFrom)
		layer, err := learn.NewProduct(ctx, u, n, o.Dim, o.Ways, o.CodeLength)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", o.VectorsFrom, err)
		}
		return layer, notes, nil
	}
	layer := o.plain(n)
	return layer, nil, checkLayer(layer)
}

// plain returns a layer of n symbols that needs nothing from elsewhere.
func (o *embeddingOptions) plain(n int) learn.Embedding {
	switch o.Kind {
	case embFull:
		return learn.NewFull(n, o.Dim).InitScale(o.InitScale)
	case embLowRank:
		rank := o.Rank
		if rank == 0 {
			size := learn.NewKD(n, o.Dim).Ways(o.Ways).CodeLength(o.CodeLength).Size()
			rank = min(learn.RankAtBits(size), n, o.Dim)
		}
		return learn.NewLowRank(n, o.Dim, rank).InitScale(o.InitScale)
	case embScalar:
		return learn.NewScalar(n, o.Dim, o.Bits).InitScale(o.InitScale)
	case embDPQ:
		return o.dpq(n)
	}
	return o.kd(n)
}

// dpq returns the layer of differentiable product quantization of n symbols.
func (o *embeddingOptions) dpq(n int) *learn.DPQ {
	match := learn.Match(slices.Index(matchNames, o.Match))
	return learn.NewDPQ(n, o.Dim).Ways(o.Ways).CodeLength(o.CodeLength).Match(match).Shared(o.Shared).InitScale(o.InitScale)
}

// kd returns the paper's layer of n symbols.
func (o *embeddingOptions) kd(n int) *learn.KD {
	return learn.NewKD(n, o.Dim).
		Ways(o.Ways).CodeLength(o.CodeLength).CodeDim(o.CodeDim).
		Compose(learn.Composition(slices.Index(composeNames, o.Compose))).Hidden(o.Hidden).Shared(o.Shared).
		Relax(learn.Relaxation(slices.Index(relaxationNames, o.Relax))).Temperature(o.temperature.schedule).
		Entropy(o.Entropy).DropDigits(o.DropDigits).Norms(!o.NoNorms, !o.NoNorms).InitScale(o.InitScale).NormScale(o.NormScale)
}

// guidance returns what guides a layer of codes, and what a human should know
// of how its symbols were matched.
func (o *embeddingOptions) guidance(ctx context.Context, s *streams, symbols []string) (learn.Guidance, []string, error) {
	switch o.Guide {
	case guideOnline:
		return learn.OnlineGuidance(o.GuideMix, o.GuideWeight), nil, nil
	case guidePretrained:
		u, notes, err := matchedVectors(ctx, s, o.GuideFrom, symbols, o.Dim)
		guidance := learn.PretrainedGuidance(u, o.AutoEncoder)
		guidance.Match = o.GuideWeight
		return guidance, notes, err
	}
	return learn.Guidance{}, nil, nil
}

// fixedCodes returns the codes of a layer that does not learn them.
func (o *embeddingOptions) fixedCodes(symbols []string, seed uint64) (codefile.Codes, []string, error) {
	switch o.Kind {
	case embRandom:
		return learn.RandomCodes(len(symbols), o.Ways, o.CodeLength, seed), nil, nil
	case embChars:
		codes, _, err := learn.CharacterCodes(symbols, o.CodeLength)
		return codes, nil, err
	}
	return matchedCodes(o.CodesFrom, symbols, seed)
}
