package main

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/kdcode/kdcode/learn"
)

// panel is one small picture of a training: lines over the epochs.
type panel struct {
	title string
	lines []panelLine
	share bool // the values are shares: the axis ends at 0 or 1 at most
}

type panelLine struct {
	name   string
	points plotter.XYs
}

// panelsOf returns the pictures of a training, those of which there are values.
func panelsOf(epochs []learn.Epoch) []panel {
	line := func(name string, value func(learn.Epoch) *float64) panelLine {
		l := panelLine{name: name}
		for _, e := range epochs {
			if v := value(e); v != nil && !math.IsNaN(*v) && !math.IsInf(*v, 0) {
				l.points = append(l.points, plotter.XY{X: float64(e.Epoch), Y: *v})
			}
		}
		return l
	}
	all := []panel{
		{title: "loss in training and validation", lines: []panelLine{
			line("training", func(e learn.Epoch) *float64 { return &e.Loss }),
			line("validation", func(e learn.Epoch) *float64 { return e.EvalLoss }),
		}},
		{title: "accuracy on validation", share: true, lines: []panelLine{
			line("", func(e learn.Epoch) *float64 { return e.Score }),
		}},
		{title: "perplexity on validation", lines: []panelLine{
			line("", func(e learn.Epoch) *float64 { return e.Perplexity }),
		}},
		{title: "share of digits changed since the epoch before", share: true, lines: []panelLine{
			line("", func(e learn.Epoch) *float64 { return e.CodesChanged }),
		}},
		{title: "mean entropy of a digit, in nats", lines: []panelLine{
			line("", func(e learn.Epoch) *float64 { return e.Entropy }),
		}},
	}
	model := len(all[2].lines[0].points) > 0 // a language model's loss in training is a whole batch's
	valid := len(all[0].lines[1].points) > 0
	if model || !valid {
		all[0].title, all[0].lines = "loss in training", all[0].lines[:1]
	}
	if model { // its score is its loss
		all = slices.Delete(all, 1, 2)
	}
	var drawn []panel
	for _, p := range all {
		var lines []panelLine
		for _, l := range p.lines {
			if len(l.points) > 0 {
				lines = append(lines, l)
			}
		}
		if p.lines = lines; len(lines) > 0 {
			drawn = append(drawn, p)
		}
	}
	return drawn
}

// drawEpochs draws how a training went to the file at path: small pictures, two
// beside each other, with the same epochs on every axis.
func drawEpochs(path, title string, epochs []learn.Epoch) error {
	panels := panelsOf(epochs)
	columns := min(2, len(panels))
	rows := (len(panels) + columns - 1) / max(columns, 1)
	plots := make([][]*plot.Plot, rows)
	for i := range plots {
		plots[i] = make([]*plot.Plot, columns)
	}
	for i, p := range panels {
		drawn, err := p.plot(len(epochs))
		if err != nil {
			return err
		}
		if i+columns >= len(panels) {
			drawn.X.Label.Text = "epoch"
		}
		plots[i/columns][i%columns] = drawn
	}
	height := plotHeight
	if rows < 2 {
		height = plotHeight * 6 / 10
	}
	return savePicture(path, plotWidth, height, func(c draw.Canvas) {
		style := plot.New().Title.TextStyle
		style.Font.Variant, style.Font.Size = "Sans", plotText+2
		style.XAlign, style.YAlign = draw.XCenter, draw.YTop
		c.FillText(style, vg.Point{X: c.Center().X, Y: c.Max.Y}, title)
		c = draw.Crop(c, 0, 0, 0, -vg.Length(26))
		tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: 18, PadY: 14}
		for i, row := range plot.Align(plots, tiles, c) {
			for j, canvas := range row {
				if plots[i][j] != nil {
					plots[i][j].Draw(canvas)
				}
			}
		}
	})
}

