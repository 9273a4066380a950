package report

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/chart"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// line is a series of points.
type line struct {
	name   string
	points bool // with a dot at each point
	xys    plotter.XYs
}

func (l *line) add(x, y float64) { l.xys = append(l.xys, plotter.XY{X: x, Y: y}) }

// lineChart is a chart of lines.
type lineChart struct {
	title, x, y string
	unit        bool // both axes are from 0 to 1
	diagonal    bool // with a thin line from (0, 0) to (1, 1)
	left        bool // the legend is there
	xTicks      plot.Ticker
	lines       []line
}

// The sizes of charts.
const (
	chartWidth  = 340 * vg.Length(1)
	chartHeight = 280 * vg.Length(1)
	barHeight   = 20 * vg.Length(1)

	legendShare = .09 // of the height, for an entry
)

// svg draws the chart.
func (c lineChart) svg() (string, error) {
	p := chart.New(c.title, c.x, c.y)
	p.Legend.Left = c.left
	if c.xTicks != nil {
		p.X.Tick.Marker = c.xTicks
	}
	if c.diagonal {
		d, err := thin(0, 0, 1, 1)
		if err != nil {
			return "", err
		}
		p.Add(d)
	}
	for i, x := range c.lines {
		l, dots, err := plotter.NewLinePoints(x.xys)
		if err != nil {
			return "", fmt.Errorf("the chart %q: %w", c.title, err)
		}
		l.Color, l.Width = chart.Palette[i%len(chart.Palette)], 2
		dots.GlyphStyle = draw.GlyphStyle{Color: l.Color, Radius: 3, Shape: draw.CircleGlyph{}}
		p.Add(l)
		if x.points || len(x.xys) < 20 {
			p.Add(dots)
		}
		if len(c.lines) > 1 {
			p.Legend.Add(chart.LegendName(x.name), l)
		}
	}
	if len(c.lines) > 1 && !c.unit { // the legend stands below the lines
		p.Y.Min -= float64(legendShare * float64(len(c.lines)) * (p.Y.Max - p.Y.Min))
	}
	if c.unit {
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	}
	return chart.Render(p, chartWidth, chartHeight)
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
	p := chart.New(fmt.Sprintf("P(%s=%s) by the state of", s.Target, s.State), fmt.Sprintf("P(%s=%s)", s.Target, s.State), "")
	var names []string
	for i, x := range slices.Backward(s.Rows) {
		y := float64(len(s.Rows) - 1 - i)
		bar, err := plotter.NewLine(plotter.XYs{{X: x.Low, Y: y}, {X: x.High, Y: y}})
		if err != nil {
			return "", err
		}
		bar.Color, bar.Width = chart.Palette[0], 9
		p.Add(bar)
		names = append(names, chart.Short(x.Variable))
	}
	top := float64(len(names)) - .4
	centre, err := plotter.NewLine(plotter.XYs{{X: now, Y: -.6}, {X: now, Y: top}})
	if err != nil {
		return "", err
	}
	centre.Color, centre.Width = chart.Palette[1], 1.5
	p.Add(centre)
	p.NominalY(names...)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, -.6, top
	return chart.Render(p, chartWidth+120, barHeight*vg.Length(len(names))+90)
}
