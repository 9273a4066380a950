package report

import (
	"html/template"
	"image/color"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/chart"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// mostPoints is about the most rows that a chart shows as points.
const mostPoints = 500

// points holds predicted and true values.
type points struct{ plotter.XYs }

func (p *points) add(predicted, seen float64) {
	p.XYs = append(p.XYs, plotter.XY{X: predicted, Y: seen})
}

// drawReal draws predicted values against those that were seen, and the histogram of the
// probability integral transform.
func (p *Prediction) drawReal(r *rate.PredictionReport, seen points) error {
	for _, f := range []func() (string, error){seen.svg, func() (string, error) { return pitChart(r.PIT) }} {
		text, err := f()
		if err != nil {
			return err
		}
		p.Charts = append(p.Charts, template.HTML(text))
	}
	return nil
}

// svg draws the points, and a thin line on which predictions are right.
func (p *points) svg() (string, error) {
	plot := chart.New("predicted and seen", "posterior mean", "value")
	dots, err := plotter.NewScatter(p.XYs)
	if err != nil {
		return "", err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: chart.Palette[0], Radius: 1.5, Shape: draw.CircleGlyph{}}
	xLow, xHigh, yLow, yHigh := plotter.XYRange(p.XYs)
	low, high := max(xLow, yLow), min(xHigh, yHigh)
	if low < high {
		right, err := thin(low, low, high, high)
		if err != nil {
			return "", err
		}
		plot.Add(right)
	}
	plot.Add(dots)
	return chart.Render(plot, chartWidth, chartHeight)
}

// thin returns a thin dashed line.
func thin(x0, y0, x1, y1 float64) (*plotter.Line, error) {
	l, err := plotter.NewLine(plotter.XYs{{X: x0, Y: y0}, {X: x1, Y: y1}})
	if err == nil {
		l.Color, l.Dashes = color.Gray{0x99}, []vg.Length{4, 3}
	}
	return l, err
}

// pitChart draws the shares of rows by the posterior probability of smaller values, and the share
// that a calibrated model has in each bin.
func pitChart(shares []float64) (string, error) {
	plot := chart.New("probability integral transform", "probability of smaller values", "share of rows")
	n := float64(len(shares))
	for k, share := range shares {
		at := (float64(k) + .5) / n
		bar, err := plotter.NewLine(plotter.XYs{{X: at, Y: 0}, {X: at, Y: share}})
		if err != nil {
			return "", err
		}
		bar.Color, bar.Width = chart.Palette[0], barWidth
		plot.Add(bar)
	}
	even, err := thin(0, 1/n, 1, 1/n)
	if err != nil {
		return "", err
	}
	plot.Add(even)
	plot.X.Min, plot.X.Max, plot.Y.Min = 0, 1, 0
	return chart.Render(plot, chartWidth, chartHeight)
}

// barWidth is the width of a bar of a histogram of ten.
const barWidth = 22 * vg.Length(1)
