package main

import (
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// TestLegendBesideLines: a legend is not where the lines are highest.
func TestLegendBesideLines(t *testing.T) {
	falling := panelLine{"training", plotter.XYs{{X: 1, Y: 3}, {X: 2, Y: 2}, {X: 3, Y: 1}}}
	rising := panelLine{"validation", plotter.XYs{{X: 1, Y: 3}, {X: 2, Y: 4}, {X: 3, Y: 5}}}
	for _, test := range []struct {
		lines []panelLine
		left  bool
	}{
		{[]panelLine{falling, falling}, false},
		{[]panelLine{falling, rising}, true},
	} {
		drawn, err := panel{lines: test.lines}.plot(3)
		if err != nil {
			t.Fatal(err)
		}
		if drawn.Legend.Left != test.left {
			t.Errorf("%v: left is %t", test.lines, drawn.Legend.Left)
		}
	}
}

// A share that is always the same lies in an axis that can be read.
func TestPanelOfOneValue(t *testing.T) {
	for value, want := range map[float64][2]float64{0: {0, 0.05}, 1: {0.95, 1}} {
		drawn, err := panel{share: true, lines: []panelLine{{"changed", plotter.XYs{{X: 1, Y: value}, {X: 2, Y: value}}}}}.plot(2)
		if err != nil || drawn.Y.Min != want[0] || drawn.Y.Max != want[1] {
			t.Errorf("%g: from %g to %g, %v", value, drawn.Y.Min, drawn.Y.Max, err)
		}
	}
}

func TestValueTicks(t *testing.T) {
	for _, test := range []struct {
		low, high float64
		want      string
	}{
		{107, 117.7, "108 110 112 114 116"},
		{104, 142, "105 110 115 120 125 130 135 140"},
		{-0.01, 1, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{0.8712, 0.8734, "0.8715 0.8720 0.8725 0.8730"},
		{-3, 45000, "0 10000 20000 30000 40000"},
		{1e-7, 4.6e-7, "1e-07 1.5e-07 2e-07 2.5e-07 3e-07 3.5e-07 4e-07 4.5e-07"},
	} {
		var got []string
		for _, tick := range valueTicks(test.low, test.high) {
			if tick.Value < test.low || tick.Value > test.high {
				t.Errorf("%g to %g: a tick at %g", test.low, test.high, tick.Value)
			}
			if tick.Label != "" {
				got = append(got, tick.Label)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%g to %g: got %q, want %q", test.low, test.high, got, test.want)
		}
	}
}
