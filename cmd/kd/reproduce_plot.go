package main

import (
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/kdcode/kdcode/internal/results"
)

// drawFigure draws a figure to the file at path, and reports whether there was
// something to draw.
func drawFigure(path string, f *results.Figure, store results.Store) (bool, error) {
	curves, err := f.Fill(store)
	if err != nil {
		return false, dataError{err}
	}
	p := plot.New()
	styleText(p)
	p.Title.Text = f.Title
	p.Title.TextStyle.Font.Size = plotText + 2
	p.Title.Padding = 8
	p.X.Label.Text, p.Y.Label.Text = f.XLabel, f.YLabel
	p.X.Label.Padding, p.Y.Label.Padding = 4, 4
	p.X.Padding, p.Y.Padding = 0, 0
	p.X.Scale = plot.LogScale{}
	p.Y.Tick.Marker = plot.TickerFunc(valueTicks)
	p.Legend.Top, p.Legend.Padding, p.Legend.ThumbnailWidth = true, 3, 28
	p.Legend.XOffs, p.Legend.YOffs = -10, -6
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{225}, color.Gray{225}
	p.Add(grid)

	frame, longest := newFrame(), 0
	for i, points := range curves {
		if len(points) == 0 {
			continue
		}
		longest = max(longest, len(points))
		line, dots, err := plotter.NewLinePoints(frame.add(points))
		if err != nil {
			return false, err
		}
		line.Color, dots.Color = plotColors[i%len(plotColors)], plotColors[i%len(plotColors)]
		line.Width, dots.Radius, dots.Shape = 1.6, 3.5, plotShapes[i%len(plotShapes)]
		p.Add(line, dots)
		p.Legend.Add(f.Curves[i].Label, line, dots)
	}
	if longest < 2 { // points alone are no figure
		return false, nil
	}
	frame.set(p)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return false, err
	}
	return true, savePlot(p, path)
}

// figureFrame is where the points of a figure lie.
type figureFrame struct {
	xs        []float64
	low, high float64 // of y
}

func newFrame() *figureFrame { return &figureFrame{low: math.Inf(1), high: math.Inf(-1)} }

// add returns the points of a curve as they are drawn.
func (f *figureFrame) add(points [][2]float64) plotter.XYs {
	var all plotter.XYs
	for _, p := range points {
		all = append(all, plotter.XY{X: p[0], Y: p[1]})
		f.xs = append(f.xs, p[0])
		f.low, f.high = min(f.low, p[1]), max(f.high, p[1])
	}
	return all
}

// set leaves some room around the points, and to their right for the legend, and
// marks where they are.
func (f *figureFrame) set(p *plot.Plot) {
	slices.Sort(f.xs)
	f.xs = slices.Compact(f.xs)
	first, last := f.xs[0], f.xs[len(f.xs)-1]
	p.X.Min, p.X.Max = first/1.1, last*1.1*math.Pow(last/first, 0.18)
	room := 0.06 * max(f.high-f.low, 1e-3*f.high)
	p.Y.Min, p.Y.Max = f.low-room, f.high+room
	p.X.Tick.Marker = plot.TickerFunc(func(_, _ float64) []plot.Tick {
		var ticks []plot.Tick
		for _, x := range f.xs {
			ticks = append(ticks, plot.Tick{Value: x, Label: strconv.FormatFloat(x, 'g', -1, 64)})
		}
		return ticks
	})
}
