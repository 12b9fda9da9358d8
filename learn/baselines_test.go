package learn_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/learn"
	"github.com/kdcode/kdcode/quantize"
)

// compressed returns a made-up table [n, dim] as codes.
func compressed(t testing.TB, n, dim int, o quantize.Options) *codefile.Model {
	t.Helper()
	m, err := quantize.Compress(context.Background(), quantize.Matrix{Data: madeUp(n*dim, 5), D: dim}, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// stored returns the layer of a model.
func stored(t testing.TB, m *codefile.Model) *learn.Stored {
	t.Helper()
	l, err := learn.NewStored(m)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// otherLayers returns all layers but KD, small, by name.
func otherLayers(t testing.TB) map[string]learn.Exporter {
	const n, dim = 11, 6
	layers := map[string]learn.Exporter{
		"full":      learn.NewFull(n, dim),
		"low-rank":  learn.NewLowRank(n, dim, 2),
		"full-rank": learn.NewLowRank(n, dim, dim),
	}
	for _, match := range []learn.Match{learn.SX, learn.VQ} {
		for _, shared := range []bool{false, true} {
			layers[fmt.Sprintf("dpq/%s/shared=%t", match, shared)] = learn.NewDPQ(n, dim).Ways(4).CodeLength(3).Match(match).Shared(shared)
		}
	}
	for _, bits := range []int{2, 4, 6, 8} {
		layers[fmt.Sprintf("scalar/%d", bits)] = learn.NewScalar(n, dim, bits)
	}
	for _, o := range []quantize.Options{
		{K: 4, D: 3, Composition: codefile.Sum},
		{K: 4, D: 3, Composition: codefile.Concat},
		{K: 4, D: 3, Composition: codefile.Affine, CodeDim: 4},
	} {
		for _, train := range []bool{false, true} {
			layers[fmt.Sprintf("stored/%s/train=%t", o.Composition, train)] = stored(t, compressed(t, n, dim, o)).Train(train)
		}
	}
	return layers
}

func TestExportOthers(t *testing.T) {
	for name, layer := range otherLayers(t) {
		steps := 12
		if strings.Contains(name, "train=false") {
			steps = 0 // there is nothing to train
		}
		t.Run(name, func(t *testing.T) { checkExport(t, layer, steps) })
	}
}
