package learn

import (
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/kdcode/kdcode/codefile"
)

// CodesAndEntropy returns the codes that the queries choose now, as in
// evaluation, and the mean entropy of the softmax of the normalised scores over
// symbols and digits in nats.
func (l *DPQ) CodesAndEntropy(scope *model.Scope) (codefile.Codes, float64, error) {
	if err := l.Check(); err != nil {
		return codefile.Codes{}, 0, err
	}
	return l.readCodes(scope, true)
}

// readCodes reads the queries row by row, on the host: a graph would hold the
// scores [N, D, K].
func (l *DPQ) readCodes(scope *model.Scope, withEntropy bool) (codefile.Codes, float64, error) {
	f := l.composer()
	codes := codefile.NewCodes(l.n, f.ways, f.length)
	norm, err := normOf(scope.At("score_norm"), f.ways, false)
	if err != nil {
		return codes, 0, err
	}
	keys, err := l.readKeys(scope)
	if err != nil {
		return codes, 0, err
	}
	queries, err := valueOf(scope, "queries", l.n, f.dim)
	if err != nil {
		return codes, 0, err
	}
	var entropy float64
	err = tensors.ConstFlatData(queries, func(q []float32) {
		entropy = chooseDigits(codes, f.ways, withEntropy, func(y []float64, i, j int) {
			at := i*f.dim + j*f.codeDim
			l.match.scores(y, q[at:at+f.codeDim], keys[l.setOf(j):])
			for k := range y {
				y[k] = y[k]*norm.scale[k] + norm.offset[k]
			}
		})
	})
	return codes, entropy, err
}

// readKeys returns the vectors that queries are matched with: the keys, or the
// values themselves.
func (l *DPQ) readKeys(scope *model.Scope) ([]float32, error) {
	f := l.composer()
	if l.match == SX {
		return Values(scope, "keys", f.length, f.ways, f.codeDim)
	}
	return Values(scope, "code_embeddings", f.embeddingsShape()...)
}

// setOf returns where the K vectors start that digit j is chosen by.
func (l *DPQ) setOf(j int) int {
	if l.match == VQ && l.f.shared {
		return 0
	}
	return j * l.f.ways * (l.f.dim / l.f.length)
}

// scores fills y with how well the query q matches each of the keys.
func (m Match) scores(y []float64, q, keys []float32) {
	for k := range y {
		sum := 0.0
		for i, key := range keys[k*len(q):][:len(q)] {
			if m == SX {
				sum += float64(q[i]) * float64(key)
			} else {
				apart := float64(q[i]) - float64(key)
				sum -= apart * apart
			}
		}
		y[k] = sum
	}
}
