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
		return o.guided(ctx, s, o.kd(n).Codes(codes), symbols, notes)
	case embKD:
		return o.guided(ctx, s, o.kd(n), symbols, nil)
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
		match := learn.Match(slices.Index(matchNames, o.Match))
		return learn.NewDPQ(n, o.Dim).Ways(o.Ways).CodeLength(o.CodeLength).Match(match).Shared(o.Shared).InitScale(o.InitScale)
	}
	return o.kd(n)
}

// kd returns the paper's layer of n symbols.
func (o *embeddingOptions) kd(n int) *learn.KD {
	return learn.NewKD(n, o.Dim).
		Ways(o.Ways).CodeLength(o.CodeLength).CodeDim(o.CodeDim).
		Compose(learn.Composition(slices.Index(composeNames, o.Compose))).Hidden(o.Hidden).Shared(o.Shared).
		Relax(learn.Relaxation(slices.Index(relaxationNames, o.Relax))).Temperature(o.temperature.schedule).
		Entropy(o.Entropy).DropDigits(o.DropDigits).Norms(!o.NoNorms, !o.NoNorms).InitScale(o.InitScale).NormScale(o.NormScale)
}

// guided adds the guidance to a layer.
func (o *embeddingOptions) guided(ctx context.Context, s *streams, layer *learn.KD, symbols, notes []string) (learn.Embedding, []string, error) {
	switch o.Guide {
	case guideOnline:
		layer.Guide(learn.OnlineGuidance(o.GuideMix, o.GuideWeight))
	case guidePretrained:
		u, more, err := matchedVectors(ctx, s, o.GuideFrom, symbols, o.Dim)
		if err != nil {
			return nil, nil, err
		}
		guidance := learn.PretrainedGuidance(u, o.AutoEncoder)
		guidance.Match = o.GuideWeight
		layer.Guide(guidance)
		notes = append(notes, more...)
	}
	return layer, notes, checkLayer(layer)
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