// plot draws a panel, of a training of so many epochs.
func (p panel) plot(epochs int) (*plot.Plot, error) {
	drawn := plot.New()
	styleText(drawn)
	drawn.Title.Text = p.title
	drawn.Title.Padding = 5
	drawn.X.Padding, drawn.Y.Padding = 0, 0
	drawn.X.Label.Padding = 2
	drawn.X.Tick.Marker = plot.TickerFunc(epochTicks)
	drawn.Y.Tick.Marker = plot.TickerFunc(valueTicks)
	drawn.Legend.Top = true
	drawn.Legend.XOffs, drawn.Legend.YOffs = -6, -4
	if p.risesTo(epochs) {
		drawn.Legend.Left, drawn.Legend.XOffs = true, 6
	}
	drawn.Legend.ThumbnailWidth = 18
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{225}, color.Gray{225}
	drawn.Add(grid)
	low, high := math.Inf(1), math.Inf(-1)
	for i, l := range p.lines {
		line, points, err := plotter.NewLinePoints(l.points)
		if err != nil {
			return nil, err
		}
		line.Color, points.Color = plotColors[i], plotColors[i]
		line.Width, points.Radius, points.Shape = 1.6, 2.2, plotShapes[i]
		drawn.Add(line)
		if epochs <= 40 { // more would be a thick line
			drawn.Add(points)
		}
		if len(p.lines) > 1 {
			drawn.Legend.Add(l.name, line)
		}
		for _, at := range l.points {
			low, high = min(low, at.Y), max(high, at.Y)
		}
	}
	room := 0.06 * max(high-low, 1e-3*math.Abs(high), 1e-9)
	drawn.Y.Min, drawn.Y.Max = low-room, high+room
	if len(p.lines) > 1 {
		drawn.Y.Max += 0.2 * (high - low) // for the legend
	}
	if p.share {
		if low == high { // nothing but zeros, or ones
			drawn.Y.Min, drawn.Y.Max = low-0.05, high+0.05
		}
		drawn.Y.Min, drawn.Y.Max = max(drawn.Y.Min, 0), min(drawn.Y.Max, 1)
	}
	drawn.X.Min, drawn.X.Max = 1-0.02*float64(epochs), float64(epochs)+0.02*float64(epochs)
	return drawn, nil
}

// risesTo reports whether the lines are highest in the later half of so many
// epochs, where the legend would be in their way.
func (p panel) risesTo(epochs int) bool {
	highest := plotter.XY{Y: math.Inf(-1)}
	for _, l := range p.lines {
		for _, at := range l.points {
			if at.Y > highest.Y {
				highest = at
			}
		}
	}
	return 2*highest.X > float64(epochs+1)
}

// valueTicks marks four to eight round values: multiples of 1, 2 or 5 times a
// power of ten. Each fifth part between them is marked without its value.
func valueTicks(low, high float64) []plot.Tick {
	const parts = 5
	power := math.Floor(math.Log10((high - low) / 4))
	unit := math.Pow(10, power)
	step := unit
	for _, k := range []float64{2, 5} {
		if (high-low)/(k*unit) >= 4 {
			step = k * unit
		}
	}
	var ticks []plot.Tick
	for i := int(math.Ceil(low / step * parts)); i <= int(math.Floor(high/step*parts)); i++ {
		t := plot.Tick{Value: float64(i) * step / parts}
		if i%parts == 0 {
			t.Label = valueLabel(t.Value, int(-power))
		}
		ticks = append(ticks, t)
	}
	return ticks
}

// valueLabel writes a value with so many decimals, unless those would be many.
func valueLabel(v float64, decimals int) string {
	if decimals > 4 || decimals < -4 {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	return strconv.FormatFloat(v, 'f', max(decimals, 0), 64)
}

// epochTicks marks whole epochs, about five of them.
func epochTicks(low, high float64) []plot.Tick {
	first, last := max(int(math.Ceil(low)), 1), int(math.Floor(high))
	step := 1
	for _, k := range []int{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000} {
		if step = k; (last-first)/k <= 5 {
			break
		}
	}
	var ticks []plot.Tick
	for e := first; e <= last; e++ {
		if e%step == 0 || e == first && e == last {
			ticks = append(ticks, plot.Tick{Value: float64(e), Label: fmt.Sprint(e)})
		}
	}
	return ticks
}
