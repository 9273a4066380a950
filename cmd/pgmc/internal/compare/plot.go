package compare

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// writePlot writes error against time to the file at path, one point a method. An empty path writes
// nothing.
func writePlot(a *cli.App, r *report, path string) error {
	if path == "" {
		return nil
	}
	f, err := a.ResultFile(path)
	if err != nil {
		return err
	}
	return f.Finish(r.writeSVG(f))
}

// The size of the plot, and the least values on its logarithmic axes: smaller ones are drawn there.
const (
	plotWidth    = 640 * vg.Length(1)
	plotHeight   = 420 * vg.Length(1)
	leastError   = 1e-16
	leastSeconds = 1e-9
)

// writeSVG draws the methods that have errors as an SVG picture. Equal reports give equal bytes.
func (r *report) writeSVG(w io.Writer) error {
	c := vgsvg.NewWith(vgsvg.UseWH(plotWidth, plotHeight))
	r.plot().Draw(draw.New(c))
	_, err := c.WriteTo(w)
	return err
}

// plot returns the plot of error against time. Its axes are linear in the powers of ten: gonum
// makes room for the label of an axis with a LogScale as if the scale were linear, which leaves a
// quarter of the height empty.
func (r *report) plot() *plot.Plot {
	points := &labelledPoints{font: sans(12)}
	for _, m := range r.Methods {
		if m.Refused == "" && m.Largest != nil {
			points.XYs = append(points.XYs, plotter.XY{X: math.Log10(max(m.Seconds, leastSeconds)), Y: math.Log10(max(*m.Largest, leastError))})
			points.Labels = append(points.Labels, table.Printable(m.Method))
		}
	}
	p := plot.New()
	p.Title.Text = table.Printable(r.Model)
	p.Title.Padding = 4
	p.Title.TextStyle.Font = sans(14)
	p.X.Label.Text, p.X.Tick.Marker = "mean time of an answer", powers{secondsLabel}
	p.Y.Label.Text, p.Y.Tick.Marker = "largest error of a probability", powers{errorLabel}
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font = sans(12)
		axis.Label.Padding = 4
		axis.Tick.Label.Font = sans(11)
	}
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = lightGrey, lightGrey
	p.Add(grid, points)
	return p
}

var (
	lightGrey = color.Gray{0xdd}
	darkBlue  = color.RGBA{0x20, 0x50, 0x80, 0xff}
)

func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// powers places ticks on whole powers of ten and labels at most mostLabels of them, at equal
// distances.
type powers struct{ label func(power int) string }

const mostLabels = 9

// Ticks implements [plot.Ticker].
func (p powers) Ticks(low, high float64) []plot.Tick {
	from, to := int(low), int(high)
	every := (to-from)/mostLabels + 1
	var ticks []plot.Tick
	for e := from; e <= to; e++ {
		t := plot.Tick{Value: float64(e)}
		if (to-e)%every == 0 {
			t.Label = p.label(e)
		}
		ticks = append(ticks, t)
	}
	return ticks
}

func errorLabel(power int) string {
	if power == 0 {
		return "1"
	}
	return fmt.Sprintf("1e%d", power)
}

// secondsLabel returns a power of ten of seconds in a suitable unit.
func secondsLabel(power int) string {
	if power < -9 || power > 3 {
		return fmt.Sprintf("1e%ds", power)
	}
	return time.Duration(math.Round(math.Pow(10, float64(9+power)))).String()
}

// labelledPoints draws points, each with a label near it, so that no two labels overlap and none
// covers a point.
type labelledPoints struct {
	plotter.XYLabels
	font font.Font
}

// DataRange returns the range of the points, widened to whole powers of ten; without points, one
// decade.
func (l *labelledPoints) DataRange() (xmin, xmax, ymin, ymax float64) {
	if len(l.XYs) == 0 {
		return -6, -5, -1, 0
	}
	xmin, xmax, ymin, ymax = plotter.XYRange(l)
	xmin, ymin = math.Floor(xmin), math.Floor(ymin)
	return xmin, max(math.Ceil(xmax), xmin+1), ymin, max(math.Ceil(ymax), ymin+1)
}

const pointRadius vg.Length = 4

// Plot draws the points and places each label at the first free place: right of its point, left of
// it, above, below, and then further up and down with a line to the point.
func (l *labelledPoints) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	style := draw.TextStyle{Color: color.Black, Font: l.font, Handler: plot.DefaultTextHandler}
	at := make([]vg.Point, len(l.XYs))
	var taken []vg.Rectangle
	for i, xy := range l.XYs {
		at[i] = vg.Point{X: toX(xy.X), Y: toY(xy.Y)}
		r := vg.Point{X: pointRadius, Y: pointRadius}
		taken = append(taken, vg.Rectangle{Min: at[i].Sub(r), Max: at[i].Add(r)})
	}
	room := vg.Rectangle{Min: c.Min, Max: c.Max}
	for i, label := range l.Labels {
		box, line := freePlace(at[i], style.Width(label), style.Height(label), room, taken)
		taken = append(taken, box)
		if line {
			end := vg.Point{X: min(max(at[i].X, box.Min.X), box.Max.X), Y: min(max(at[i].Y, box.Min.Y), box.Max.Y)}
			c.StrokeLine2(draw.LineStyle{Color: darkBlue, Width: 0.5}, at[i].X, at[i].Y, end.X, end.Y)
		}
		c.FillText(style, box.Min, label)
	}
	for _, point := range at {
		c.DrawGlyph(draw.GlyphStyle{Color: darkBlue, Radius: pointRadius, Shape: draw.CircleGlyph{}}, point)
	}
}

// freePlace returns a place within room for a label of the given size that overlaps nothing in
// taken. line reports whether the place is so far from the point that a line should join them. If
// no place is free, it returns the place right of the point.
func freePlace(point vg.Point, width, height vg.Length, room vg.Rectangle, taken []vg.Rectangle) (box vg.Rectangle, line bool) {
	const gap = 2 * pointRadius
	right, left, middle := point.X+gap, point.X-gap-width, point.X-width/2
	boxAt := func(x, y vg.Length) vg.Rectangle {
		return vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + width, Y: y + height}}
	}
	centre := point.Y - height/2
	for ring := range 16 {
		d := vg.Length(ring) * (height + 2)
		for _, b := range []vg.Rectangle{
			boxAt(right, centre+d), boxAt(left, centre+d), boxAt(right, centre-d), boxAt(left, centre-d),
			boxAt(middle, point.Y+gap+d), boxAt(middle, point.Y-gap-height-d),
		} {
			if within(b, room) && !overlapsAny(b, taken) {
				return b, ring > 0
			}
		}
	}
	return boxAt(right, centre), false
}

func within(b, room vg.Rectangle) bool {
	return b.Min.X >= room.Min.X && b.Max.X <= room.Max.X && b.Min.Y >= room.Min.Y && b.Max.Y <= room.Max.Y
}

// overlapsAny reports whether b overlaps one of list or is closer to it horizontally than the width
// of a blank.
func overlapsAny(b vg.Rectangle, list []vg.Rectangle) bool {
	const blank = 3
	for _, o := range list {
		if b.Min.X < o.Max.X+blank && o.Min.X < b.Max.X+blank && b.Min.Y < o.Max.Y && o.Min.Y < b.Max.Y {
			return true
		}
	}
	return false
}
