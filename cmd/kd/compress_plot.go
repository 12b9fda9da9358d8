package main

import (
	"bufio"
	"cmp"
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/kdcode/kdcode/internal/atomicfile"
)

// plotFormats are what the names of pictures end in.
var plotFormats = []string{".png", ".svg"}

// The picture's size.
const (
	plotWidth  = 20 * vg.Centimeter
	plotHeight = 13 * vg.Centimeter
	plotMargin = 0.4 * vg.Centimeter
	plotText   = vg.Length(10)
	plotDPI    = 160 // of a .png
)

// plotColors tell lines apart, for the colour-blind too (Okabe and Ito). The
// first is for our own.
var plotColors = []color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255},
	{230, 159, 0, 255}, {86, 180, 233, 255}, {110, 110, 110, 255},
}

// plotShapes do so in black and white.
var plotShapes = []draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.SquareGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{}, draw.CrossGlyph{}, draw.RingGlyph{}, draw.TriangleGlyph{},
}

// curve is a method at several sizes, the smallest first.
type curve struct {
	method string
	points plotter.XYs // bits a vector, relative error
}

// curves groups what was measured by method, in the order of their first point.
func curves(all []rateAndError, n int) []*curve {
	var found []*curve
	byMethod := map[string]*curve{}
	for _, r := range all {
		// "scalar 8 bits" and "scalar 4 bits" are points of one line.
		method, _, _ := strings.Cut(r.Method, ", ")
		method = strings.TrimRight(strings.TrimSuffix(method, " bits"), " 0123456789")
		c, ok := byMethod[method]
		if !ok {
			c = &curve{method: method}
			byMethod[method] = c
			found = append(found, c)
		}
		point := plotter.XY{X: float64(r.Bits) / float64(n), Y: max(r.RelativeError, 1e-7)} // a logarithm has no zero
		if point.X > 0 && !slices.Contains(c.points, point) {
			c.points = append(c.points, point)
		}
	}
	for _, c := range found {
		slices.SortFunc(c.points, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
	}
	return found
}

// drawComparison draws error against size, of n vectors of width dim, to the
// file at path.
func drawComparison(path, source string, n, dim int, all []rateAndError) error {
	p := plot.New()
	styleText(p)
	p.Title.Text = fmt.Sprintf("%s: %s of width %d", source, plural(n, "vector"), dim)
	p.Title.TextStyle.Font.Size = plotText + 2
	p.Title.Padding = 8
	p.X.Label.Text = "bits a vector, parameters included; times smaller than float32"
	p.Y.Label.Text = "relative error"
	p.X.Label.Padding, p.Y.Label.Padding = 4, 4
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker = plot.TickerFunc(func(low, high float64) []plot.Tick {
		ticks := logTicks(low, high)
		for i, t := range ticks {
			if t.Label != "" {
				ticks[i].Label += fmt.Sprintf("\n%.3g×", float64(32*dim)/t.Value)
			}
		}
		return ticks
	})
	p.Y.Tick.Marker = plot.TickerFunc(logTicks)
	p.X.Padding, p.Y.Padding = 0, 0
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{225}, color.Gray{225}
	p.Add(grid)

	lines := curves(all, n)
	drawn := make([]plot.Plotter, 0, 2*len(lines))
	for i, c := range lines {
		line, points, err := plotter.NewLinePoints(c.points)
		if err != nil {
			return err
		}
		line.Color, points.Color = plotColors[i%len(plotColors)], plotColors[i%len(plotColors)]
		line.Width, points.Radius, points.Shape = 1.2, 3.5, plotShapes[i%len(plotShapes)]
		if i == 0 {
			line.Width, points.Radius = 2.5, 4.5
		}
		drawn = append(drawn, points, line)
		p.Legend.Add(c.method, line, points)
	}
	slices.Reverse(drawn) // our own, the first, above all others
	p.Add(drawn...)
	// Nothing is ever small and good at once: that corner is free.
	p.Legend.Left, p.Legend.Top = true, false
	p.Legend.XOffs, p.Legend.YOffs = 10, 10
	p.Legend.Padding = 3
	p.Legend.ThumbnailWidth = 28
	frame(p, lines)
	return savePlot(p, path)
}

// frame leaves some room around the points.
func frame(p *plot.Plot, lines []*curve) {
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = math.Inf(1), 0, math.Inf(1), 0
	for _, c := range lines {
		for _, at := range c.points {
			p.X.Min, p.X.Max = min(p.X.Min, at.X), max(p.X.Max, at.X)
			p.Y.Min, p.Y.Max = min(p.Y.Min, at.Y), max(p.Y.Max, at.Y)
		}
	}
	widen := func(a *plot.Axis) {
		room := 0.06 * max(math.Log(a.Max/a.Min), 1)
		a.Min, a.Max = a.Min*math.Exp(-room), a.Max*math.Exp(room)
	}
	widen(&p.X)
	widen(&p.Y)
}

// logTicks marks 1, 2 and 5 times powers of ten.
func logTicks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for k := 1.0; k < 10; k++ {
			t := plot.Tick{Value: k * math.Pow(10, e)}
			if k == 1 || math.Log10(high/low) < 3 && (k == 2 || k == 5) {
				t.Label = strconv.FormatFloat(t.Value, 'g', 3, 64)
				if t.Value >= 1000 {
					t.Label = grouped(int64(math.Round(t.Value)))
				}
			}
			if t.Value >= low && t.Value <= high {
				ticks = append(ticks, t)
			}
		}
	}
	return ticks
}

// styleText sets all text of a plot in the picture's type.
func styleText(p *plot.Plot) {
	for _, style := range []*draw.TextStyle{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		style.Font.Variant = "Sans"
		style.Font.Size = plotText
	}
}

// savePlot writes a picture of one plot.
func savePlot(p *plot.Plot, path string) error {
	return savePicture(path, plotWidth, plotHeight, p.Draw)
}

// savePicture writes the picture, whole or not at all.
func savePicture(path string, width, height vg.Length, paint func(draw.Canvas)) error {
	var canvas interface {
		vg.CanvasSizer
		io.WriterTo
	} = vgsvg.New(width, height)
	if filepath.Ext(path) == ".png" {
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(plotDPI))}
	}
	paint(draw.Crop(draw.New(canvas), plotMargin, -plotMargin, plotMargin, -plotMargin))
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	if _, err := canvas.WriteTo(w); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Commit()
}
