package main

import (
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
