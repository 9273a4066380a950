package draw

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

const lineHeight = 16.0 // height of a line of a label, in pixels

// colour holds the colours of a tone.
type colour struct{ fill, line string }

var colours = [...]colour{
	Blue:  {"#e7effb", "#4472b0"},
	Green: {"#e6f4ea", "#3f8a5d"},
	Amber: {"#fdf1dc", "#b9822b"},
	Grey:  {"#f2f3f5", "#868d97"},
}

const (
	textColour = "#1c2127"
	edgeColour = "#6f7782"
)

// Arrow heads, in pixels.
const (
	headLength = 8.0
	headHalf   = 3.5
)

// SVG returns g as an SVG picture.
func (g *Graph) SVG() (string, error) {
	var b strings.Builder
	err := g.WriteSVG(&b)
	return b.String(), err
}

// WriteSVG writes g as an SVG picture. It returns an error if the layout would be too large.
func (g *Graph) WriteSVG(w io.Writer) error {
	p, err := g.layout()
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	width, height := number(p.width), number(p.height)
	fmt.Fprintf(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\">\n", width, height, width, height)
	fmt.Fprintf(b, "<title>%s</title>\n", xmlEscape(visible(g.Name, maxLine)))
	fmt.Fprintf(b, "<rect width=\"%s\" height=\"%s\" fill=\"#ffffff\"/>\n", width, height)
	g.writeFrames(b, p)
	g.write(b, p)
	g.writeKey(b, p)
	b.WriteString("</svg>\n")
	return b.Flush()
}

// write draws the edges, then their heads, then the nodes, each kind in a group.
func (g *Graph) write(b *bufio.Writer, p *picture) {
	fmt.Fprintf(b, "<g fill=\"none\" stroke=%q stroke-width=\"1.2\">\n", edgeColour)
	var heads strings.Builder
	for i := range g.Edges {
		line, head := g.edge(p, i)
		g.Edges[i].write(b, line)
		fill := ""
		if style := g.Edges[i].Style; style != Plain {
			fill = fmt.Sprintf(" fill=%q", styles[style].colour)
		}
		fmt.Fprintf(&heads, "<path d=\"%s\"%s/>\n", head, fill)
	}
	b.WriteString("</g>\n")
	if g.Kind == Directed && len(g.Edges) > 0 {
		fmt.Fprintf(b, "<g fill=%q>\n%s</g>\n", edgeColour, heads.String())
	}
	fmt.Fprintf(b, "<g font-family=\"Helvetica, Arial, sans-serif\" font-size=\"%s\" text-anchor=\"middle\">\n", number(fontSize))
	for i := range g.Nodes {
		g.Nodes[i].write(b, p.at[i], p.size[i])
	}
	b.WriteString("</g>\n")
}

// styles holds the colours and dashes of edges.
var styles = [...]struct{ colour, dashes string }{
	Plain:   {edgeColour, ""},
	Added:   {"#2e8b57", ""},
	Missing: {"#c0392b", "6 4"},
	Turned:  {"#c98a12", ""},
}

// usualWidth is the width of an edge in pixels.
const usualWidth = 1.2

// head returns the size of the edge's arrow head as a multiple of the usual one.
func (e *Edge) head() float64 { return max(1, e.Width/2.4) }

// write draws the line of an edge along a path.
func (e *Edge) write(b *bufio.Writer, path string) {
	fmt.Fprintf(b, "<path d=\"%s\"", path)
	if e.Style != Plain {
		fmt.Fprintf(b, " stroke=%q", styles[e.Style].colour)
	}
	if dashes := styles[e.Style].dashes; dashes != "" {
		fmt.Fprintf(b, " stroke-dasharray=%q", dashes)
	}
	if e.Width != 0 && e.Width != usualWidth {
		fmt.Fprintf(b, " stroke-width=\"%s\"", number(e.Width))
	}
	if e.Note == "" {
		b.WriteString("/>\n")
		return
	}
	fmt.Fprintf(b, "><title>%s</title></path>\n", xmlEscape(visible(e.Note, maxNote)))
}

// The length of the line of an entry of the key, and its distance from the text, in pixels.
const (
	keyLine = 36.0
	keyGap  = 8.0
)

// writeKey draws the key below the graph.
func (g *Graph) writeKey(b *bufio.Writer, p *picture) {
	for i, k := range g.Key {
		y := p.height - margin - float64(lineHeight*(float64(len(g.Key)-i)-.5))
		dashes := ""
		if d := styles[k.Style].dashes; d != "" {
			dashes = fmt.Sprintf(" stroke-dasharray=%q", d)
		}
		fmt.Fprintf(b, "<path d=\"M%s %sh%s\" fill=\"none\" stroke=%q stroke-width=\"2\"%s/>\n", number(margin), number(y), number(keyLine), styles[k.Style].colour, dashes)
		fmt.Fprintf(b, "<text x=\"%s\" y=\"%s\" fill=%q font-family=\"Helvetica, Arial, sans-serif\" font-size=\"%s\">%s</text>\n",
			number(margin+keyLine+keyGap), number(y+fontSize*.35), textColour, number(fontSize), xmlEscape(visible(k.Text, maxLine)))
	}
}

