package draw

import (
	"bufio"
	"fmt"
)

// Sizes of bars, in pixels, and the most characters of their labels.
const (
	barHeight   = 15.0 // of the row of a bar
	barWidth    = 72.0 // of a probability of 1
	barThick    = 8.0
	wasThick    = 2.5 // of the thin bar below
	barGap      = 6.0 // between label, bar and percentage
	barFont     = 11.0
	percentWide = 46.0 // of >99.9%
	barsTop     = 3.0  // above the first bar
	maxLabel    = 24
)

// barsSize returns the size of the bars of a node, which is 0 without bars.
func (n *Node) barsSize() point {
	if n.Bars == nil {
		return point{}
	}
	return point{n.labelWidth() + barGap + barWidth + barGap + percentWide, barsTop + float64(barHeight*float64(len(n.Bars)))}
}

// labelWidth returns the width of the widest label of a bar.
func (n *Node) labelWidth() float64 {
	w := 0.0
	for i := range n.Bars {
		w = max(w, textWidth(visible(n.Bars[i].Label, maxLabel))*barFont/fontSize)
	}
	return w
}

// percent returns the probability as a percentage. Only 0 and, up to its last bits, 1 are written
// as 0% and 100%.
func (b *Bar) percent() string {
	switch p := 100 * b.P; {
	case b.P == 0:
		return "0%"
	case b.P >= 1-1e-15:
		return "100%"
	case p < .01:
		return "<0.01%"
	case p < 1:
		return fmt.Sprintf("%.2f%%", p)
	case p >= 99.95:
		return ">99.9%"
	default:
		return fmt.Sprintf("%.1f%%", p)
	}
}

// writeBars draws the bars of a node below the point at its upper left, within the given width.
func (n *Node) writeBars(b *bufio.Writer, at point, width float64, c colour) {
	label := n.labelWidth()
	long := width - label - 2*barGap - percentWide
	for i := range n.Bars {
		bar := &n.Bars[i]
		middle := at.y + barsTop + float64(barHeight*(float64(i)+.5))
		left, thick := at.x+label+barGap, barThick
		if bar.Was >= 0 {
			fmt.Fprintf(b, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=%q/>",
				number(left), number(middle+barThick/2-wasThick+1), number(long*min(max(bar.Was, 0), 1)), number(wasThick), "#8a929c")
			thick -= wasThick
		}
		fmt.Fprintf(b, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"#ffffff\" stroke=\"none\"/>", number(left), number(middle-barThick/2), number(long), number(thick))
		fmt.Fprintf(b, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=%q/>", number(left), number(middle-barThick/2), number(long*min(max(bar.P, 0), 1)), number(thick), c.line)
		text := func(x float64, anchor, s string) {
			fmt.Fprintf(b, "<text x=\"%s\" y=\"%s\" font-size=\"%s\" text-anchor=%q fill=%q>%s</text>", number(x), number(middle+barFont*.35), number(barFont), anchor, textColour, xmlEscape(s))
		}
		text(at.x, "start", visible(bar.Label, maxLabel))
		text(at.x+width, "end", bar.percent())
	}
}
