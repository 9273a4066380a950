package sequence

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/chart"
	"github.com/pgmc-go/pgmc/compiler/infer"
)

// film collects the posteriors of slices and draws them over time, a panel for each variable of
// each sequence.
type film struct {
	want      []bool // by variable
	sequences []*reel
	index     map[string]*reel
}

// reel holds the posteriors of a sequence.
type reel struct {
	of     string
	slices [][]infer.Distribution // by slice, those that are wanted
	known  int                    // slices before the predicted ones
}

// The most slices of a picture, which has some 100 bytes of SVG for each number, and its most
// panels.
const (
	mostSlices = 10000
	mostPanels = 100
)

// add adds a slice to a sequence.
func (f *film) add(of string, predicted bool, m *infer.Marginals) error {
	r := f.index[of]
	if r == nil {
		r = &reel{of: of}
		f.index[of], f.sequences = r, append(f.sequences, r)
	}
	var list []infer.Distribution
	for i, d := range m.List {
		if f.want[i] {
			list = append(list, d)
		}
	}
	if n := len(f.sequences) * len(list); n > mostPanels {
		return fmt.Errorf("a picture of %d variables of %d sequences has %d panels; want at most %d: choose variables by --targets, or rows of fewer sequences",
			len(list), len(f.sequences), n, mostPanels)
	}
	if len(r.slices) == mostSlices {
		return fmt.Errorf("found more than %d slices; want at most that for a picture; --json has any number", mostSlices)
	}
	r.slices = append(r.slices, list)
	if !predicted {
		r.known++
	}
	return nil
}

// The sizes of a picture. Names of states stand right of the panels.
const (
	filmWidth   = 720 * vg.Length(1)
	panelHeight = 150 * vg.Length(1)
	namesWidth  = 150 * vg.Length(1)
)

// write draws the picture as SVG, or as the ending of path chooses.
func (f *film) write(out io.Writer, path string) error {
	var panels [][]*plot.Plot
	var legends []*plot.Legend
	for _, r := range f.sequences {
		for v := range r.slices[0] {
			p, legend, err := r.panel(v)
			if err != nil {
				return err
			}
			panels, legends = append(panels, []*plot.Plot{p}), append(legends, legend)
		}
	}
	if len(panels) == 0 {
		return fmt.Errorf("found no rows; want at least one slice for a picture")
	}
	panels[len(panels)-1][0].X.Label.Text = "slice"
	rows := len(panels)
	text, err := chart.Picture(path, filmWidth, panelHeight*vg.Length(rows)+20, func(c draw.Canvas) {
		c.SetColor(color.White)
		c.Fill(c.Rectangle.Path())
		tiles := draw.Tiles{Rows: rows, Cols: 1, PadTop: 4, PadBottom: 4, PadLeft: 4, PadY: 6}
		at := plot.Align(panels, tiles, draw.Crop(c, 0, -namesWidth, 0, 0))
		for i := range panels {
			panels[i][0].Draw(at[i][0])
			right := at[i][0].Rectangle
			right.Min.X, right.Max.X = right.Max.X+10, c.Max.X
			right.Max.Y -= 20 // below the title
			legends[i].Draw(draw.Canvas{Canvas: c.Canvas, Rectangle: right})
		}
	})
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	return err
}

// panel returns the panel of the variable at place v among those that are wanted.
func (r *reel) panel(v int) (*plot.Plot, *plot.Legend, error) {
	d := &r.slices[0][v]
	title := d.Var
	if r.of != "" {
		title += ", sequence " + r.of
	}
	p := chart.New(title, "", "")
	p.X.Tick.Marker = wholeNumbers{}
	p.X.Min, p.X.Max = -.5, float64(len(r.slices))-.5
	legend := plot.NewLegend()
	legend.Top, legend.Left, legend.TextStyle.Font, legend.Padding = true, true, chart.Sans(11), chart.LegendPadding
	draw := r.bands
	if d.States == nil {
		draw = r.means
	}
	if err := draw(v, p, &legend); err != nil {
		return nil, nil, err
	}
	if r.known < len(r.slices) {
		if err := r.now(p, &legend); err != nil {
			return nil, nil, err
		}
	}
	return p, &legend, nil
}

// mostNames is how many states have a name in a picture.
const mostNames = 8