// edge returns the paths of the line and of the head of an edge.
func (g *Graph) edge(p *picture, i int) (line, head string) {
	path, size := p.edges[i], g.Edges[i].head()
	if path == nil {
		return g.between(p, &g.Edges[i])
	}
	end := path[len(path)-1]
	return g.curve(path, size), headTo(end, point{0, down(path)}, size)
}

// headTo returns the path of an arrow head of a size that ends in a point, in a direction along an
// axis.
func headTo(end, along point, size float64) string {
	length, half := float64(size*headLength), float64(size*headHalf)
	back, side := point{end.x - float64(length*along.x), end.y - float64(length*along.y)}, "h"
	if along.x != 0 {
		back.y -= half
		side = "v"
	} else {
		back.x -= half
	}
	return fmt.Sprintf("M%s %s%s%sL%s %sz", number(back.x), number(back.y), side, number(2*half), number(end.x), number(end.y))
}

// curve returns the path of an edge: straight lines across layers, joined by smooth curves. head is
// the size of its arrow head.
func (g *Graph) curve(path []point, head float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "M%s %s", number(path[0].x), number(path[0].y))
	for i := 1; i < len(path); i++ {
		from, to := path[i-1], path[i]
		if i == len(path)-1 && g.Kind == Directed {
			to.y -= float64(head * headLength / 2 * down(path)) // the arrow head covers the rest
		}
		if i%2 == 1 {
			fmt.Fprintf(&b, "L%s %s", number(to.x), number(to.y))
			continue
		}
		half := (to.y - from.y) / 2
		fmt.Fprintf(&b, "C%s %s %s %s %s %s", number(from.x+float64(half*slope(path[i-2], from))), number(from.y+half),
			number(to.x-float64(half*slope(to, path[i+1]))), number(to.y-half), number(to.x), number(to.y))
	}
	return b.String()
}

// down returns 1 for a path that leads downwards and -1 for one that leads upwards.
func down(path []point) float64 { return math.Copysign(1, path[len(path)-1].y-path[0].y) }

// slope returns how far to the right the line from a down to b moves for each pixel.
func slope(a, b point) float64 {
	if a.x == b.x {
		return 0
	}
	return (b.x - a.x) / (b.y - a.y)
}

// write draws a node centred at a point.
func (n *Node) write(b *bufio.Writer, at, size point) {
	c, heavy := colours[n.Tone], "1.2"
	if n.Bold {
		heavy = "2.4"
	}
	b.WriteString("<g>")
	if n.Note != "" {
		fmt.Fprintf(b, "<title>%s</title>", xmlEscape(visible(n.Note, maxNote)))
	}
	paint := fmt.Sprintf("fill=%q stroke=%q stroke-width=%q", c.fill, c.line, heavy)
	if n.Shape == Box || n.Shape == Round {
		round := 2.0
		if n.Shape == Round {
			round = 12
		}
		fmt.Fprintf(b, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"%s\" %s/>",
			number(at.x-size.x/2), number(at.y-size.y/2), number(size.x), number(size.y), number(round), paint)
	} else {
		fmt.Fprintf(b, "<ellipse cx=\"%s\" cy=\"%s\" rx=\"%s\" ry=\"%s\" %s/>", number(at.x), number(at.y), number(size.x/2), number(size.y/2), paint)
	}
	middle := at.y - n.barsSize().y/2
	for i, line := range n.Lines {
		y := middle + lineHeight*(float64(i)-float64(len(n.Lines)-1)/2) + fontSize*.35 // a third of an em is half the height of capitals
		fmt.Fprintf(b, "<text x=\"%s\" y=\"%s\" fill=%q>%s</text>", number(at.x), number(y), textColour, xmlEscape(visible(line, maxLine)))
	}
	n.writeBars(b, point{at.x - size.x/2 + 8, middle + float64(lineHeight*float64(max(1, len(n.Lines)))/2)}, size.x-16, c)
	b.WriteString("</g>\n")
}

// number formats a length to a tenth of a pixel.
func number(x float64) string {
	s := strconv.FormatFloat(x, 'f', 1, 64)
	s = strings.TrimSuffix(s, ".0")
	if s == "-0" {
		return "0"
	}
	return s
}

var xmlEscape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;").Replace
