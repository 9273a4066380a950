// Package chart has the style of the charts that commands draw: fonts, colours, axes and their
// ticks. It draws with gonum/plot, as SVG that needs nothing but a font without serifs.
package chart

import (
	"bytes"
	"image/color"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// Palette holds the colours of series, in order.
var Palette = []color.RGBA{
	{0x44, 0x72, 0xb0, 0xff}, {0xc9, 0x6a, 0x12, 0xff}, {0x2e, 0x8b, 0x57, 0xff},
	{0xb0, 0x3a, 0x5b, 0xff}, {0x6a, 0x51, 0xa3, 0xff}, {0x55, 0x5f, 0x6b, 0xff},
}

// Grid is the colour of grids.
var Grid = color.Gray{0xdd}

// Sans returns the font of texts.
func Sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// Style sets the fonts of a plot and the room around its texts.
func Style(p *plot.Plot) {
	p.Title.Padding = 4
	p.Title.TextStyle.Font = Sans(14)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font, axis.Label.Padding, axis.Tick.Label.Font = Sans(12), 4, Sans(11)
	}
	p.Legend.TextStyle.Font, p.Legend.Padding = Sans(11), LegendPadding
}

// New returns an empty plot with a grid.
func New(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = table.Printable(title), table.Printable(x), table.Printable(y)
	Style(p)
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = Grid, Grid
	p.Add(grid)
	return p
}

// Render returns a plot as an svg element.
func Render(p *plot.Plot, width, height vg.Length) (string, error) {
	return Draw(width, height, func(c draw.Canvas) {
		p.Draw(draw.Crop(c, 2, -16, 2, -2)) // labels at the ends of an axis stand out
	})
}

// Draw returns what f draws as an svg element.
func Draw(width, height vg.Length, f func(c draw.Canvas)) (string, error) {
	c := vgsvg.NewWith(vgsvg.UseWH(width, height))
	f(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return "", err
	}
	_, text, _ := strings.Cut(b.String(), "<svg")
	return "<svg" + text, nil
}

// LegendPadding is the room between two lines of a legend.
const LegendPadding vg.Length = 3

// LegendName returns a name with room behind it, for fonts that are wider than the plot's.
func LegendName(name string) string {
	name = table.Printable(name)
	return name + strings.Repeat("\u00a0", 2+len(name)/6)
}

// Short cuts a long name for an axis or a legend.
func Short(name string) string {
	const most = 24
	if r := []rune(table.Printable(name)); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return table.Printable(name)
}

// Numbers places the ticks of [plot.DefaultTicks] and labels them with as many digits as they need,
// and room for fonts that are wider than the plot's.
type Numbers struct{}

// Ticks implements [plot.Ticker].
func (Numbers) Ticks(low, high float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(low, high)
	for i := range ticks {
		if t := &ticks[i]; t.Label != "" {
			t.Label = strconv.FormatFloat(t.Value, 'g', 6, 64) + "\u00a0"
		}
	}
	return ticks
}
