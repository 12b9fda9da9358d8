package search

import (
	"fmt"
	"math"

	"github.com/kdcode/kdcode/internal/simd"
)

// Metric says which vectors are near. A higher score is nearer.
type Metric string

const (
	Cosine       Metric = "cosine"    // ⟨q,v⟩ / (‖q‖·‖v‖)
	InnerProduct Metric = "inner"     // ⟨q,v⟩
	Euclidean    Metric = "euclidean" // −‖q−v‖
)

// Metrics are all metrics.
var Metrics = []Metric{Cosine, InnerProduct, Euclidean}

// ParseMetric returns the metric of that name.
func ParseMetric(name string) (Metric, error) {
	for _, m := range Metrics {
		if string(m) == name {
			return m, nil
		}
	}
	return "", fmt.Errorf("metric %q is none of %v", name, Metrics)
}

// scorer scores vectors against one query.
type scorer struct {
	metric Metric
	query  []float32 // for Cosine, one long
	norm   float64   // ‖q‖
}

// newScorer makes a query ready to be compared with.
func newScorer(metric Metric, query []float32) scorer {
	s := scorer{metric, query, length(query)}
	if metric == Cosine && s.norm > 0 {
		s.query = make([]float32, len(query))
		for i, x := range query {
			s.query[i] = float32(float64(x) / s.norm)
		}
		s.norm = 1
	}
	return s
}

// length is ‖v‖ in float64: the squares of very small or large numbers are none
// in float32.
func length(v []float32) float64 {
	var squares float64
	for _, x := range v {
		squares += float64(x) * float64(x)
	}
	return math.Sqrt(squares)
}

// norm is ‖v‖ as scores have it.
func norm(v []float32) float32 { return float32(math.Sqrt(float64(simd.Dot(v, v)))) }

// score returns the score of v, whose norm is vNorm.
func (s scorer) score(v []float32, vNorm float32) float32 {
	switch s.metric {
	case InnerProduct:
		return simd.Dot(s.query, v)
	case Euclidean:
		return -float32(math.Sqrt(float64(simd.SquaredDistance(s.query, v))))
	}
	if s.norm == 0 || vNorm == 0 {
		return 0 // a zero vector points nowhere: neither near nor far
	}
	return simd.Dot(s.query, v) / vNorm
}
