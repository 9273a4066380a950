package chart

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Points draws points, each with a label near it, so that no two labels overlap and none covers a
// point or a line.
type Points struct {
	plotter.XYLabels
	Font   font.Font
	Glyphs []draw.GlyphStyle // of the points, the last one also of further points; of radius 0 for none
	Line   plotter.XYs       // is kept free of labels
}

const pointRadius vg.Length = 4

// Dot returns the glyph of a point.
func Dot(c color.Color) draw.GlyphStyle {
	return draw.GlyphStyle{Color: c, Radius: pointRadius, Shape: draw.CircleGlyph{}}
}

// wider is how much wider a label may be in the font of a reader than in the plot's: DejaVu Sans
// against Liberation Sans.
const wider = 1.2

// Plot draws the points and places each label at the first free place: right of its point, left of
// it, above, below, and then further up and down with a line to the point.
func (l *Points) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	style := draw.TextStyle{Color: color.Black, Font: l.Font, Handler: plot.DefaultTextHandler}
	at := make([]vg.Point, len(l.XYs))
	taken := alongLine(l.Line, toX, toY)
	for i, xy := range l.XYs {
		at[i] = vg.Point{X: toX(xy.X), Y: toY(xy.Y)}
		r := vg.Point{X: pointRadius, Y: pointRadius}
		taken = append(taken, vg.Rectangle{Min: at[i].Sub(r), Max: at[i].Add(r)})
	}
	room := vg.Rectangle{Min: c.Min, Max: c.Max}
	for i, label := range l.Labels {
		box, line := freePlace(at[i], wider*style.Width(label), style.Height(label), room, taken)
		taken = append(taken, box)
		if glyph := l.glyph(i); line {
			end := vg.Point{X: min(max(at[i].X, box.Min.X), box.Max.X), Y: min(max(at[i].Y, box.Min.Y), box.Max.Y)}
			c.StrokeLine2(draw.LineStyle{Color: glyph.Color, Width: 0.5}, at[i].X, at[i].Y, end.X, end.Y)
		}
		c.FillText(style, box.Min, label)
	}
	for i, point := range at {
		if glyph := l.glyph(i); glyph.Radius > 0 {
			c.DrawGlyph(glyph, point)
		}
	}
}

func (l *Points) glyph(i int) draw.GlyphStyle { return l.Glyphs[min(i, len(l.Glyphs)-1)] }

// alongLine returns small boxes that cover a line.
func alongLine(line plotter.XYs, toX, toY func(float64) vg.Length) (list []vg.Rectangle) {
	const step = 4
	for i := 1; i < len(line); i++ {
		a := vg.Point{X: toX(line[i-1].X), Y: toY(line[i-1].Y)}
		d := vg.Point{X: toX(line[i].X), Y: toY(line[i].Y)}.Sub(a)
		n := max(1, vg.Length(int(max(d.X, d.Y, -d.X, -d.Y)/step)))
		for k := vg.Length(0); k <= n; k++ {
			at := a.Add(vg.Point{X: d.X * k / n, Y: d.Y * k / n})
			list = append(list, vg.Rectangle{Min: at, Max: at})
		}
	}
	return list
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
