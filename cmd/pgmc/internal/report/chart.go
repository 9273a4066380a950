package report

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// line is a series of points.
type line struct {
	name   string
	points bool // with a dot at each point
	xys    plotter.XYs
}

func (l *line) add(x, y float64) { l.xys = append(l.xys, plotter.XY{X: x, Y: y}) }

// chart is a chart of lines.
type chart struct {
	title, x, y string
	unit        bool // both axes are from 0 to 1
	diagonal    bool // with a thin line from (0, 0) to (1, 1)
	xTicks      plot.Ticker
	lines       []line
}

// The sizes of charts.
const (
	chartWidth  = 340 * vg.Length(1)
	chartHeight = 280 * vg.Length(1)
	barHeight   = 20 * vg.Length(1)
)

// legendName returns a name with room behind it, for fonts that are wider than the plot's.
func legendName(name string) string {
	name = table.Printable(name)
	return name + strings.Repeat("\u00a0", 2+len(name)/6)
}

var palette = []color.Color{
	color.RGBA{0x44, 0x72, 0xb0, 0xff}, color.RGBA{0xc9, 0x6a, 0x12, 0xff}, color.RGBA{0x2e, 0x8b, 0x57, 0xff},
	color.RGBA{0xb0, 0x3a, 0x5b, 0xff}, color.RGBA{0x6a, 0x51, 0xa3, 0xff}, color.RGBA{0x55, 0x5f, 0x6b, 0xff},
}

func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// newPlot returns an empty plot in the style of the page.
func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = table.Printable(title), table.Printable(x), y
	p.Title.Padding = 4
	p.Title.TextStyle.Font = sans(14)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font, axis.Label.Padding, axis.Tick.Label.Font = sans(12), 4, sans(11)
	}
	p.Legend.TextStyle.Font = sans(11)
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{0xdd}, color.Gray{0xdd}
	p.Add(grid)
	return p
}

// svg draws the chart.
func (c chart) svg() (string, error) {
	p := newPlot(c.title, c.x, c.y)
	if c.xTicks != nil {
		p.X.Tick.Marker = c.xTicks
	}
	if c.diagonal {
		d, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}})
		if err != nil {
			return "", err
		}
		d.Color, d.Dashes = color.Gray{0x99}, []vg.Length{4, 3}
		p.Add(d)
	}
	for i, x := range c.lines {
		l, dots, err := plotter.NewLinePoints(x.xys)
		if err != nil {
			return "", fmt.Errorf("the chart %q: %w", c.title, err)
		}
		l.Color, l.Width = palette[i%len(palette)], 2
		dots.GlyphStyle = draw.GlyphStyle{Color: l.Color, Radius: 3, Shape: draw.CircleGlyph{}}
		p.Add(l)
		if x.points || len(x.xys) < 20 {
			p.Add(dots)
		}
		if len(c.lines) > 1 || !c.diagonal {
			p.Legend.Add(legendName(x.name), l)
		}
	}
	if c.unit {
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	}
	return render(p, chartWidth, chartHeight)
}

// render returns a plot as an svg element.
func render(p *plot.Plot, width, height vg.Length) (string, error) {
	c := vgsvg.NewWith(vgsvg.UseWH(width, height))
	p.Draw(draw.Crop(draw.New(c), 2, -16, 2, -2)) // labels at the ends of an axis stand out
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return "", err
	}
	_, text, _ := strings.Cut(b.String(), "<svg")
	return "<svg" + text, nil
}

// counts places ticks of numbers on an axis of their logarithms to base 10.
type counts struct{}

// Ticks implements [plot.Ticker].
func (counts) Ticks(low, high float64) (ticks []plot.Tick) {
	for e := int(math.Floor(low)); e <= int(math.Ceil(high)); e++ {
		for _, m := range []float64{1, 2, 5} {
			x := float64(m * math.Pow(10, float64(e)))
			if at := math.Log10(x); at >= low && at <= high && x >= 1 {
				ticks = append(ticks, plot.Tick{Value: at, Label: table.Thousands(int(x))})
			}
		}
	}
	return ticks
}

// tornado draws, for each influence, the range of the probability of the target's state.
func tornado(s *Sensitivity, now float64) (string, error) {
	p := newPlot(fmt.Sprintf("P(%s=%s) by the state of", s.Target, s.State), fmt.Sprintf("P(%s=%s)", s.Target, s.State), "")
	var names []string
	for i, x := range slices.Backward(s.Rows) {
		y := float64(len(s.Rows) - 1 - i)
		bar, err := plotter.NewLine(plotter.XYs{{X: x.Low, Y: y}, {X: x.High, Y: y}})
		if err != nil {
			return "", err
		}
		bar.Color, bar.Width = palette[0], 9
		p.Add(bar)
		names = append(names, shortened(x.Variable))
	}
	top := float64(len(names)) - .4
	centre, err := plotter.NewLine(plotter.XYs{{X: now, Y: -.6}, {X: now, Y: top}})
	if err != nil {
		return "", err
	}
	centre.Color, centre.Width = palette[1], 1.5
	p.Add(centre)
	p.NominalY(names...)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, -.6, top
	return render(p, chartWidth+120, barHeight*vg.Length(len(names))+90)
}

// shortened cuts a long name for an axis.
func shortened(name string) string {
	const most = 24
	if r := []rune(table.Printable(name)); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return table.Printable(name)
}
