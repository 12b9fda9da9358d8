package graph

import (
	"math"
	"reflect"
	"slices"
	"testing"
)

func TestDropoutKeepsMean(t *testing.T) {
	m := coordinates{height: 10, width: 50}
	for i := range 500 {
		m.rows, m.cols = append(m.rows, int32(i/50)), append(m.cols, int32(i%50))
		m.values = append(m.values, float32(i%7+1))
	}
	const epochs = 2000
	for _, rate := range []float64{0, 0.3, 0.5} {
		drop := dropout{rate, 1}
		sums, lengths := make([]float64, 500), map[int]bool{}
		for epoch := range epochs {
			stays := drop.of(m, epoch)
			lengths[len(stays.values)] = true
			if !slices.IsSorted(stays.rows) || len(stays.rows) != len(stays.values) || len(stays.cols) != len(stays.values) {
				t.Fatalf("rate %g, epoch %d: rows are not sorted, or lengths differ", rate, epoch)
			}
			for i, v := range stays.values {
				sums[stays.rows[i]*50+stays.cols[i]] += float64(v)
			}
		}
		for i, sum := range sums {
			want := float64(m.values[i])
			deviation := want * math.Sqrt(rate/(1-rate)/epochs)
			if mean := sum / epochs; math.Abs(mean-want) > 5*deviation+1e-6 {
				t.Errorf("rate %g: the mean of value %d is %g, want %g", rate, i, mean, want)
			}
		}
		if len(lengths) != 1 {
			t.Errorf("rate %g: lengths %v: for each a graph is built", rate, lengths)
		}
	}
	if a, b := (dropout{0.5, 3}).of(m, 4), (dropout{0.5, 3}).of(m, 4); !reflect.DeepEqual(a, b) {
		t.Error("an epoch's choice differs from time to time")
	}
	if a, b := (dropout{0.5, 3}).of(m, 4), (dropout{0.5, 3}).of(m, 5); reflect.DeepEqual(a, b) {
		t.Error("two epochs have the same choice")
	}
}
