package compare

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"time"

	"gonum.org/v1/plot"
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
	points := &labelledPoints{chart.Points{Font: chart.Sans(12), Glyphs: []draw.GlyphStyle{chart.Dot(darkBlue)}}}
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

// labelledPoints draws methods as points with labels.
type labelledPoints struct{ chart.Points }

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
