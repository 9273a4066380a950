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

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/chart"
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
	if !chart.IsImage(path) {
		return f.Finish(r.writeSVG(f))
	}
	text, err := chart.Image(path, plotWidth, plotHeight, r.draw)
	if err == nil {
		_, err = f.Write(text)
	}
	return f.Finish(err)
}

// The size of the plot, the largest error that counts as rounding, and the least time on the axis:
// smaller ones are drawn there.
const (
	plotWidth    = 640 * vg.Length(1)
	plotHeight   = 420 * vg.Length(1)
	plotMargin   = 6 * vg.Length(1) // for fonts that are larger than the plot's
	rounding     = 1e-12
	leastSeconds = 1e-9
)

// writeSVG draws the methods that have errors as an SVG picture. Equal reports give equal bytes.
func (r *report) writeSVG(w io.Writer) error {
	c := vgsvg.NewWith(vgsvg.UseWH(plotWidth, plotHeight))
	r.draw(draw.New(c))
	_, err := c.WriteTo(w)
	return err
}

// draw draws the plot.
func (r *report) draw(c draw.Canvas) {
	r.plot().Draw(draw.Crop(c, plotMargin, -plotMargin, plotMargin, -plotMargin))
}

// plot returns the plot of error against time. Its axes are linear in the powers of ten: gonum
// makes room for the label of an axis with a LogScale as if the scale were linear, which leaves a
// quarter of the height empty.
func (r *report) plot() *plot.Plot {
	points := &labelledPoints{font: chart.Sans(12)}
	floor, exact := r.floor()
	for _, m := range r.Methods {
		if m.Refused != "" || m.Largest == nil {
			continue
		}
		y := float64(floor)
		if *m.Largest > rounding {
			y = math.Log10(*m.Largest)
		}
		points.XYs = append(points.XYs, plotter.XY{X: math.Log10(max(m.Seconds, leastSeconds)), Y: y})
		points.Labels = append(points.Labels, table.Printable(m.Method))
	}
	p := plot.New()
	p.Title.Text = table.Printable(r.Model)
	p.X.Label.Text, p.X.Tick.Marker = "mean time of an answer", seconds{}
	p.Y.Label.Text, p.Y.Tick.Marker = "largest error of a probability", powers{floor, exact}
	chart.Style(p)
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = chart.Grid, chart.Grid
	p.Add(grid, points)
	return p
}

var darkBlue = color.RGBA{0x20, 0x50, 0x80, 0xff}

// floor returns the power of ten below all errors that are no rounding, at which methods without
// such an error are drawn. exact reports whether there is one.
func (r *report) floor() (power int, exact bool) {
	least := 1.0
	for _, m := range r.Methods {
		switch {
		case m.Refused != "" || m.Largest == nil:
		case *m.Largest <= rounding:
			exact = true
		default:
			least = min(least, *m.Largest)
		}
	}
	power = int(math.Floor(math.Log10(least)))
	if exact {
		power--
	}
	return power, exact
}

// powers places ticks on whole powers of ten and labels at most mostLabels of them, at equal
// distances. If exact is set, the tick at floor stands for errors only by rounding.
type powers struct {
	floor int
	exact bool
}

const mostLabels = 9

// Ticks implements [plot.Ticker].
func (p powers) Ticks(low, high float64) []plot.Tick {
	from, to := int(math.Ceil(low)), int(math.Floor(high))
	every := (to-from)/mostLabels + 1
	var ticks []plot.Tick
	for e := from; e <= to; e++ {
		t := plot.Tick{Value: float64(e)}
		switch {
		case p.exact && e == p.floor:
			t.Label = "exact"
		case e == 0:
			t.Label = "1"
		case (to-e)%every == 0:
			t.Label = fmt.Sprintf("1e%d", e)
		}
		ticks = append(ticks, t)
	}
	return ticks
}

// seconds places ticks of times at 1, 2 and 5 times the powers of ten. On a long axis it labels
// only the powers.
type seconds struct{}

// mostDecades is the length of an axis, in powers of ten, up to which all ticks have labels.
const mostDecades = 2.5

// Ticks implements [plot.Ticker].
func (seconds) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for e := int(math.Floor(low)); e <= int(math.Ceil(high)); e++ {
		for _, m := range []float64{1, 2, 5} {
			t := plot.Tick{Value: float64(e) + math.Log10(m)}
			if t.Value < low || t.Value > high {
				continue
			}
			if m == 1 || high-low <= mostDecades {
				t.Label = secondsLabel(m, e)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// secondsLabel returns m times a power of ten of seconds in a suitable unit.
func secondsLabel(m float64, power int) string {
	if power < -9 || power > 3 {
		return fmt.Sprintf("%ge%ds", m, power)
	}
	return time.Duration(math.Round(float64(m * math.Pow(10, float64(9+power))))).String()
}

// labelledPoints draws points, each with a label near it, so that no two labels overlap and none
// covers a point.
type labelledPoints struct {
	plotter.XYLabels
	font font.Font
}

// The room around the points as shares of the length of the axis of times, and the least length of
// the axes, in powers of ten.
const (
	roomBefore = .08
	roomAfter  = .16 // for labels
	leastAxis  = .6
)

// DataRange returns the range of the points with room around them; without points, one decade. The
// errors range over whole powers of ten.
func (l *labelledPoints) DataRange() (xmin, xmax, ymin, ymax float64) {
	if len(l.XYs) == 0 {
		return -6, -5, -1, 0
	}
	xmin, xmax, ymin, ymax = plotter.XYRange(l)
	if short := leastAxis - (xmax - xmin); short > 0 {
		xmin, xmax = xmin-short/2, xmax+short/2
	}
	length := xmax - xmin
	ymin = math.Floor(ymin)
	return xmin - float64(roomBefore*length), xmax + float64(roomAfter*length), ymin, max(math.Ceil(ymax), ymin+1)
}

const pointRadius vg.Length = 4

// wider is how much wider a label may be in the font of a reader than in the plot's: DejaVu Sans
// against Liberation Sans.
const wider = 1.2

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
		box, line := freePlace(at[i], wider*style.Width(label), style.Height(label), room, taken)
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