// bands draws the probabilities of states on top of each other, the first state at the bottom. Each
// slice is as wide as another.
func (r *reel) bands(v int, p *plot.Plot, legend *plot.Legend) error {
	states := r.slices[0][v].States
	low := make([]float64, len(r.slices))
	names := min(len(states), mostNames)
	if len(states) == mostNames+1 {
		names++ // as many lines as with a line for the others
	}
	for s, name := range states {
		var above, below plotter.XYs
		for t, slice := range r.slices {
			high := min(low[t]+slice[v].P[s], 1)
			left, right := float64(t)-.5, float64(t)+.5
			above = append(above, plotter.XY{X: left, Y: high}, plotter.XY{X: right, Y: high})
			below = append(below, plotter.XY{X: left, Y: low[t]}, plotter.XY{X: right, Y: low[t]})
			low[t] = high
		}
		slices.Reverse(below)
		band, err := plotter.NewPolygon(append(above, below...))
		if err != nil {
			return fmt.Errorf("the probabilities of %q: %w", r.slices[0][v].Var, err)
		}
		band.Color, band.LineStyle.Width = shade(s, len(states)), 0
		p.Add(band)
		if s < names {
			legend.Add(chart.Short(name), band)
		}
	}
	if rest := len(states) - names; rest > 0 {
		legend.Add(fmt.Sprintf("and %d more", rest))
	}
	p.Y.Min, p.Y.Max = 0, 1
	p.Y.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: .5, Label: "0.5"}, {Value: 1, Label: "1"}}
	return nil
}

// shade returns the colour of a state: the palette's, then lighter ones. The last state of two is
// light grey, so that the first one stands out.
func shade(state, of int) color.Color {
	if of == 2 && state == 1 {
		return color.Gray{0xe4}
	}
	x := chart.Palette[state%len(chart.Palette)]
	lighter := func(y uint8) uint8 {
		for range state / len(chart.Palette) {
			y += (255 - y) / 2
		}
		return y
	}
	return color.RGBA{lighter(x.R), lighter(x.G), lighter(x.B), 0xff}
}

// means draws means as a line, and a band of two standard deviations around it. Slices with an
// infinite variance are left out, which cuts the line.
func (r *reel) means(v int, p *plot.Plot, legend *plot.Legend) error {
	named := false
	for from := 0; from < len(r.slices); from++ {
		to := from
		for to < len(r.slices) && finite(&r.slices[to][v]) {
			to++
		}
		if to == from {
			continue
		}
		line, band, err := r.meansOf(v, from, to)
		if err != nil {
			return fmt.Errorf("the means of %q: %w", r.slices[0][v].Var, err)
		}
		p.Add(band, line)
		if !named {
			legend.Add("mean", line)
			legend.Add("± 2 sd", band)
			named = true
		}
		from = to
	}
	p.Y.Tick.Marker = chart.Numbers{}
	if !named {
		p.Y.Min, p.Y.Max = -1, 1
		legend.Add("infinite variance")
	}
	room := .04 * (p.Y.Max - p.Y.Min)
	p.Y.Min, p.Y.Max = p.Y.Min-room, p.Y.Max+room
	return nil
}

func finite(d *infer.Distribution) bool {
	return !math.IsInf(d.Mean+d.Variance, 0) && !math.IsNaN(d.Mean+d.Variance)
}

// meansOf returns the line and the band of the slices from, from+1, ..., to-1. Half a slice at both
// ends shows a single one.
func (r *reel) meansOf(v, from, to int) (*plotter.Line, *plotter.Polygon, error) {
	var middle, above, below plotter.XYs
	point := func(x float64, d *infer.Distribution) {
		two := 2 * math.Sqrt(max(d.Variance, 0))
		middle = append(middle, plotter.XY{X: x, Y: d.Mean})
		above, below = append(above, plotter.XY{X: x, Y: d.Mean + two}), append(below, plotter.XY{X: x, Y: d.Mean - two})
	}
	point(float64(from)-.5, &r.slices[from][v])
	for t := from; t < to; t++ {
		point(float64(t), &r.slices[t][v])
	}
	point(float64(to)-.5, &r.slices[to-1][v])
	slices.Reverse(below)
	band, err := plotter.NewPolygon(append(above, below...))
	if err != nil {
		return nil, nil, err
	}
	line, err := plotter.NewLine(middle)
	if err != nil {
		return nil, nil, err
	}
	blue := chart.Palette[0]
	band.Color, band.LineStyle.Width = color.NRGBA{blue.R, blue.G, blue.B, 0x48}, 0
	line.Color, line.Width = blue, 1.5
	return line, band, nil
}

// now draws a line between the slices of rows and the predicted ones.
func (r *reel) now(p *plot.Plot, legend *plot.Legend) error {
	low, high := p.Y.Min, p.Y.Max
	line, err := plotter.NewLine(plotter.XYs{{X: float64(r.known) - .5, Y: low}, {X: float64(r.known) - .5, Y: high}})
	if err != nil {
		return err
	}
	line.Color, line.Dashes = color.Gray{0x33}, []vg.Length{4, 3}
	p.Add(line)
	legend.Add("last row", line)
	return nil
}

// wholeNumbers places ticks on whole numbers, at most eleven.
type wholeNumbers struct{}

// Ticks implements [plot.Ticker].
func (wholeNumbers) Ticks(low, high float64) (ticks []plot.Tick) {
	every := 1
	for k := 0; (high-low)/float64(every) > 10; k++ {
		every = []int{2, 5, 10}[k%3] * int(math.Pow10(k/3))
	}
	for t := 0; float64(t) <= high; t += every {
		if float64(t) >= low {
			ticks = append(ticks, plot.Tick{Value: float64(t), Label: strconv.Itoa(t)})
		}
	}
	return ticks
}
