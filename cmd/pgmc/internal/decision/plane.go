package decision

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/chart"
)

// The size of the picture of a plane, the room between its axes and its points as a share of the
// range, and the margin, for fonts that are larger than the plot's.
const (
	planeWidth  = 560 * vg.Length(1)
	planeHeight = 400 * vg.Length(1)
	planeRoom   = .1
	planeMargin = 6 * vg.Length(1)
)

// picture draws costs over effects, in the format of a path. Strategies of the frontier are dots on
// a line, whose pieces have the willingness to pay at which both ends are equally good; the others
// are circles.
func (p *plane) picture(title, path string) ([]byte, error) {
	c := chart.New(title, p.effect, p.cost)
	c.Y.Tick.Marker = chart.Numbers{}
	blue := chart.Palette[0]
	hollow := draw.GlyphStyle{Color: color.Gray{0x66}, Radius: 4, Shape: draw.RingGlyph{}}
	points := &planePoints{chart.Points{Font: chart.Sans(11)}}
	add := func(label string, x, y float64, glyph draw.GlyphStyle) {
		points.XYs = append(points.XYs, plotter.XY{X: x, Y: y})
		points.Labels = append(points.Labels, label)
		points.Glyphs = append(points.Glyphs, glyph)
	}
	for _, x := range p.Frontier {
		add(chart.Short(x.Strategy), x.Effect, x.Cost, chart.Dot(blue))
		points.Line = append(points.Line, plotter.XY{X: x.Effect, Y: x.Cost})
	}
	for _, x := range p.Dominated {
		add(chart.Short(x.Strategy), x.Effect, x.Cost, hollow)
	}
	for i := 1; i < len(p.Frontier); i++ {
		a, b := p.Frontier[i-1], p.Frontier[i]
		add(brief(b.From), (a.Effect+b.Effect)/2, (a.Cost+b.Cost)/2, draw.GlyphStyle{Color: blue})
	}
	line, err := plotter.NewLine(points.Line)
	if err != nil {
		return nil, err
	}
	line.Color, line.Width = blue, 1.5
	c.Add(line, points)
	return chart.Picture(path, planeWidth, planeHeight, func(canvas draw.Canvas) {
		c.Draw(draw.Crop(canvas, planeMargin, -planeMargin, planeMargin, -planeMargin))
	})
}

// planePoints draws strategies as points with labels.
type planePoints struct{ chart.Points }

// DataRange returns the range of the points with room around them.
func (p *planePoints) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = plotter.XYRange(p)
	room := func(least, most float64) (float64, float64) {
		d := float64(planeRoom * (most - least))
		if d == 0 {
			d = 1
		}
		return least - d, most + d
	}
	xmin, xmax = room(xmin, xmax)
	ymin, ymax = room(ymin, ymax)
	return xmin, xmax, ymin, ymax
}

var _ plot.DataRanger = (*planePoints)(nil)
